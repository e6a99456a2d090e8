/** Runs the built command line as a user does: a process of its own, in a folder of its own. */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, onTestFinished, TestRunner } from 'vitest';
import { callHost, type Outcome } from './command-host.ts';

export const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const bin = join(root, 'bin/mcpc.js');
export const exampleServer = join(root, 'dist/example-server.js');

if (!existsSync(join(root, 'dist/start.js')))
  throw new Error('These tests run the built command line. Run: npm run build');

export type { Outcome };

export interface Running {
  pid: number;
  /** Resolves when stderr or stdout shows the text; rejects when the process ends before. */
  shows(text: string | RegExp): Promise<void>;
  /** What stdout and stderr have shown so far. */
  text(): string;
  kill(signal: NodeJS.Signals): void;
  ended: Promise<Outcome>;
}

/** A folder that is gone after the tests of the file; one that is made within a test, after that test. */
export class Workspace {
  private made: string | undefined;

  constructor() {
    const remove = (): void => {
      if (this.made !== undefined) rmSync(this.made, { recursive: true, force: true });
    };
    if (TestRunner.getCurrentTest() === undefined) afterAll(remove);
    else onTestFinished(remove);
  }

  /** Made when it is first asked for: where all tests of a file are skipped nothing would remove it. */
  get folder(): string {
    return (this.made ??= mkdtempSync(join(tmpdir(), 'mcpc-cli-')));
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  write(name: string, content: string | object): string {
    mkdirSync(dirname(this.path(name)), { recursive: true });
    writeFileSync(this.path(name), typeof content === 'string' ? content : JSON.stringify(content, null, 2));
    return this.path(name);
  }

  read(name: string): string {
    return readFileSync(this.path(name), 'utf8');
  }

  has(name: string): boolean {
    return existsSync(this.path(name));
  }

  start(args: readonly string[], how: { env?: Record<string, string>; input?: string } = {}): Running {
    const { FORCE_COLOR: _force, ...env } = process.env;
    const child = spawn(process.execPath, [bin, ...args], {
      cwd: this.folder,
      env: { ...env, NO_COLOR: '1', ...how.env },
      stdio: 'pipe',
    });
    let stdout = '';
    let stderr = '';
    const watchers = new Set<() => void>();
    const take = (add: (text: string) => void) => (chunk: Buffer) => {
      add(chunk.toString('utf8'));
      for (const watch of [...watchers]) watch();
    };
    child.stdout.on(
      'data',
      take((text) => (stdout += text)),
    );
    child.stderr.on(
      'data',
      take((text) => (stderr += text)),
    );
    child.stdin.on('error', () => {});
    child.stdin.end(how.input ?? '');
    const ended = new Promise<Outcome>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code, signal) => resolve({ code, signal, stdout, stderr }));
    });
    return {
      pid: child.pid!,
      ended,
      text: () => stdout + stderr,
      kill: (signal) => void child.kill(signal),
      shows(text) {
        const shown = (): boolean =>
          typeof text === 'string' ? (stdout + stderr).includes(text) : text.test(stdout + stderr);
        return new Promise((resolve, reject) => {
          const look = (): void => {
            if (!shown()) return;
            watchers.delete(look);
            resolve();
          };
          watchers.add(look);
          look();
          void ended.then(({ code }) =>
            shown()
              ? resolve()
              : reject(new Error(`ended with ${code} and did not show ${String(text)}\n${stdout}\n${stderr}`)),
          );
        });
      },
    };
  }

  /**
   * The same in the process of the command host. Not for what signals, a terminal or options of Node do to the process,
   * nor for what a process remembers of the files that it wrote: that needs one of its own.
   *
   * @param how folder: below that of the workspace
   */
  call(
    args: readonly string[],
    how: { env?: Record<string, string>; input?: string; folder?: string } = {},
  ): Promise<Outcome> {
    return callHost({ args, env: how.env ?? {}, input: how.input ?? '', folder: join(this.folder, how.folder ?? '.') });
  }

  run(args: readonly string[], how?: { env?: Record<string, string>; input?: string }): Promise<Outcome> {
    return this.start(args, how).ended;
  }
}

/** True while a process with the id runs. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  // A zombie that nobody has waited for is no running process.
  return !existsSync(`/proc/${pid}/stat`) || !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
}

/** Waits until the processes are gone. They are being ended, and vitest's own time limit ends the wait. */
export async function allGone(pids: readonly number[]): Promise<void> {
  while (pids.some(isRunning)) await new Promise((resolve) => setTimeout(resolve, 20));
}

/**
 * What every error is: a heading, why, and often a remedy, on one screen; nothing on stdout, no stack. Of wrong usage the
 * heading is the first line of why.
 */
export function errorOf({ stdout, stderr }: Outcome): { heading: string; why: string; fix: string | undefined } {
  if (stdout !== '') throw new Error(`an error wrote to stdout: ${stdout}`);
  if (stderr.split('\n').length > 24) throw new Error(`an error is longer than a screen: ${stderr}`);
  if (/\n\s+at .*:\d+:\d+/.test(stderr)) throw new Error(`an error shows a stack: ${stderr}`);
  const match = /^✖ (.*)\n(?: {2}why {4}([\s\S]*?)\n)?(?: {2}stderr [\s\S]*?\n)?(?: {2}fix {4}([\s\S]*?)\n)?$/m.exec(
    stderr,
  );
  if (!match) throw new Error(`no error message: ${stderr}`);
  const [, heading = '', why, fix] = match;
  const isOfStage = ['The target could not be checked', 'mcpc itself failed', 'Interrupted'].includes(heading);
  return { heading, why: isOfStage ? why! : [heading, ...(why === undefined ? [] : [why])].join('\n'), fix };
}
