/** The MCP server that a pyproject.toml names: the programs that the package installs. It starts nothing. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'smol-toml';
import { usageError } from '../../../core/model/errors.ts';
import { isObject } from '../../../core/model/json.ts';
import type { FoundDrafts } from './server-draft.ts';

/** Tools of Python that run a program of the project, by the file that says that they are used. */
export const pythonRunners = [
  { lock: 'uv.lock', words: ['uv', 'run'] },
  { lock: 'poetry.lock', words: ['poetry', 'run'] },
] as const;

/** @throws McpcError usage for a file that is no TOML */
export function pythonServers(folder: string): FoundDrafts {
  const file = join(folder, 'pyproject.toml');
  if (!existsSync(file)) return { drafts: [], without: [] };
  let value: unknown;
  try {
    value = parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw usageError(`pyproject.toml cannot be read: ${(error as Error).message}`, 'Correct it first.', error);
  }
  const at = (path: readonly string[]): unknown =>
    path.reduce<unknown>((inner, member) => (isObject(inner) ? inner[member] : undefined), value);
  const runner = pythonRunners.find(({ lock }) => existsSync(join(folder, lock)));
  const drafts = [
    ['project', 'scripts'],
    ['tool', 'poetry', 'scripts'],
  ].flatMap((path) => {
    const scripts = at(path);
    return Object.keys(isObject(scripts) ? scripts : {}).map((name) => {
      const [command, ...args] = [...(runner?.words ?? []), name];
      return {
        name,
        from: `pyproject.toml, ${path.join('.')}`,
        reach: { kind: 'command' as const, command: command!, args },
      };
    });
  });
  return { drafts, without: [] };
}
