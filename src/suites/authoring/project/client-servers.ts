/** The servers that configurations of MCP clients in a folder name. It starts and reaches nothing. */
import { existsSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { McpcError } from '../../../core/model/errors.ts';
import { append } from '../../../core/model/lists.ts';
import { includedServers } from '../../../check/fleet-file/include.ts';
import { clientFiles, type Machine } from '../../../check/target/client-files.ts';
import type { FoundDrafts } from './server-draft.ts';

/** Kept in a project as an example of what users put into their own. */
const example = 'claude_desktop_config.json';

/** Servers with the name of an earlier one are left out; the files of a project often repeat each other. */
export function clientServers(machine: Machine): FoundDrafts {
  const { cwd, env } = machine;
  const found: FoundDrafts = { drafts: [], without: [] };
  const inside = clientFiles(machine)
    .filter(({ file, project }) => project === undefined && !relative(cwd, file).startsWith('..'))
    .map(({ file }) => file);
  const own = join(cwd, example);
  for (const path of existsSync(own) ? [...inside, own] : inside) {
    const file = relative(cwd, path).split(sep).join('/');
    for (const { name, reach } of draftsOf(file, cwd, env, found.without)) {
      if (found.drafts.some((one) => one.name === name)) continue;
      if (reach.kind === 'url')
        found.without.push(
          `"${name}" of ${file} is at ${reach.url}, where nothing is asked unless you name it: --config ${file} --server ${name}`,
        );
      else found.drafts.push({ name, from: file, reach: { kind: 'include', file } });
    }
  }
  return found;
}

function draftsOf(
  file: string,
  folder: string,
  env: NodeJS.ProcessEnv,
  without: string[],
): ReturnType<typeof includedServers>['drafts'] {
  try {
    const { drafts, unread } = includedServers({ files: file }, { at: file, folder: resolve(folder), env });
    append(
      without,
      unread.map(({ name, why }) => `"${name}" of ${file}: ${why}.`),
    );
    return drafts;
  } catch (error) {
    if (!(error instanceof McpcError)) throw error;
    if (!/ has no servers/.test(error.message)) without.push(error.message);
    return [];
  }
}
