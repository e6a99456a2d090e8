/** Where MCP clients keep the servers that they know, on this machine and in a repository. It only looks which files there are. */
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { homeOf } from '../../files/config/variables.ts';

export interface ClientFile {
  /** Name of the client for a reader. */
  client: string;
  /** Short form of it, for names. */
  short: string;
  file: string;
  /** Of a file that keeps servers by folder: the folder. */
  project?: string;
}

export interface Machine {
  env: NodeJS.ProcessEnv;
  platform: NodeJS.Platform;
  cwd: string;
}

/** Files that are there: those of the repository first, from the inside out, then those of the user. */
export function clientFiles(machine: Machine): ClientFile[] {
  const home = homeOf(machine.env);
  const folders = upToRepository(resolve(machine.cwd));
  const inRepository = folders.flatMap((folder) => repositoryFiles(folder));
  // A folder's own servers, in the user's file.
  const byFolder = folders.map((project) => ({
    client: 'Claude Code, this folder',
    short: 'claude-code',
    file: join(home, '.claude.json'),
    project,
  }));
  const seen = new Set<string>();
  return [...inRepository, ...byFolder, ...userFiles(home, machine)].filter(({ file, project }) => {
    const key = `${file}\n${project ?? ''}`;
    return existsSync(file) && !seen.has(key) && seen.add(key);
  });
}

function repositoryFiles(folder: string): ClientFile[] {
  return [
    { client: 'Claude Code, this project', short: 'project', file: join(folder, '.mcp.json') },
    { client: 'VS Code, this workspace', short: 'vscode', file: join(folder, '.vscode', 'mcp.json') },
    { client: 'VS Code, settings of this workspace', short: 'vscode', file: join(folder, '.vscode', 'settings.json') },
    { client: 'Cursor, this project', short: 'cursor', file: join(folder, '.cursor', 'mcp.json') },
    { client: 'MCP registry', short: 'registry', file: join(folder, 'server.json') },
  ];
}

function userFiles(home: string, { env, platform }: Machine): ClientFile[] {
  const data = applicationFolder(home, env, platform);
  const code = ['Code', 'Code - Insiders', 'VSCodium'].flatMap((product): ClientFile[] =>
    ['mcp.json', 'settings.json'].map((name) => ({
      client: 'VS Code, this user',
      short: 'vscode-user',
      file: join(data, product, 'User', name),
    })),
  );
  return [
    { client: 'Claude Code, this user', short: 'claude-code', file: join(home, '.claude.json') },
    { client: 'Claude Desktop', short: 'claude-desktop', file: join(data, 'Claude', 'claude_desktop_config.json') },
    ...code,
    { client: 'Cursor, this user', short: 'cursor-user', file: join(home, '.cursor', 'mcp.json') },
    { client: 'Windsurf', short: 'windsurf', file: join(home, '.codeium', 'windsurf', 'mcp_config.json') },
  ];
}

/** Where the system wants programs to keep settings. */
function applicationFolder(home: string, env: NodeJS.ProcessEnv, platform: NodeJS.Platform): string {
  if (platform === 'darwin') return join(home, 'Library', 'Application Support');
  if (platform === 'win32') return env['APPDATA'] ?? join(home, 'AppData', 'Roaming');
  const { XDG_CONFIG_HOME: configured } = env;
  return configured === undefined || configured === '' ? join(home, '.config') : configured;
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
