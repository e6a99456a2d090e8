/**
 * Reads one server from a file that MCP clients keep: `mcpServers` (.mcp.json, Claude Desktop, Cursor), `servers`
 * (VS Code's mcp.json), `mcp.servers` (VS Code's settings.json). Variables are put in. It starts nothing.
 */
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, resolve, sep } from 'node:path';
import { parse, printParseErrorCode } from 'jsonc-parser';
import type { ParseError } from 'jsonc-parser';
import { usageError } from '../model/errors.ts';
import { isSecretVariable } from '../trace/secret-names.ts';
import { readEnvFile } from './env-file.ts';

export type ConfiguredServer = {
  name: string;
  /** Values that came from secrets: environment, headers, variables named like one. */
  secrets: string[];
  /** Path of a file of hints that the entry names for mcpc. */
  hintsFile?: string;
} & (
  | { kind: 'stdio'; command: string; args: string[]; env: Record<string, string>; cwd?: string }
  /** `auto`: the file does not say which of the HTTP transports it is. */
  | { kind: 'http' | 'sse' | 'auto'; url: string; headers: [string, string][] }
);

type Json = Record<string, unknown>;

/**
 * The server called `name`, or the only one when no name is given.
 * @param env where variables are looked up
 * @throws McpcError usage, naming file and server
 */
export function readConfiguredServer(file: string, name: string | undefined, env: NodeJS.ProcessEnv): ConfiguredServer {
  const servers = serversOf(readConfig(file), file);
  const names = Object.keys(servers);
  const known = `Servers in ${file}: ${names.join(', ') || 'none'}.`;
  if (name === undefined && names.length !== 1) throw usageError(`${file} has ${names.length} servers.`, names.length === 0 ? known : `Name one with --server. ${known}`);
  const chosen = name ?? names[0]!;
  if (!Object.hasOwn(servers, chosen)) throw usageError(`${file} has no server "${chosen}".`, known);
  return readEntry(servers[chosen], chosen, file, env);
}

function readConfig(file: string): Json {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw usageError(`Cannot read the configuration ${file}: ${(error as Error).message}`, 'Check the path given with --config.', error);
  }
  const errors: ParseError[] = [];
  const value: unknown = parse(text.replace(/^\uFEFF/, ''), errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first) {
    const before = text.slice(0, first.offset).split('\n');
    throw usageError(`${file}:${before.length}:${before.at(-1)!.length + 1}: not JSON (${printParseErrorCode(first.error)}).`, 'Mend the file; comments and trailing commas are fine.');
  }
  if (!isObject(value)) throw usageError(`${file} is not a JSON object.`, shapes);
  return value;
}

const shapes = 'Servers stand under "mcpServers" (.mcp.json, Claude Desktop, Cursor) or "servers" (VS Code).';

function serversOf(config: Json, file: string): Json {
  const settings = isObject(config['mcp']) ? config['mcp'] : {};
  const found = config['mcpServers'] ?? config['servers'] ?? settings['servers'];
  if (found === undefined) throw usageError(`${file} has no servers.`, shapes);
  if (!isObject(found)) throw usageError(`${file}: the servers must be an object, names to servers.`, shapes);
  return found;
}

function readEntry(entry: unknown, name: string, file: string, env: NodeJS.ProcessEnv): ConfiguredServer {
  const fail = (what: string, remedy?: string): never => {
    throw usageError(`${file}: server "${name}": ${what}`, remedy);
  };
  if (!isObject(entry)) return fail('must be an object.');
  const secrets: string[] = [];
  const put = (text: string, place: string): string => substitute(text, place, { file, env, fail, secrets });
  const text = (member: string): string | undefined => {
    const value = entry[member];
    if (value === undefined || value === null) return undefined;
    return typeof value === 'string' ? put(value, member) : fail(`"${member}" must be text.`);
  };
  const texts = (member: string): [string, string][] => {
    const value = entry[member] ?? {};
    if (!isObject(value)) return fail(`"${member}" must be an object.`);
    return Object.entries(value).map(([key, one]): [string, string] => {
      if (typeof one !== 'string' && typeof one !== 'number' && typeof one !== 'boolean') return fail(`${member}.${key} must be text.`);
      return [key, put(String(one), `${member}.${key}`)];
    });
  };

  const hintsFile = hintsOf(entry, file, fail);
  const type = text('type') ?? text('transport');
  const command = text('command');
  const url = text('url');
  if (command !== undefined && url !== undefined) return fail('has both "command" and "url"; only one can be reached.');
  if (command !== undefined) {
    if (type !== undefined && type !== 'stdio') return fail(`has a command, but its type is "${type}".`, 'A server with a command has the type "stdio", or none.');
    const args: unknown = entry['args'] ?? [];
    if (!Array.isArray(args)) return fail('"args" must be a list.');
    const cwd = text('cwd');
    const envFile = text('envFile');
    const own = { ...(envFile === undefined ? {} : readEnvFile(resolve(dirname(file), envFile))), ...Object.fromEntries(texts('env')) };
    return {
      kind: 'stdio',
      name,
      command,
      args: args.map((one: unknown, index) => (typeof one === 'string' || typeof one === 'number' ? put(String(one), `args[${index}]`) : fail(`args[${index}] must be text.`))),
      env: own,
      ...(cwd === undefined ? {} : { cwd }),
      secrets: [...secrets, ...Object.values(own)],
      ...hintsFile,
    };
  }
  if (url === undefined) return fail('has neither "command" nor "url".', 'A stdio server has a "command", a remote one a "url".');
  const kinds: Record<string, 'http' | 'sse'> = { http: 'http', 'streamable-http': 'http', streamableHttp: 'http', sse: 'sse' };
  const kind = type === undefined ? 'auto' : kinds[type];
  if (kind === undefined) return fail(`the type "${type}" is unknown.`, 'Types are stdio, http and sse.');
  const headers = texts('headers');
  return { kind, name, url, headers, secrets: [...secrets, ...headers.map(([, value]) => value)], ...hintsFile };
}

/** What an entry says to mcpc alone: `"mcpc": { "hints": "hints.yaml" }`, relative to the file. */
function hintsOf({ mcpc }: Json, file: string, fail: (what: string, remedy?: string) => never): { hintsFile?: string } {
  if (mcpc === undefined) return {};
  if (!isObject(mcpc)) return fail('"mcpc" must be an object.');
  const stray = Object.keys(mcpc).find((name) => name !== 'hints');
  if (stray !== undefined) return fail(`"mcpc" has an unknown member "${stray}".`, 'Known is "hints", the path of a file of hints.');
  if (mcpc['hints'] === undefined) return {};
  if (typeof mcpc['hints'] !== 'string') return fail('mcpc.hints must be the path of a file.');
  return { hintsFile: resolve(dirname(file), mcpc['hints']) };
}

interface Surroundings {
  file: string;
  env: NodeJS.ProcessEnv;
  fail(what: string, remedy?: string): never;
  secrets: string[];
}

/** Puts in `${VAR}`, `${VAR:-default}`, `${env:VAR}` and the places that VS Code and Cursor name. */
function substitute(text: string, place: string, around: Surroundings): string {
  return text.replace(/\$\{([^}]*)\}/g, (whole, inside: string) => {
    const known = places(around.file)[inside];
    if (known !== undefined) return known;
    if (inside.startsWith('input:')) {
      return around.fail(`${place} asks for ${whole}, which only an editor can ask its user for.`, `Put \${env:NAME} there instead, and set NAME.`);
    }
    const match = /^(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-(.*))?$/s.exec(inside);
    if (!match) return around.fail(`${place} has ${whole}, which is no variable that mcpc knows.`, 'Known are ${VAR}, ${VAR:-default}, ${env:VAR}, ${workspaceFolder} and ${userHome}.');
    const [, variable = '', fallback] = match;
    const set = around.env[variable];
    // As in a shell, a default also stands in for a variable that is set but empty.
    const value = fallback !== undefined && (set === undefined || set === '') ? fallback : set;
    if (value === undefined) return around.fail(`${place} needs the environment variable ${variable}, which is not set.`, `Set it, or give a default: \${${variable}:-default}.`);
    if (isSecretVariable(variable)) around.secrets.push(value);
    return value;
  });
}

function places(file: string): Record<string, string> {
  const folder = dirname(resolve(file));
  const workspace = /^\.(?:vscode|cursor)$/.test(basename(folder)) ? dirname(folder) : folder;
  return { workspaceFolder: workspace, workspaceFolderBasename: basename(workspace), userHome: homedir(), pathSeparator: sep, '/': sep };
}

/** The file that is taken when a server is named without one. */
export function defaultConfigFile(cwd: string): string | undefined {
  return ['.mcp.json', '.vscode/mcp.json', '.cursor/mcp.json'].map((one) => resolve(cwd, one)).find((one) => existsSync(one));
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
