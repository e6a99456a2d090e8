/**
 * Speed and memory of `mcpc judge` on a long transcript, against a bare loop that reads the same file line by
 * line and JSON-parses it. Writes a transcript of a million messages (tool calls with progress, reads, pings,
 * lists; about 450 bytes a line) as a trace and as a capture of JSON-RPC lines, judges each in a process of its
 * own, and prints the ratio and the peak memory; the same with `--evaluator engine` over a fiftieth of it, and, where
 * another built tree of mcpc is named, the same over all of it with that one, by turns. Needs `npm run build`.
 *
 *   npx tsx test/bench/judge.bench.ts [messages] [folder of another tree]
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  createReadStream,
  createWriteStream,
  mkdtempSync,
  openSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { writeConversation } from './long-conversation.ts';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const messages = Number(process.argv[2] ?? 1_000_000);
const folder = mkdtempSync(path.join(tmpdir(), 'mcpc-judge-bench-'));
const otherTree = process.argv[3];
const turns = 5;
const peak =
  "process.on('exit',()=>process.stderr.write('\\npeak '+process.resourceUsage().maxRSS+' '+(process.cpuUsage().user+process.cpuUsage().system)+'\\n'))";
const bareLoop = `
  import { createReadStream } from 'node:fs';
  import { createInterface } from 'node:readline';
  let count = 0;
  for await (const line of createInterface({ input: createReadStream(process.argv[1]) })) if (JSON.parse(line).footer !== true) count += 1;
  process.stdout.write(String(count));`;

function run(
  args: string[],
): Promise<{ ms: number; cpuMs: number; peakMb: number; code: number | null; stdout: string; stderr: string }> {
  const began = performance.now();
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--import', `data:text/javascript,${peak}`, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    child.on('error', reject);
    child.on('exit', (code) => {
      const [, kib, cpu] = /peak (\d+) (\d+)/.exec(stderr) ?? [];
      resolve({
        ms: performance.now() - began,
        cpuMs: Number(cpu ?? 0) / 1000,
        peakMb: Number(kib ?? 0) / 1024,
        code,
        stdout,
        stderr,
      });
    });
  });
}

/** The same conversation as another tool would have captured it: each message a line, and nothing else. */
async function asLines(trace: string, lines: string): Promise<void> {
  const out = createWriteStream(lines);
  for await (const line of createInterface({ input: createReadStream(trace) })) {
    const at = line.indexOf('"message":{');
    if (at !== -1 && !out.write(`${line.slice(at + '"message":'.length, -1)}\n`)) await once(out, 'drain');
  }
  out.end();
  await once(out, 'finish');
}

async function compare(what: string, file: string, count: number, args: string[]): Promise<void> {
  const bare = await run(['--input-type=module', '-e', bareLoop, file]);
  const judged = await run([path.join(root, 'bin/mcpc.js'), 'judge', '--quiet', ...args, file]);
  if (judged.code !== 0) throw new Error(`mcpc judge ended with ${judged.code}: ${judged.stdout}${judged.stderr}`);
  const speed = (ms: number): string =>
    `${(ms / 1000).toFixed(1)} s, ${Math.round(count / (ms / 1000))} messages a second`;
  console.log(`\n${what}, ${count} messages, ${(statSync(file).size / 1e6).toFixed(0)} MB`);
  console.log(`bare loop   ${speed(bare.ms)}, peak ${bare.peakMb.toFixed(0)} MB`);
  console.log(`mcpc judge  ${speed(judged.ms)}, peak ${judged.peakMb.toFixed(0)} MB`);
  console.log(`ratio of speeds ${(bare.ms / judged.ms).toFixed(2)}`);
}

async function byEngine(all: number): Promise<void> {
  const short = path.join(folder, 'short.trace.jsonl');
  const to = openSync(short, 'w');
  const count = writeConversation((text) => writeSync(to, text), Math.max(1000, all / 50));
  closeSync(to);
  const judged = await run([path.join(root, 'bin/mcpc.js'), 'judge', '--quiet', '--evaluator', 'engine', short]);
  if (judged.code !== 0)
    throw new Error(`mcpc judge --evaluator engine ended with ${judged.code}: ${judged.stdout}${judged.stderr}`);
  console.log(
    `--evaluator engine, ${count} messages: ${(judged.ms / 1000).toFixed(1)} s, ${Math.round(count / (judged.ms / 1000))} messages a second, peak ${judged.peakMb.toFixed(0)} MB`,
  );
}

/** Time and CPU seconds of both trees, of which each judges by turns; the least of each is what the machine disturbed least. */
async function besideOther(file: string, other: string): Promise<void> {
  const runs: Record<'here' | 'there', Awaited<ReturnType<typeof run>>[]> = { here: [], there: [] };
  for (let turn = 0; turn < turns; turn += 1) {
    for (const [name, tree] of [
      ['there', other],
      ['here', root],
    ] as const)
      runs[name].push(await run([path.join(tree, 'bin/mcpc.js'), 'judge', '--quiet', file]));
  }
  for (const [what, of] of [
    ['seconds', 'ms'],
    ['CPU seconds', 'cpuMs'],
  ] as const) {
    const [there, here] = [Math.min(...runs.there.map((one) => one[of])), Math.min(...runs.here.map((one) => one[of]))];
    console.log(
      `${what}: ${(here / 1000).toFixed(2)} here, ${(there / 1000).toFixed(2)} in ${other}; ratio of speeds ${(there / here).toFixed(2)}`,
    );
  }
}

try {
  const trace = path.join(folder, 'long.trace.jsonl');
  const fd = openSync(trace, 'w');
  const count = writeConversation((text) => writeSync(fd, text), messages);
  closeSync(fd);
  await compare('a trace (at least 0.33 of the bare loop, under 300 MB)', trace, count, []);
  await byEngine(count);
  if (otherTree !== undefined) await besideOther(trace, otherTree);
  const lines = path.join(folder, 'long.jsonl');
  await asLines(trace, lines);
  await compare('a capture of JSON-RPC lines, which is read exactly, told apart by sender and redacted', lines, count, [
    '--spec',
    '2025-11-25',
  ]);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
