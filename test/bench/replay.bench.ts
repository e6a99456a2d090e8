/**
 * `mcpc replay` beside the server that was recorded: start until the answer to initialize, over that of a bare node
 * process, and time of an answer. By turns on this machine. Needs `npm run build`.
 *
 *   npx tsx test/bench/replay.bench.ts [rounds]
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const bin = join(root, 'bin/mcpc.js');
const manifest = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/package.json');
const server = [join(dirname(manifest), 'dist/index.js'), 'stdio'];
const rounds = Number(process.argv[2] ?? 5);
const calls = 200;
const folder = mkdtempSync(join(tmpdir(), 'mcpc-bench-'));
const recording = join(folder, 'recorded.jsonl');

interface Times {
  startMs: number;
  /** Of one call, on the average. */
  answerMs: number;
}

async function conversed(args: string[]): Promise<Times> {
  const began = performance.now();
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'ignore'] });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const asked = async (id: number, method: string, params: object): Promise<void> => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    for (;;) {
      const { value, done } = await lines.next();
      if (done === true) throw new Error(`${args.join(' ')} ended without an answer to ${method}`);
      const message = JSON.parse(value) as { id?: unknown; result?: unknown };
      if (message.id === id && message.result === undefined) throw new Error(`an error: ${value}`);
      if (message.id === id) return;
    }
  };
  const clientInfo = { name: 'bench', version: '1' };
  await asked(0, 'initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
  const startMs = performance.now() - began;
  child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  const callsBegan = performance.now();
  for (let id = 1; id <= calls; id += 1)
    await asked(id, 'tools/call', { name: 'echo', arguments: { message: String(id) } });
  const answerMs = (performance.now() - callsBegan) / calls;
  child.stdin.end();
  await ended;
  return { startMs, answerMs };
}

async function bareNode(): Promise<number> {
  const began = performance.now();
  const child = spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' });
  await new Promise<void>((resolve) => child.once('close', () => resolve()));
  return performance.now() - began;
}

const median = (values: number[]): number => values.toSorted((one, other) => one - other)[values.length >> 1]!;

try {
  await conversed([bin, 'intercept', '--trace', recording, '--', process.execPath, ...server]);
  const over: number[] = [];
  const starts: number[] = [];
  const answers: number[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    const bare = await bareNode();
    const live = await conversed(server);
    const replayed = await conversed([bin, 'replay', recording]);
    over.push(replayed.startMs - bare);
    starts.push(replayed.startMs / live.startMs);
    answers.push(replayed.answerMs / live.answerMs);
    console.log(
      `round ${round}: start ${replayed.startMs.toFixed(0)} ms, of the server ${live.startMs.toFixed(0)} ms, of bare node ${bare.toFixed(0)} ms; answer ${replayed.answerMs.toFixed(2)} ms, of the server ${live.answerMs.toFixed(2)} ms`,
    );
  }
  console.log(
    `median: start ${median(over).toFixed(0)} ms over bare node (100 or less is wanted), ${median(starts).toFixed(2)} times the start of the server; answer ${median(answers).toFixed(2)} times that of the server (1 or less is wanted)`,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
