/** Runs npm to its end, in a process group of its own. It is independent of the purpose. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { usageError } from '../../core/model/errors.ts';
import {
  keepWatchdog,
  signalGroup,
  unwatchGroup,
  watchGroup,
} from '../../client/transport/process/process-registry.ts';
import { markedEnv } from '../../client/transport/process/run-mark.ts';

export interface NpmRun {
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** Deadline, milliseconds. */
  withinMs: number;
  signal?: AbortSignal;
}

export interface NpmOutcome {
  /** Null when it was ended by a signal. */
  code: number | null;
  timedOut: boolean;
  /** The end of what it wrote to stderr. */
  stderr: string;
}

const mostStderr = 16_000;

/** Set by an npm that runs mcpc itself, and about that run. */
const ofOuterRun =
  /^(?:npm_(?:package|lifecycle|command)|npm_config_(?:local_prefix|global_prefix|prefix|global|location|workspaces?|dry_run|package_lock_only|include_workspace_root)$|INIT_CWD$)/i;

/**
 * @throws McpcError usage when there is no npm; the signal's reason when it is aborted
 */
export async function runNpm(args: readonly string[], { cwd, env, withinMs, signal }: NpmRun): Promise<NpmOutcome> {
  signal?.throwIfAborted();
  const [command, ...first] = npmCommand(env);
  keepWatchdog();
  const child = spawn(command!, [...first, ...args], {
    cwd,
    env: markedEnv(Object.fromEntries(Object.entries(env).filter(([name]) => !ofOuterRun.test(name)))),
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: process.platform !== 'win32',
    windowsHide: true,
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr = (stderr + text).slice(-mostStderr)));
  const { pid } = child;
  if (pid !== undefined) watchGroup(pid);
  const end = (): void => void (pid !== undefined && signalGroup(pid, 'SIGKILL'));
  let timedOut = false;
  const deadline = setTimeout(() => {
    timedOut = true;
    end();
  }, withinMs);
  signal?.addEventListener('abort', end, { once: true });
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', (error) =>
        reject(
          usageError(
            `npm could not be started: ${error.message}`,
            'Packages are installed with npm; put it into PATH.',
            error,
          ),
        ),
      );
      child.once('close', resolve);
    });
    signal?.throwIfAborted();
    return { code, timedOut, stderr };
  } finally {
    clearTimeout(deadline);
    signal?.removeEventListener('abort', end);
    if (pid !== undefined) unwatchGroup(pid);
  }
}

/** npm's own program where it can be found, since the file `npm` of Windows needs a shell. */
function npmCommand(env: NodeJS.ProcessEnv): string[] {
  const others = path.dirname(process.execPath);
  const known = [
    env['npm_execpath'],
    path.join(others, 'node_modules/npm/bin/npm-cli.js'),
    path.join(others, '../lib/node_modules/npm/bin/npm-cli.js'),
  ];
  const script = known.find((one) => one !== undefined && one.endsWith('npm-cli.js') && existsSync(one));
  return script === undefined ? ['npm'] : [process.execPath, script];
}
