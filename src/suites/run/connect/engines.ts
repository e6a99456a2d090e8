/** Tests that the programs for containers of cases exist, and have an engine behind them. */
import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { usageError } from '../../../core/model/errors.ts';
import type { SuiteCase } from '../../language/model.ts';
import { skipReason } from '../../language/skip.ts';

/** @param cases with the servers that they will have @throws McpcError usage naming the engine that is not in PATH, or is not running */
export function needEngines(cases: readonly SuiteCase[], env: NodeJS.ProcessEnv): void {
  const needed = new Map<string, number>();
  for (const one of cases) {
    const { server } = one;
    if (
      server?.docker === undefined ||
      !['', 'stdio'].includes(server.transport.toLowerCase()) ||
      skipReason(one, env) !== undefined
    )
      continue;
    const engine = server.engine ?? 'docker';
    needed.set(engine, (needed.get(engine) ?? 0) + 1);
  }
  for (const [engine, count] of needed) {
    const who = `${count === 1 ? 'a case needs' : `${count} cases need`} for ${count === 1 ? 'its container' : 'their containers'}`;
    if (isInPath(engine, env)) {
      const words = unreachable(engine, env);
      if (words === undefined) continue;
      throw usageError(
        `${engine} has no engine to reach, which ${who}: ${words}`,
        'Start it, or choose another program by --container.',
      );
    }
    throw usageError(
      `There is no ${engine} in PATH, which ${who}.`,
      engine === 'docker'
        ? 'Install it, or run podman by --container podman.'
        : 'Install it, or leave --container out for docker.',
    );
  }
}

/** Maximum wait for the program; a slower one counts as present. */
const askMs = 10_000;

const signsOfNone = ['cannot connect', 'is the docker daemon running', 'connection refused'];

/** Messages of the program about an unreachable engine: docker without its daemon, podman without its machine. */
function unreachable(engine: string, env: NodeJS.ProcessEnv): string | undefined {
  const { status, stderr } = spawnSync(engine, ['version'], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
    timeout: askMs,
    maxBuffer: 64 * 1024,
    windowsHide: true,
  });
  const reported = stderr.toLowerCase();
  return status !== 0 && signsOfNone.some((sign) => reported.includes(sign)) ? stderr.trim().split('\n')[0] : undefined;
}

function isInPath(program: string, env: NodeJS.ProcessEnv): boolean {
  const names = process.platform === 'win32' ? [`${program}.exe`, `${program}.cmd`] : [program];
  return (env['PATH'] ?? '')
    .split(delimiter)
    .some((folder) => folder !== '' && names.some((name) => isExecutable(join(folder, name))));
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
