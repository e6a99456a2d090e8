/**
 * Reads servers from a file that MCP clients keep: `mcpServers` (.mcp.json, Claude Desktop, Cursor), `servers`
 * (VS Code's mcp.json), `mcp.servers` (VS Code's settings.json). It starts nothing.
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import {
  findNodeAtLocation,
  getNodeValue,
  parseTree,
  printParseErrorCode,
  type Node,
  type ParseError,
} from 'jsonc-parser';
import { LineCounter } from 'yaml';
import { placesOf, putVariables } from '../../files/config/variables.ts';
import { usageError } from '../../core/model/errors.ts';
import { isObject, type JsonObject as Json } from '../../core/model/json.ts';
import { readEnvFile } from './env-file.ts';

/** A server as the file has it: its variables are not put in. */
export type RawServer = {
  name: string;
  /** Path of a file of hints that the entry names for mcpc. */
  hintsFile?: string;
} & (
  | { kind: 'stdio'; command: string; args: string[]; env: Record<string, string>; envFile?: string; cwd?: string }
  /** `auto`: the file does not say which of the HTTP transports it is. */
  | { kind: 'http' | 'sse' | 'auto'; url: string; headers: Record<string, string> }
);

/** The same with its variables put in, and what its file of variables holds. */
export type ConfiguredServer = {
  name: string;
  /** Values that came from secrets: environment, headers, variables named like one. */
  secrets: string[];
  hintsFile?: string;
} & (
  | { kind: 'stdio'; command: string; args: string[]; env: Record<string, string>; cwd?: string }
  | { kind: 'http' | 'sse' | 'auto'; url: string; headers: [string, string][] }
);

/** One server of a file, not looked at yet. */
export interface ListedServer {
  name: string;
  entry: unknown;
  /** From 1. */
  line: number;
}

/**
 * The server called `name`, or the only one when no name is given.
 * @param env where variables are looked up
 * @throws McpcError usage, naming file and server
 */
export function readConfiguredServer(file: string, name: string | undefined, env: NodeJS.ProcessEnv): ConfiguredServer {
  const servers = readServerList(file);
  const known = `Servers in ${file}: ${servers.map((one) => one.name).join(', ') || 'none'}.`;
  if (name === undefined && servers.length !== 1)
    throw usageError(
      `${file} has ${servers.length} servers.`,
      servers.length === 0 ? known : `Name one with --server. ${known}`,
    );
  const chosen = name === undefined ? servers[0] : servers.find((one) => one.name === name);
  if (chosen === undefined) throw usageError(`${file} has no server "${name}".`, known);
  return withVariables(readServerEntry(chosen, file), file, env);
}

/** Every server of a file. @throws McpcError usage, naming the file */
export function readServerList(file: string): ListedServer[] {
  return serversOf(readJsonFile(file));
}

/** A file of JSON with comments, and where its parts stand. */
export interface JsonFile {
  file: string;
  value: Json;
  tree: Node;
  lineOf(offset: number): number;
}

/** @throws McpcError usage when it cannot be read, or holds no JSON object */
export function readJsonFile(file: string): JsonFile {
  let text: string;
  try {
    text = readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    throw usageError(
      `Cannot read the configuration ${file}: ${(error as Error).message}`,
      'Check the path given with --config.',
      error,
    );
  }
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, { allowTrailingComma: true });
  const lines = new LineCounter();
  let start = 0;
  do {
    lines.addNewLine(start);
    start = text.indexOf('\n', start) + 1;
  } while (start > 0);
  const [first] = errors;
  if (first) {
    const { line, col } = lines.linePos(first.offset);
    throw usageError(
      `${file}:${line}:${col}: not JSON (${printParseErrorCode(first.error)}).`,
      'Fix the file; comments and trailing commas are fine.',
    );
  }
  const value: unknown = tree && getNodeValue(tree);
  if (tree === undefined || !isObject(value)) throw usageError(`${file} is not a JSON object.`, shapes);
  return { file, value, tree, lineOf: (offset) => lines.linePos(offset).line };
}

const shapes = 'Servers stand under "mcpServers" (.mcp.json, Claude Desktop, Cursor) or "servers" (VS Code).';

/**
 * The servers of a file that was read.
 * @param project folder whose servers are meant, in a file that keeps them by folder (the user's file of Claude Code)
 * @throws McpcError usage when it has none
 */
export function serversOf({ file, value, tree, lineOf }: JsonFile, project?: string): ListedServer[] {
  const places =
    project === undefined ? [['mcpServers'], ['servers'], ['mcp', 'servers']] : [['projects', project, 'mcpServers']];
  const path = places.find((one) => (findNodeAtLocation(tree, one)?.type ?? 'null') !== 'null');
  if (path === undefined)
    throw usageError(`${file} has no servers${project === undefined ? '' : ` for the folder ${project}`}.`, shapes);
  const found = path.reduce<unknown>((at, member) => (at as Json)[member], value);
  if (!isObject(found)) throw usageError(`${file}: the servers must be an object, names to servers.`, shapes);
  const pairs = findNodeAtLocation(tree, path)?.children ?? [];
  const lines = new Map(pairs.map((pair): [unknown, number] => [pair.children?.[0]?.value, pair.offset]));
  return Object.entries(found).map(([name, entry]) => ({ name, entry, line: lineOf(lines.get(name) ?? 0) }));
}

/** A server as its file has it. @throws McpcError usage, naming file and server */
export function readServerEntry({ name, entry }: Pick<ListedServer, 'name' | 'entry'>, file: string): RawServer {
  const fail = failing(file, name);
  if (!isObject(entry)) return fail('must be an object.');
  const text = (member: string): string | undefined => {
    const value = entry[member];
    if (value === undefined || value === null) return undefined;
    return typeof value === 'string' ? value : fail(`"${member}" must be text.`);
  };
  const texts = (member: string): Record<string, string> => {
    const value = entry[member] ?? {};
    if (!isObject(value)) return fail(`"${member}" must be an object.`);
    return Object.fromEntries(
      Object.entries(value).map(([key, one]): [string, string] => {
        if (typeof one !== 'string' && typeof one !== 'number' && typeof one !== 'boolean')
          return fail(`${member}.${key} must be text.`);
        return [key, String(one)];
      }),
    );
  };

  const hintsFile = hintsOf(entry, file, fail);
  const type = text('type') ?? text('transport');
  const command = text('command');
  const url = text('url');
  if (command !== undefined && url !== undefined) return fail('has both "command" and "url"; only one can be reached.');
  if (command !== undefined) {
    if (type !== undefined && type !== 'stdio')
      return fail(
        `has a command, but its type is "${type}".`,
        'A server with a command has the type "stdio", or none.',
      );
    const args: unknown = entry['args'] ?? [];
    if (!Array.isArray(args)) return fail('"args" must be a list.');
    const cwd = text('cwd');
    const envFile = text('envFile');
    return {
      kind: 'stdio',
      name,
      command,
      args: args.map((one: unknown, index) =>
        typeof one === 'string' || typeof one === 'number' ? String(one) : fail(`args[${index}] must be text.`),
      ),
      env: texts('env'),
      envFile,
      cwd,
      ...hintsFile,
    };
  }
  if (url === undefined)
    return fail('has neither "command" nor "url".', 'A stdio server has a "command", a remote one a "url".');
  const kinds: Record<string, 'http' | 'sse'> = {
    http: 'http',
    'streamable-http': 'http',
    streamableHttp: 'http',
    sse: 'sse',
  };
  const kind = type === undefined ? 'auto' : kinds[type];
  if (kind === undefined) return fail(`the type "${type}" is unknown.`, 'Types are stdio, http and sse.');
  return { kind, name, url, headers: texts('headers'), ...hintsFile };
}

function withVariables(raw: RawServer, file: string, env: NodeJS.ProcessEnv): ConfiguredServer {
  const secrets: string[] = [];
  const around = { env, places: placesOf(file), secrets, fail: failing(file, raw.name) };
  const put = (text: string, place: string): string => putVariables(text, place, around);
  const putAll = (texts: Record<string, string>, member: string): [string, string][] =>
    Object.entries(texts).map(([key, one]) => [key, put(one, `${member}.${key}`)]);
  const known = { name: raw.name, hintsFile: raw.hintsFile };
  if (raw.kind !== 'stdio') {
    const headers = putAll(raw.headers, 'headers');
    return {
      ...known,
      kind: raw.kind,
      url: put(raw.url, 'url'),
      headers,
      secrets: [...secrets, ...headers.map(([, value]) => value)],
    };
  }
  const fromFile = raw.envFile === undefined ? {} : readEnvFile(resolve(dirname(file), put(raw.envFile, 'envFile')));
  const own = { ...fromFile, ...Object.fromEntries(putAll(raw.env, 'env')) };
  return {
    ...known,
    kind: 'stdio',
    command: put(raw.command, 'command'),
    args: raw.args.map((one, index) => put(one, `args[${index}]`)),
    env: own,
    ...(raw.cwd === undefined ? {} : { cwd: put(raw.cwd, 'cwd') }),
    secrets: [...secrets, ...Object.values(own)],
  };
}

function failing(file: string, name: string): (what: string, remedy?: string) => never {
  return (what, remedy) => {
    throw usageError(`${file}: server "${name}": ${what}`, remedy);
  };
}

/** What an entry says to mcpc alone: `"mcpc": { "hints": "hints.yaml" }`, relative to the file. */
function hintsOf({ mcpc }: Json, file: string, fail: (what: string, remedy?: string) => never): { hintsFile?: string } {
  if (mcpc === undefined) return {};
  if (!isObject(mcpc)) return fail('"mcpc" must be an object.');
  const stray = Object.keys(mcpc).find((name) => name !== 'hints');
  if (stray !== undefined)
    return fail(`"mcpc" has an unknown property "${stray}".`, 'Known is "hints", the path of a file of hints.');
  if (mcpc['hints'] === undefined) return {};
  if (typeof mcpc['hints'] !== 'string') return fail('mcpc.hints must be the path of a file.');
  return { hintsFile: resolve(dirname(file), mcpc['hints']) };
}

/** The file that is taken when a server is named without one. */
export function defaultConfigFile(cwd: string): string | undefined {
  return ['.mcp.json', '.vscode/mcp.json', '.cursor/mcp.json']
    .map((one) => resolve(cwd, one))
    .find((one) => existsSync(one));
}
