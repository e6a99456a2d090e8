/** Starts a command with all three pipes, in a process group of its own that is watched. It must not read or write the pipes. */
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { statSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { targetError, type McpcError } from '../../../core/model/errors.ts';
import type { EventInput } from '../../../core/model/trace.ts';
import { keepWatchdog, watchGroup } from './process-registry.ts';
import { markedEnv } from './run-mark.ts';

export interface SpawnOptions {
  command: string;
  args?: readonly string[];
  cwd?: string;
  /** The whole environment of the process; that of mcpc when absent. The mark of the run is added. */
  env?: NodeJS.ProcessEnv;
  /** The command is an engine and `args` its `run`: the container gets a name, and goes with the process. */
  container?: boolean;
  /** A test if the server supports one more process. */
  trial?: boolean;
}

export type PipedChild = ChildProcessByStdio<Writable, Readable, Readable>;

/** Starts the command; rejects with what the system said when that fails. */
function startPiped(options: SpawnOptions): Promise<PipedChild> {
  return new Promise((resolve, reject) => {
    const child = spawn(options.command, [...(options.args ?? [])], {
      cwd: options.cwd,
      env: markedEnv(options.env ?? process.env),
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    child.once('error', reject);
    child.once('spawn', () => {
      child.off('error', reject);
      // Later errors are failed signals; the exit event has everything relevant.
      child.on('error', () => {});
      resolve(child);
    });
  });
}

/**
 * The same, reported as events and in a watched group.
 *
 * @throws McpcError (target) when the command cannot be started; a `closed` event then gives the reason.
 */
export async function startRecorded(
  options: SpawnOptions,
  record: (event: Omit<EventInput, 'session'>) => void,
): Promise<{ child: PipedChild; pid: number }> {
  const { command, args = [], cwd } = options;
  record({
    from: 'harness',
    kind: 'spawn',
    ...(options.trial ? { trial: true } : {}),
    detail: { command, args: [...args], ...(cwd === undefined ? {} : { cwd }) },
  });
  keepWatchdog();
  const child = await startPiped(options).catch((error: unknown) => {
    const problem = spawnProblem(error, options);
    record({ from: 'harness', kind: 'closed', what: 'connection', reason: problem.message });
    throw problem;
  });
  const pid = child.pid as number;
  watchGroup(pid);
  return { child, pid };
}

/** Why a command could not be started, for a reader, with the remedy. */
function spawnProblem(error: unknown, options: SpawnOptions): McpcError {
  const { code, message } = error as NodeJS.ErrnoException;
  if (options.cwd !== undefined && !isDirectory(options.cwd)) {
    return targetError(
      `The folder ${options.cwd}, where ${options.command} should start, does not exist.`,
      'Name an existing folder.',
      error,
    );
  }
  if (code === 'ENOENT') {
    return targetError(
      `The command ${options.command} was not found.`,
      options.command.includes(' ') && (options.args ?? []).length === 0
        ? `Write the command and its arguments as words of their own: -- ${options.command}`
        : 'Check its spelling and that it is installed and in PATH.',
      error,
    );
  }
  if (code === 'EACCES') {
    return targetError(
      `The command ${options.command} may not be executed.`,
      'Make the file executable, or start it through its interpreter.',
      error,
    );
  }
  return targetError(
    `The command ${options.command} could not be started: ${message}`,
    'Start it by hand to see what is missing.',
    error,
  );
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
