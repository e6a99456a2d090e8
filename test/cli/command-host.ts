/**
 * The process that runs command lines of the built mcpc one after another, for all test files of a worker: loading it
 * costs more than most commands do. It ends with the worker.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { lastingProcesses } from '../support/run/lasting-processes.ts';
import { ofWorker } from '../support/run/of-worker.ts';

const here = dirname(fileURLToPath(import.meta.url));

export interface Outcome {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

interface Command {
  args: readonly string[];
  env: Record<string, string>;
  input: string;
  folder: string;
}

/** The host of this worker and its last call. */
const kept = ofWorker<{ host?: ChildProcess | undefined; turn: Promise<unknown> }>('commandHost', () => ({
  turn: Promise.resolve(),
}));

/** What a command writes, and the code that it leaves with; calls wait for each other. */
export function callHost(command: Command): Promise<Outcome> {
  const outcome = kept.turn.then(() => ask(command));
  kept.turn = outcome.catch(() => undefined);
  return outcome;
}

function startHost(): ChildProcess {
  const { FORCE_COLOR: _force, ...env } = process.env;
  // What it writes of itself, and not of a command, tells why it ended.
  const child = fork(join(here, 'command-host-process.mjs'), [pathToFileURL(join(here, '../../dist/start.js')).href], {
    cwd: tmpdir(),
    env: { ...env, NO_COLOR: '1' },
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  child.once('exit', () => {
    if (kept.host === child) kept.host = undefined;
  });
  // The worker does not wait for it: its end disconnects the host, and that ends it.
  child.unref();
  child.channel?.unref();
  lastingProcesses.add(child.pid!);
  return child;
}

function ask(command: Command): Promise<Outcome> {
  const child = (kept.host ??= startHost());
  return new Promise((resolve, reject) => {
    const lost = (code: number | null): void => {
      reject(new Error(`the process of mcpc ${command.args.join(' ')} ended with ${String(code)}`));
    };
    child.once('exit', lost);
    child.once('message', (outcome) => {
      child.off('exit', lost);
      resolve(outcome as Outcome);
    });
    child.send(command);
  });
}
