/** Paths of the table of clients: where they lie on this machine, and which row a file belongs to. */
import { readdirSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { homeOf } from '../../../files/config/variables.ts';
import type { ClientTool } from './spelling.ts';
import { clientTools } from './tools.ts';

export interface Machine {
  env: NodeJS.ProcessEnv;
  platform: NodeJS.Platform;
}

/** A path of the table on this machine; a star in it stays. */
export function userPath(pattern: string, { env, platform }: Machine): string {
  const home = homeOf(env);
  const parts = pattern
    .split('/')
    .map((part) => (part === '~' ? home : part === '{data}' ? applicationFolder(home, env, platform) : part));
  return join(parts.join(sep));
}

/** Where the system wants programs to keep settings. */
function applicationFolder(home: string, env: NodeJS.ProcessEnv, platform: NodeJS.Platform): string {
  if (platform === 'darwin') return join(home, 'Library', 'Application Support');
  if (platform === 'win32') return env['APPDATA'] ?? join(home, 'AppData', 'Roaming');
  const { XDG_CONFIG_HOME: configured } = env;
  return configured === undefined || configured === '' ? join(home, '.config') : configured;
}

/** The paths that a pattern stands for: itself, or with a star what there is. */
export function pathsOf(pattern: string): string[] {
  const at = pattern.split(sep).findIndex((part) => part.includes('*'));
  if (at === -1) return [pattern];
  const parts = pattern.split(sep);
  const folder = parts.slice(0, at).join(sep);
  let names: string[];
  try {
    names = readdirSync(folder === '' ? sep : folder).toSorted();
  } catch {
    return [];
  }
  return names
    .filter((name) => fits(parts[at]!, name))
    .flatMap((name) => pathsOf([...parts.slice(0, at), name, ...parts.slice(at + 1)].join(sep)));
}

export interface Owner {
  tool: ClientTool;
  /** A file of a repository: the folder that it is about. Absent for a file of the user. */
  workspace?: string;
}

/** The rows whose files have such a path: those of the user first, then those with the longest path. */
export function ownersOf(file: string, machine: Machine): Owner[] {
  const path = resolve(file);
  const found: (Owner & { length: number })[] = [];
  for (const tool of clientTools) {
    if (tool.user?.some((pattern) => fitsAll(userPath(pattern, machine).split(sep), path.split(sep)))) {
      found.push({ tool, length: Number.POSITIVE_INFINITY });
      continue;
    }
    const parts = (tool.project ?? [])
      .map((pattern) => pattern.split('/'))
      .filter((one) => fitsAll(one, path.split(sep).slice(-one.length)));
    const longest = parts.toSorted((a, b) => b.length - a.length)[0];
    if (longest === undefined) continue;
    found.push({ tool, workspace: resolve(path, longest.map(() => '..').join(sep)), length: longest.length });
  }
  return found.toSorted((a, b) => b.length - a.length).map(({ length: _length, ...owner }) => owner);
}

/** The folder that a file is about where no row has its name. */
export function folderOf(file: string): string {
  const folder = dirname(resolve(file));
  return /^\.(?:vscode|cursor)$/.test(basename(folder)) ? dirname(folder) : folder;
}

function fitsAll(pattern: readonly string[], parts: readonly string[]): boolean {
  return pattern.length === parts.length && pattern.every((one, index) => fits(one, parts[index]!));
}

/** A star at the start or the end of a name stands for anything. */
function fits(pattern: string, name: string): boolean {
  if (pattern === '*') return /\.(?:json|ya?ml)$/.test(name) || !name.includes('.');
  if (pattern.startsWith('*')) return name.endsWith(pattern.slice(1)) && name.length >= pattern.length;
  return pattern === name;
}
