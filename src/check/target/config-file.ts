/** A server from a file that an MCP client keeps, ready to be started or reached. It starts nothing. */
import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { placesOf, putVariables } from '../../files/config/variables.ts';
import { usageError } from '../../core/model/errors.ts';
import { readServers, type ListedFile } from './clients/listed.ts';
import { failing, readServerEntry, type RawServer } from './clients/read-entry.ts';
import { clientTools } from './clients/tools.ts';
import { readEnvFile } from './env-file.ts';

/** A server with its variables put in, and what its file of variables holds. */
export type ConfiguredServer = {
  name: string;
  /** Values that came from secrets: environment, headers, variables named like one. */
  secrets: string[];
  hintsFile?: string;
} & (
  | { kind: 'stdio'; command: string; args: string[]; env: Record<string, string>; cwd?: string }
  | { kind: 'http' | 'sse' | 'auto'; url: string; headers: [string, string][]; unixSocket?: string }
);

/**
 * The server called `name`, or the only one when no name is given.
 * @param env source of variables
 * @param cwd replaces the workspace in a file of the user
 * @throws McpcError usage, naming file and server
 */
export function readConfiguredServer(
  file: string,
  name: string | undefined,
  env: NodeJS.ProcessEnv,
  cwd = process.cwd(),
): ConfiguredServer {
  const listed = readServers(file, { env, platform: process.platform });
  const { servers } = listed;
  const known = `Servers in ${file}: ${servers.map((one) => one.name).join(', ') || 'none'}.`;
  // A disabled server is only selected by name.
  const usable = name === undefined && servers.length > 1 ? servers.filter(({ off }) => !off) : servers;
  if (name === undefined && usable.length !== 1)
    throw usageError(
      `${file} has ${servers.length} servers.`,
      servers.length === 0 ? known : `Name one with --server. ${known}`,
    );
  const chosen = name === undefined ? usable[0] : servers.find((one) => one.name === name);
  if (chosen === undefined) throw usageError(`${file} has no server "${name}".`, known);
  return withVariables(readServerEntry(chosen, file, listed), listed, env, cwd);
}

function withVariables(raw: RawServer, listed: ListedFile, env: NodeJS.ProcessEnv, cwd: string): ConfiguredServer {
  const { file, workspace = cwd } = listed;
  const secrets: string[] = [];
  const places = { ...placesOf(workspace, env), ...listed.places };
  const around = { env, places, secrets, fail: failing(file, raw.name) };
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
      ...(raw.unixSocket === undefined ? {} : { unixSocket: put(raw.unixSocket, 'url') }),
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

/** The file that is taken when a server is named without one. */
export function defaultConfigFile(cwd: string): string | undefined {
  return clientTools
    .flatMap(({ project = [] }) => project)
    .filter((path) => /^\.(?:mcp|vscode\/mcp|cursor\/mcp)\.json$/.test(path))
    .map((one) => resolve(cwd, one))
    .find((one) => existsSync(one));
}
