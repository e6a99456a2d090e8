/**
 * Wall time of `mcpc run` beside mcp-assert and beside a bare client, over files of the corpus in test/suite, of which a
 * tenth waits for a second. All run in turn on this machine; the ratios are what counts. The bare client starts as
 * many servers, as many at a time, and sends the messages that a kept run of mcpc sent. Needs `npm run build`, and
 * mcp-assert in PATH or named; without it its rows are left out.
 *
 *   npx tsx test/bench/suite.bench.ts [--files 100] [--rounds 3] [--reference path/to/mcp-assert]
 */
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import pLimit from 'p-limit';
import type { TraceEvent } from '../../src/core/model/trace.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { values } = parseArgs({
  options: {
    files: { type: 'string', default: '100' },
    rounds: { type: 'string', default: '3' },
    reference: { type: 'string' },
  },
});
const [files, rounds] = [Number(values.files), Number(values.rounds)];
const folder = mkdtempSync(join(tmpdir(), 'mcpc-suite-bench-'));
const everything = 'node_modules/@modelcontextprotocol/server-everything/dist/index.js';

/** Files that pass in both programs, and have no client features that a bare client would have to answer. */
function prepare(): void {
  const differing = readFileSync(join(root, 'test/suite/assert-parity.md'), 'utf8');
  const names = ['capture', 'files', 'json', 'kinds', 'prompts', 'resources', 'texts'].flatMap((name) =>
    readdirSync(join(root, 'test/suite/corpus', name))
      .toSorted()
      .map((file) => `${name}/${file}`),
  );
  const chosen = names.filter(
    (name) =>
      name.endsWith('.yaml') &&
      !differing.includes(`| ${name} |`) &&
      readFileSync(join(root, 'test/suite/corpus', name), 'utf8').startsWith('# wanted: pass'),
  );
  const waiting = Math.ceil(files / 10);
  // On a shared server whose arguments name the fixture all cases see the same files, in both programs.
  const reading = chosen.filter(
    (name) => !/tool: (?:write|edit|move|create)_/.test(readFileSync(join(root, 'test/suite/corpus', name), 'utf8')),
  );
  for (const [name, from] of [
    ['suite', chosen],
    ['reading', reading],
  ] as const) {
    mkdirSync(join(folder, name));
    for (let index = 0; index < files - waiting; index += 1)
      writeFileSync(
        join(folder, name, `a${String(index).padStart(3, '0')}.yaml`),
        readFileSync(join(root, 'test/suite/corpus', from[index % from.length]!)),
      );
    for (let index = 0; index < waiting; index += 1)
      writeFileSync(
        join(folder, name, `b${index}.yaml`),
        `server: { command: node, args: [${everything}, stdio] }\nassert:\n  tool: trigger-long-running-operation\n  args: { duration: 1, steps: 1 }\n  expect: { not_error: true }\n`,
      );
  }
  const many = Array.from({ length: files * 5 }, (_, index) => `{ n: ${index} }`).join(', ');
  writeFileSync(
    join(folder, 'many.yaml'),
    `version: 1\nservers: { s: { command: node, args: [${everything}, stdio] } }\ncases:\n  - name: case {{n}}\n    each: [${many}]\n    steps: [{ call: echo, with: { message: "m{{n}}" }, expect: { equals: "Echo: m{{n}}" } }]\n`,
  );
}

function timed(command: string, args: readonly string[]): Promise<number> {
  const began = performance.now();
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'ignore', 'pipe'] });
    let told = '';
    child.stderr.on('data', (chunk: Buffer) => (told = (told + chunk.toString()).slice(-2000)));
    child.once('error', reject);
    child.once('close', (code) =>
      code === 0
        ? resolve(performance.now() - began)
        : reject(new Error(`${command} ${args.join(' ')} ended with ${String(code)}: ${told}`)),
    );
  });
}

const mcpc = (...args: string[]): Promise<number> =>
  timed(process.execPath, [
    join(root, 'bin/mcpc.js'),
    'run',
    '--fixture',
    'test/suite/corpus/fixture',
    '--spec',
    '2025-11-25',
    '--timeout',
    '300s',
    '--quiet',
    ...args,
  ]);
const suite = join(folder, 'suite');

type Json = Record<string, unknown>;

/** What each server of a kept run was sent. */
function sessionsOf(trace: string): { command: string; args: string[]; messages: Json[] }[] {
  const events = readFileSync(trace, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as TraceEvent);
  const all: ReturnType<typeof sessionsOf> = [];
  const current = new Map<string, (typeof all)[number]>();
  for (const { kind, from, session, detail, message } of events) {
    if (kind === 'spawn') {
      const one = { ...(detail as { command: string; args: string[] }), messages: [] };
      current.set(session, one);
      all.push(one);
    } else if (kind === 'message' && from === 'client') current.get(session)?.messages.push(message as Json);
  }
  return all;
}

/** One server: its messages one after another, each request awaited. */
async function replay({ command, args, messages }: ReturnType<typeof sessionsOf>[number]): Promise<void> {
  const child = spawn(command, args, { cwd: root, stdio: ['pipe', 'pipe', 'ignore'] });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.stdin.on('error', () => {});
  const waiting = new Map<unknown, () => void>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { id, method } = JSON.parse(line) as Json;
    if (method === undefined) waiting.get(id)?.();
  });
  for (const message of messages) {
    const answered =
      'id' in message && 'method' in message
        ? new Promise<void>((resolve) => waiting.set(message['id'], resolve))
        : undefined;
    child.stdin.write(`${JSON.stringify(message)}\n`);
    // A server that ends answers nothing any more.
    if (answered !== undefined) await Promise.race([answered, exited]);
  }
  child.stdin.end();
  await exited;
}

async function bare(trace: string, jobs: number): Promise<number> {
  const sessions = sessionsOf(trace);
  const limit = pLimit(jobs);
  const began = performance.now();
  await Promise.all(sessions.map((one) => limit(() => replay(one))));
  return performance.now() - began;
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!;
}

function referenceProgram(): string | undefined {
  if (values.reference !== undefined) return values.reference;
  try {
    return execFileSync('sh', ['-c', 'command -v mcp-assert'], { encoding: 'utf8' }).trim();
  } catch {
    return undefined;
  }
}

try {
  prepare();
  const reference = referenceProgram();
  const trace = join(folder, 'one.jsonl');
  const many = join(folder, 'many.jsonl');
  await mcpc(suite, '--jobs', '1', '--trace', trace);
  await mcpc(join(folder, 'many.yaml'), '--session', 'suite', '--trace', many);
  const assert = (path: string, ...args: string[]): Promise<number> =>
    timed(reference!, ['run', '--suite', path, '--fixture', 'test/suite/corpus/fixture', '--timeout', '300s', ...args]);
  const runs: Record<string, () => Promise<number>> = {
    'mcpc run': () => mcpc(suite),
    'mcpc run --jobs 1': () => mcpc(suite, '--jobs', '1'),
    'mcpc run --session auto': () => mcpc(suite, '--session', 'auto'),
    'mcpc run --reuse-server': () => mcpc(join(folder, 'reading'), '--reuse-server'),
    'bare client, as many jobs': () => bare(trace, availableParallelism()),
    'mcpc run, one session': () => mcpc(join(folder, 'many.yaml'), '--session', 'suite'),
    'bare client, one session': () => bare(many, 1),
    ...(reference === undefined
      ? {}
      : {
          'mcp-assert run': () => assert(suite),
          'mcp-assert run --reuse-server': () => assert(join(folder, 'reading'), '--reuse-server'),
        }),
  };
  const times = new Map<string, number[]>(Object.keys(runs).map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1)
    for (const [name, run] of Object.entries(runs)) times.get(name)!.push(await run());
  const of = (name: string): number => median(times.get(name)!);
  for (const name of Object.keys(runs)) process.stdout.write(`${name.padEnd(32)} ${Math.round(of(name))} ms\n`);
  const ratio = (name: string, other: string): void =>
    void process.stdout.write(`${name} / ${other}: ${(of(name) / of(other)).toFixed(2)}\n`);
  ratio('mcpc run', 'bare client, as many jobs');
  ratio('mcpc run, one session', 'bare client, one session');
  if (reference !== undefined) {
    for (const name of ['mcpc run', 'mcpc run --jobs 1', 'mcpc run --session auto']) ratio(name, 'mcp-assert run');
    ratio('mcpc run --reuse-server', 'mcp-assert run --reuse-server');
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
