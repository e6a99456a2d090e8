/** Targets for programs, and their data for a check. */
import { parseArgsStringToArgv } from 'string-argv';
import { resolveTarget, type ResolvedTarget } from '../../check/target/resolve-target.ts';
import { usageError } from '../../core/model/errors.ts';
import type { ServeInMemory } from '../../client/transport/process/memory-server.ts';
import { isServerObject, serveFactory, serveObject, type ServerFactory, type ServerObject } from './server-object.ts';

/** A server that mcpc starts and talks to on stdio. */
export interface CommandTarget {
  /** A command line with the quoting of a POSIX shell, or its words; no shell is started. */
  command: string | readonly string[];
  cwd?: string;
  /** Added to the environment of this process. */
  env?: Readonly<Record<string, string>>;
}

/** A server that is reached over HTTP. */
export interface UrlTarget {
  url: string;
  /** Streamable HTTP, then HTTP+SSE, when absent. */
  transport?: 'http' | 'sse';
  headers?: Readonly<Record<string, string>>;
  /** Access token, sent as a bearer token. */
  token?: string;
  /** Command that starts the server; `{{port}}` in it, in `env` and in `url` becomes a free port. */
  serve?: string;
  cwd?: string;
  env?: Readonly<Record<string, string>>;
}

/** A server of a configuration of an MCP client, such as .mcp.json. */
export interface ConfiguredTarget {
  config: string;
  /** Name of the server there; the only one when absent. */
  server?: string;
}

/** A target: an address, a command line, its words, an object that says more, or a server in this process. */
export type TargetOption =
  | string
  | readonly string[]
  | CommandTarget
  | UrlTarget
  | ConfiguredTarget
  | ServerObject
  | ServerFactory;

/** @throws McpcError usage for a target that names nothing, or two things */
export async function targetOf(option: TargetOption, name?: string): Promise<ResolvedTarget> {
  if (typeof option === 'function') return inProcess(serveFactory(option), name ?? (option.name || 'server'));
  if (isServerObject(option)) return inProcess(serveObject(option), name ?? 'server');
  const flags = { command: [], headers: [], env: [], envFiles: [], ...(name === undefined ? {} : { name }) };
  if (typeof option === 'string')
    return /^(?:https?|unix):/i.test(option)
      ? resolveTarget({ ...flags, url: option }, process.env)
      : resolveTarget({ ...flags, command: wordsOf(option) }, process.env);
  if (isWords(option)) return resolveTarget({ ...flags, command: [...option] }, process.env);
  if ('command' in option)
    return resolveTarget({ ...flags, command: wordsOf(option.command), ...processFlags(option) }, process.env);
  if ('url' in option) {
    const { url, transport, headers = {}, token, serve } = option;
    return resolveTarget(
      {
        ...flags,
        ...processFlags(option),
        url,
        headers: Object.entries(headers).map(([header, value]) => `${header}: ${value}`),
        ...(transport === undefined ? {} : { transport }),
        ...(token === undefined ? {} : { token }),
        ...(serve === undefined ? {} : { serve }),
      },
      process.env,
    );
  }
  if ('config' in option)
    return resolveTarget(
      { ...flags, config: option.config, ...(option.server === undefined ? {} : { server: option.server }) },
      process.env,
    );
  throw usageError(
    'The target names no server.',
    'Give an address, a command, { config, server }, a server object, or a function that makes one.',
  );
}

/** True if several connections at a time are possible. */
export function isOneObject(option: TargetOption): boolean {
  return typeof option !== 'function' && isServerObject(option);
}

/** @throws McpcError usage for a server object where each connection needs a server of its own */
export function refuseOneObject(option: TargetOption, what: string): void {
  if (isOneObject(option))
    throw usageError(
      `${what} opens several connections, and a server object takes one at a time.`,
      'Give a function that makes a server: () => createServer().',
    );
}

function isWords(option: Exclude<TargetOption, string>): option is readonly string[] {
  return Array.isArray(option);
}

function wordsOf(command: string | readonly string[]): string[] {
  return typeof command === 'string' ? parseArgsStringToArgv(command) : [...command];
}

function processFlags({ cwd, env = {} }: Pick<CommandTarget, 'cwd' | 'env'>): { cwd?: string; env: string[] } {
  return {
    ...(cwd === undefined ? {} : { cwd }),
    env: Object.entries(env).map(([variable, value]) => `${variable}=${value}`),
  };
}

function inProcess(serve: ServeInMemory, name: string): ResolvedTarget {
  return { target: { kind: 'stdio', command: name, args: [], env: {}, serve }, name, fallback: false, secrets: [] };
}
