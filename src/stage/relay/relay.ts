/**
 * What a client over stdio starts: it hands bytes on between its pipes and the socket of the run, which is the server. A
 * second connection tells what bytes cannot: that stdin was closed, and which signal came. Built as dist/stage-relay.js.
 * With the word `lingers` it ends with the run alone, or by SIGKILL; with `noisy` it writes to stderr.
 */
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { constants } from 'node:os';
import { noise } from './noise.ts';

const address = process.argv[2] ?? '';
const lingers = process.argv.includes('lingers', 3);
const parent = process.ppid;
const id = `${process.pid}`;
const data = connect({ path: address, allowHalfOpen: true });
const control = connect(address);
/** How long an end of stdin that came before a signal may take to be seen, milliseconds. */
const endMs = 250;
/** A process that lingers ends after this time in any case, milliseconds. */
const longestMs = 60_000;
/** Milliseconds between two looks for the process that started it. */
const parentMs = 50;

data.write(`data ${id}\n`);
control.write(`control ${id}\n`);
if (process.argv.includes('noisy', 3)) process.stderr.write(noise);

process.stdin.on('data', (chunk: Buffer) => {
  if (!data.write(chunk)) {
    process.stdin.pause();
    data.once('drain', () => process.stdin.resume());
  }
});
process.stdin.once('end', () => {
  if (lingers) control.write('end\n', watchParent);
  else control.write('end\n', () => data.end());
});
data.pipe(process.stdout);
// The run has nothing more to say: the server ends, and badly where the client did not ask for it.
data.once('end', () => process.stdout.write('', () => process.exit(lingers || process.stdin.readableEnded ? 0 : 1)));
data.once('close', () => process.exit(0));
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
  process.on(signal, () => {
    const report = (): void =>
      void control.write(`${signal}\n`, () => lingers || process.exit(128 + constants.signals[signal]));
    // A client may close stdin and send the signal at once; which of them is seen first is then chance.
    if (process.stdin.readableEnded) return report();
    // It may have been paused for a run that is busy.
    process.stdin.resume();
    const late = setTimeout(report, endMs);
    process.stdin.once('end', () => {
      clearTimeout(late);
      report();
    });
  });
for (const socket of [data, control])
  socket.on('error', (error) => {
    if (!lingers)
      process.stderr.write(`The run of mcpc that this server belongs to cannot be reached: ${error.message}\n`);
    process.exit(1);
  });
process.stdout.on('error', () => lingers || process.exit(0));

/** Reports that the process which started this one is gone. A shell in between may end for other reasons. */
function watchParent(): void {
  setTimeout(() => process.exit(0), longestMs);
  if (isShell(parent)) return;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    control.write('alone\n');
  }, parentMs);
}

function isShell(pid: number): boolean {
  try {
    return /^(?:ba|da|a|z|k|c|tc|fi)?sh$/.test(readFileSync(`/proc/${pid}/comm`, 'utf8').trim());
  } catch {
    return false;
  }
}
