/** Where MCP clients keep the servers that they know, on this machine and in a repository. It only looks which files there are. */
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { homeOf } from '../../files/config/variables.ts';
import { pathsOf, userPath, type Machine as Places } from './clients/places.ts';
import { clientTools } from './clients/tools.ts';

export interface ClientFile {
  /** Name of the client for a reader. */
  client: string;
  /** Short form of it, for names. */
  short: string;
  file: string;
  /** Of a file that keeps servers by folder: the folder. */
  project?: string;
}

export interface Machine extends Places {
  cwd: string;
}

/** Files that are there: those of the repository first, from the inside out, then those of the user. */
export function clientFiles(machine: Machine): ClientFile[] {
  const folders = upToRepository(resolve(machine.cwd));
  const inRepository = folders.flatMap((folder) => repositoryFiles(folder));
  // A folder's own servers, in the user's file.
  const byFolder = folders.map((project) => ({
    client: 'Claude Code, this folder',
    short: 'claude-code',
    file: join(homeOf(machine.env), '.claude.json'),
    project,
  }));
  const seen = new Set<string>();
  return [...inRepository, ...byFolder, ...userFiles(machine)].filter(({ file, project }) => {
    const key = `${file}\n${project ?? ''}`;
    return existsSync(file) && !seen.has(key) && seen.add(key);
  });
}

function repositoryFiles(folder: string): ClientFile[] {
  const files = clientTools.flatMap(({ tool, short, project = [] }) =>
    project.flatMap((pattern) =>
      pathsOf(join(folder, pattern)).map((file) => ({ client: `${tool}, this project`, short, file })),
    ),
  );
  return [...files, { client: 'MCP registry', short: 'registry', file: join(folder, 'server.json') }];
}

function userFiles(machine: Machine): ClientFile[] {
  return clientTools.flatMap(({ tool, short, project, user = [] }) =>
    user.flatMap((pattern) =>
      pathsOf(userPath(pattern, machine)).map((file) => ({
        client: project === undefined ? tool : `${tool}, this user`,
        short: project === undefined || short === 'claude-code' ? short : `${short}-user`,
        file,
      })),
    ),
  );
}

/** The folder and those above it up to the root of its repository; the folder alone outside of one. */
function upToRepository(folder: string): string[] {
  const folders: string[] = [];
  for (let at = folder; ; at = dirname(at)) {
    folders.push(at);
    if (existsSync(join(at, '.git'))) return folders;
    if (dirname(at) === at) return [folder];
  }
}
