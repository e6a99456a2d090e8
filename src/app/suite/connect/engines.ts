/** Whether the programs are there that run the containers of cases. */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { usageError } from '../../../model/errors.ts';
import type { SuiteCase } from '../../../suite/model.ts';
import { skipReason } from '../skip.ts';

/** @param cases with the servers that they will have @throws McpcError usage naming the engine that is not in PATH */
export function needEngines(cases: readonly SuiteCase[], env: NodeJS.ProcessEnv): void {
  const needed = new Map<string, number>();
  for (const one of cases) {
    const { server } = one;
    if (server?.docker === undefined || !['', 'stdio'].includes(server.transport.toLowerCase()) || skipReason(one, env) !== undefined) continue;
    const engine = server.engine ?? 'docker';
    needed.set(engine, (needed.get(engine) ?? 0) + 1);
  }
  for (const [engine, count] of needed) {
    if (isInPath(engine, env)) continue;
    throw usageError(`There is no ${engine} in PATH, which ${count === 1 ? 'a case needs' : `${count} cases need`} for ${count === 1 ? 'its container' : 'their containers'}.`, engine === 'docker' ? 'Install it, or run podman by --container podman.' : 'Install it, or leave --container out for docker.');
  }
}

function isInPath(program: string, env: NodeJS.ProcessEnv): boolean {
  const names = process.platform === 'win32' ? [`${program}.exe`, `${program}.cmd`] : [program];
  return (env['PATH'] ?? '').split(delimiter).some((folder) => folder !== '' && names.some((name) => isExecutable(join(folder, name))));
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
