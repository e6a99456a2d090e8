/** The MCP server that a package.json names: its `bin`, its `main`, or a script that starts it. It starts nothing. */
import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { usageError } from '../../../core/model/errors.ts';
import type { FoundDrafts, ServerDraft } from './server-draft.ts';

export interface PackageJson {
  name?: unknown;
  bin?: unknown;
  main?: unknown;
  scripts?: Record<string, unknown>;
  dependencies?: Record<string, unknown>;
  devDependencies?: Record<string, unknown>;
}

/** Scripts that start a server; others build, test or watch. */
const startsServer = /^(?:start|serve|server|mcp|stdio)(?::(?:mcp|stdio|server))?$/;

/** @throws McpcError usage for a file that is no JSON object */
export function readPackageJson(folder: string): PackageJson | undefined {
  const file = join(folder, 'package.json');
  if (!existsSync(file)) return undefined;
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8').replace(/^\uFEFF/, ''));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
    throw new Error('it holds no object');
  } catch (error) {
    throw usageError(`package.json cannot be read: ${(error as Error).message}`, 'Correct it first.', error);
  }
}

/** The best first: the program called like the package, other programs, `main`, scripts. */
export function packageServers(pkg: PackageJson, folder: string): FoundDrafts {
  const name = typeof pkg.name === 'string' ? pkg.name.replace(/^@[^/]*\//, '') : 'server';
  const drafts: ServerDraft[] = [];
  const without: string[] = [];
  const known = new Set<string>();
  for (const [from, path] of [...programsOf(pkg, name), ...mainOf(pkg)]) {
    const file = posix.normalize(path);
    if (known.has(file)) continue;
    known.add(file);
    const there = ['', '.js'].map((end) => file + end).find((one) => existsSync(join(folder, one)));
    if (there === undefined) {
      const build = typeof pkg.scripts?.['build'] === 'string' ? '; build it first: npm run build' : '';
      without.push(`${from} names ${file}, which is not there${build}.`);
      continue;
    }
    const reach = isForNode(join(folder, there))
      ? { kind: 'command' as const, command: 'node', args: [there] }
      : { kind: 'command' as const, command: `./${there}`, args: [] };
    drafts.push({ name, from, reach });
  }
  for (const [script, line] of Object.entries(pkg.scripts ?? {})) {
    if (typeof line !== 'string' || !startsServer.test(script)) continue;
    drafts.push({
      name,
      from: `package.json, scripts.${script}`,
      reach: { kind: 'command', command: 'npm', args: ['run', '--silent', script] },
    });
  }
  return { drafts, without };
}

function programsOf({ bin }: PackageJson, name: string): [from: string, path: string][] {
  if (typeof bin === 'string') return [['package.json, bin', bin]];
  if (typeof bin !== 'object' || bin === null) return [];
  const rank = (program: string): number => (program === name ? 0 : program.includes('mcp') ? 1 : 2);
  return Object.entries(bin)
    .filter((one): one is [string, string] => typeof one[1] === 'string')
    .toSorted(([a], [b]) => rank(a) - rank(b))
    .map(([program, path]) => [`package.json, bin.${program}`, path]);
}

function mainOf({ main }: PackageJson): [from: string, path: string][] {
  return typeof main === 'string' ? [['package.json, main', main]] : [];
}

function isForNode(file: string): boolean {
  const [first = ''] = readFileSync(file, 'utf8').split('\n', 1);
  return first.startsWith('#!') ? first.includes('node') : /\.[cm]?js$/.test(file);
}
