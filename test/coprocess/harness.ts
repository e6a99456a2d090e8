/** A coprocess as an SDK starts it, talked to line by line. */
import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import { isRunning, root } from '../cli/harness.ts';

export const moody = join(root, 'test/coprocess/servers/moody-server.mjs');
export const everything = join(root, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js');

export type Json = Record<string, unknown>;

export interface Coprocess {
  /** Writes as it stands. */
  write(text: string): void;
  /** The next line of stdout, as it is. */
  line(): Promise<string>;
  /** Sends a request and takes the next line. */
  ask(method: string, params?: Json, id?: unknown): Promise<Json & { result: Json; error: Json & { data: Json } }>;
  end(): void;
  kill(signal: NodeJS.Signals): void;
  stderr(): string;
  /** Resolves with the exit code, and the lines that nobody took. */
  ended: Promise<{ code: number | null; rest: string[] }>;
  /** Process ids of what it started that still runs. */
  children(): number[];
}

/** Ends with the test. */
export function startCoprocess(
  args: readonly string[],
  how: { env?: Record<string, string>; cwd?: string } = {},
): Coprocess {
  const child = spawn(process.execPath, [join(root, 'bin/mcpc.js'), 'exec', '--connection-server', ...args], {
    env: { ...process.env, NO_COLOR: '1', ...how.env },
    cwd: how.cwd ?? root,
    stdio: 'pipe',
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines: string[] = [];
  const waiting: ((line: string) => void)[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => {
    const next = waiting.shift();
    if (next === undefined) lines.push(line);
    else next(line);
  });
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString('utf8')));
  child.stdin.on('error', () => {});
  const seen = new Set<number>();
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  let last = 0;
  const line = (): Promise<string> => {
    const first = lines.shift();
    if (first !== undefined) return Promise.resolve(first);
    return new Promise((resolve, reject) => {
      waiting.push(resolve);
      void ended.then((code) => reject(new Error(`ended with ${code} before its response\n${stderr}`)));
    });
  };
  return {
    write: (text) => void child.stdin.write(text),
    line,
    async ask(method, params, id = (last += 1)) {
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
      const answer = JSON.parse(await line()) as Awaited<ReturnType<Coprocess['ask']>>;
      for (const pid of childrenOf(child)) seen.add(pid);
      return answer;
    },
    end: () => void child.stdin.end(),
    kill: (signal) => void child.kill(signal),
    stderr: () => stderr,
    ended: ended.then((code) => ({ code, rest: lines })),
    children: () => [...seen].filter(isRunning),
  };
}

function childrenOf({ pid }: ChildProcess): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}
