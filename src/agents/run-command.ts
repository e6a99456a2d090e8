/**
 * Runs a command of mcpc in a process of its own: what it tests can neither crash nor block the server for agents, and
 * ending it ends everything that it started.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { packageRoot } from '../files/package/package-root.ts';

export interface Finished {
  /** Exit code as documented for the command; null when it was killed. */
  code: number | null;
  stdout: string;
  /** The last lines of stderr. */
  stderr: string[];
}

export interface RunOptions {
  cwd: string;
  signal: AbortSignal;
  /** A line of stderr, as it comes. */
  onLine?: ((line: string) => void) | undefined;
}

/** More than any report has; a command that prints more is ended. */
const mostBytes = 64 * 1024 * 1024;
const mostLines = 20;
/** What an interrupted command has to end its servers, milliseconds. */
const graceMs = 5_000;

/** @param words of the command line, without "mcpc" */
export async function runCommand(words: readonly string[], { cwd, signal, onLine }: RunOptions): Promise<Finished> {
  const child = spawn(process.execPath, [join(packageRoot(), 'bin', 'mcpc.js'), ...words], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NO_COLOR: '1' },
  });
  let killing: NodeJS.Timeout | undefined;
  const end = (): void => {
    child.kill('SIGINT');
    killing ??= setTimeout(() => child.kill('SIGKILL'), graceMs);
  };
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  const stderr: string[] = [];
  const chunks: Buffer[] = [];
  let bytes = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > mostBytes) end();
    else chunks.push(chunk);
  });
  let rest = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    const lines = `${rest}${text}`.slice(-mostBytes / 64).split('\n');
    rest = lines.pop()!;
    for (const line of lines) {
      stderr.push(line);
      if (stderr.length > mostLines) stderr.shift();
      onLine?.(line);
    }
  });
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    });
    if (rest !== '') stderr.push(rest);
    return { code, stdout: Buffer.concat(chunks).toString('utf8'), stderr };
  } finally {
    clearTimeout(killing);
    signal.removeEventListener('abort', end);
  }
}
