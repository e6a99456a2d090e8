/** Published servers in test/e2e/expected: how each is started, and one whole check of it. */
import { existsSync, mkdtempSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CheckOptions } from '../../src/check/check-options.ts';
import { parseHints } from '../../src/check/target/hints-file.ts';
import { check, type Checked } from '../e2e/run-check.ts';
import { freePort } from './free-port.ts';

export interface Expected {
  /** Name of the package. */
  server: string;
  version: string;
  transport: 'stdio' | 'http' | 'sse';
  revision: string;
  /**
   * In all texts {{folder}} is an empty folder of this check, {{port}} a free port, and {{package:NAME}} the folder
   * of another package.
   */
  launch: {
    /** File to run, relative to the package. */
    program: string;
    args?: string[];
    env?: Record<string, string>;
    /** Address of the endpoint, for other transports than stdio. */
    url?: string;
  };
  /** Texts of files that lie in {{folder}}, by name. */
  files?: Record<string, string>;
  /** As in a file of hints: above all which tools reach for the network, and are left alone. */
  hints?: object;
  /** Optional features, by rule of level MAY, with the place in the code that uses it; all others it lacks. */
  uses: Record<string, string>;
  /** Features that the code has and no check sees, with the reason. */
  unseen?: Record<string, string>;
  /** Each with what the server did, as a short exchange, and why that breaks the clause. */
  fails: { rule: string; level: string; clause: string; exchange: string[]; why: string }[];
}

const folder = fileURLToPath(new URL('../e2e/expected/', import.meta.url));

export const publishedServers = readdirSync(folder).map((file) => ({
  name: path.basename(file, '.json'),
  ...(JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as Expected),
}));

/**
 * @param key names the check and its trace, which is left in `work`
 * @param work an existing folder, in which the server gets an empty one of its own
 * @param options settings of the check other than the usual ones
 */
export async function checkPublished(
  { hints, ...expected }: Expected,
  key: string,
  work: string,
  options: Partial<CheckOptions> = {},
): Promise<Checked> {
  const { command, args, env, cwd, url, port, fill } = await launchPublished(expected, work);
  const common = {
    ...options,
    name: key,
    traceFile: path.join(work, `${key}.jsonl`),
    hints: hints === undefined ? undefined : parseHints(fill(JSON.stringify(hints)), key),
  };
  // Servers that keep files beside themselves find no other folder than their own.
  if (expected.transport === 'stdio') return check({ ...common, target: { kind: 'stdio', command, args, env, cwd } });
  return check({
    ...common,
    target: { kind: expected.transport, url: url!, headers: [] },
    serve: { command, args, env, cwd, port },
  });
}

/**
 * How a published server is started, once: its folder and its port are its own.
 * @param work an existing folder, in which the server gets an empty one
 */
export async function launchPublished(
  { server, transport, launch, files = {} }: Omit<Expected, 'hints'>,
  work: string,
): Promise<{
  command: string;
  args: string[];
  env: Record<string, string>;
  cwd: string;
  url?: string;
  port: number;
  /** Puts folder, port and packages into a text. */
  fill(text: string): string;
}> {
  const folder = mkdtempSync(path.join(work, 'folder-'));
  const port = transport === 'stdio' ? 0 : await freePort();
  const fill = (text: string): string =>
    text
      .replaceAll('{{folder}}', folder)
      .replaceAll('{{port}}', String(port))
      .replace(/\{\{package:([^}]+)\}\}/g, (_all, name: string) => packageFolder(name));
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
  const command = process.execPath;
  const args = [path.join(packageFolder(server), launch.program), ...(launch.args ?? []).map(fill)];
  const own = Object.fromEntries(Object.entries(launch.env ?? {}).map(([name, value]) => [name, fill(value)]));
  const env = { PATH: process.env['PATH'] ?? '', HOME: work, ...own };
  return {
    command,
    args,
    env,
    cwd: folder,
    ...(transport === 'stdio' ? {} : { url: fill(launch.url!) }),
    port,
    fill,
  };
}

const require = createRequire(import.meta.url);

/** Found without the package's say, which often exports nothing. */
export function packageFolder(name: string): string {
  const found = (require.resolve.paths(name) ?? [])
    .map((folder) => path.join(folder, name))
    .find((folder) => existsSync(path.join(folder, 'package.json')));
  if (found === undefined) throw new Error(`${name} is not installed`);
  return found;
}
