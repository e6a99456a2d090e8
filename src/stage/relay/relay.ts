/**
 * What a client over stdio starts: it hands bytes on between its pipes and the socket of the run, which is the server. A
 * second connection tells what bytes cannot: that stdin was closed, and which signal came. Built as dist/stage-relay.js.
 */
import { connect } from 'node:net';
import { constants } from 'node:os';

const address = process.argv[2] ?? '';
const id = `${process.pid}`;
const data = connect({ path: address, allowHalfOpen: true });
const control = connect(address);
/** How long an end of stdin that came before a signal may take to be seen, milliseconds. */
const endMs = 100;

data.write(`data ${id}\n`);
control.write(`control ${id}\n`);

process.stdin.on('data', (chunk: Buffer) => {
  if (!data.write(chunk)) {
    process.stdin.pause();
    data.once('drain', () => process.stdin.resume());
  }
});
process.stdin.once('end', () => control.write('end\n', () => data.end()));
data.pipe(process.stdout);
data.once('close', () => process.exit(0));
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
  process.once(signal, () => {
    const report = (): void => void control.write(`${signal}\n`, () => process.exit(128 + constants.signals[signal]));
    // A client may close stdin and send the signal at once; which of them is seen first is then chance.
    if (process.stdin.readableEnded) return report();
    const late = setTimeout(report, endMs);
    process.stdin.once('end', () => {
      clearTimeout(late);
      report();
    });
  });
for (const socket of [data, control])
  socket.on('error', (error) => {
    process.stderr.write(`The run of mcpc that this server belongs to cannot be reached: ${error.message}\n`);
    process.exit(1);
  });
process.stdout.on('error', () => process.exit(0));
