/**
 * From what a user said about a target (a command, an address, a configuration, a server to start) to the target
 * of a check. It reads files that were named; it starts and reaches nothing.
 */
import { basename } from 'node:path';
import type { ServeOptions } from './serve-options.ts';
import { usageError } from '../../core/model/errors.ts';
import type { FleetEntry } from '../settings/fleet-entry.ts';
import type { HttpTarget, Target } from '../../client/target/target.ts';
import { inputPrefix } from '../../files/config/variables.ts';
import { createRedactor } from '../../core/trace/redaction/redact.ts';
import { checkedUrl, hasCredentials, reachedAt, socketAddress } from '../../client/transport/network/address.ts';
import { defaultConfigFile, readConfiguredServer, type ConfiguredServer } from './config-file.ts';
import { parseEnvPair, readEnvFile } from './env-file.ts';
import { resolveNetwork, type ResolvedNetwork, type NetworkFlags } from './network.ts';
import { planServe } from './serve-command.ts';

export interface TargetFlags extends NetworkFlags {
  /** The words after `--`, or in place of it. */
  command: string[];
  url?: string;
  transport?: 'stdio' | 'http' | 'sse';
  /** `Name: value` */
  headers: string[];
  /** Access token, sent as a bearer token. */
  token?: string;
  /** Origins of authorization servers that may be asked wherever they are. */
  authServers?: string[];
  serve?: string;
  config?: string;
  server?: string;
  cwd?: string;
  /** NAME=VALUE */
  env: string[];
  envFiles: string[];
  name?: string;
}

/** Inputs of a check about its target. */
export interface ResolvedTarget {
  target: Target;
  /** Name of the target in reports. */
  name: string;
  serve?: ServeOptions;
  /** An address that does not speak Streamable HTTP may turn out to speak HTTP+SSE. */
  fallback: boolean;
  /** Values that never reach disk or a report. */
  secrets: string[];
  /** Path of a file of hints that the configuration names. */
  hintsFile?: string;
  /** Warnings for the user before any connection. */
  notices?: string[];
  /** What the project file that names the target disables. */
  disabled?: FleetEntry['disabled'];
}

/** @throws McpcError usage when there is no target, more than one, or a part that does not fit it */
export async function resolveTarget(flags: TargetFlags, env: NodeJS.ProcessEnv): Promise<ResolvedTarget> {
  const ways = [
    flags.command.length > 0 ? 'a command' : '',
    flags.url === undefined ? '' : '--url',
    flags.config === undefined && flags.server === undefined ? '' : '--config',
  ].filter((way) => way !== '');
  if (ways.length === 0) {
    if (flags.serve !== undefined)
      throw usageError('--serve needs the address of its endpoint.', 'Add --url "http://127.0.0.1:{{port}}/mcp".');
    throw usageError(
      'No target is named.',
      'Give a command (-- node server.js), an address (--url http://127.0.0.1:3000/mcp) or a configuration (--config .mcp.json --server NAME).',
    );
  }
  if (ways.length > 1) throw usageError(`The target is named twice: ${ways.join(' and ')}.`, 'Name it once.');
  const given = givenEnv(flags);
  if (flags.command.length > 0) return fromCommand(flags, flags.command, {}, given, env);
  if (flags.url !== undefined) return fromUrl(flags, flags.url, given, env);
  return fromConfig(flags, given, env);
}

interface GivenEnv {
  values: Record<string, string>;
  secrets: string[];
}

function givenEnv(flags: TargetFlags): GivenEnv {
  const values: Record<string, string> = {};
  for (const file of flags.envFiles) Object.assign(values, readEnvFile(file));
  for (const pair of flags.env) {
    const [name, value] = parseEnvPair(pair);
    values[name] = value;
  }
  // The placeholder of a port hides nothing, and masking it would garble what a server prints.
  return { values, secrets: Object.values(values).filter((value) => value !== '{{port}}') };
}

function fromCommand(
  flags: TargetFlags,
  words: string[],
  own: Record<string, string>,
  given: GivenEnv,
  env: NodeJS.ProcessEnv,
): ResolvedTarget {
  if (flags.transport !== undefined && flags.transport !== 'stdio') {
    throw usageError(
      `--transport ${flags.transport} needs an address, not a command.`,
      `To start a server and reach it over HTTP: --serve "${createRedactor({ commands: [words] }).text(words.join(' '))}" --url "http://127.0.0.1:{{port}}/mcp".`,
    );
  }
  refuse(flags, 'header', flags.headers.length > 0);
  refuse(flags, 'token', flags.token !== undefined);
  refuse(flags, 'auth-server', (flags.authServers ?? []).length > 0);
  refuse(flags, 'serve', flags.serve !== undefined);
  for (const [flag, present] of networkFlags(flags)) refuse(flags, flag, present);
  const [command, ...args] = words;
  const target: Target = {
    kind: 'stdio',
    command: command!,
    args,
    env: { ...plain(env), ...own, ...given.values },
    cwd: flags.cwd,
  };
  return { target, name: flags.name ?? nameOfCommand(words), fallback: false, secrets: given.secrets };
}

function networkFlags(flags: NetworkFlags): [flag: string, present: boolean][] {
  const { ca, insecure, cert, key, unixSocket, noProxy } = flags;
  return [
    ['ca', ca !== undefined],
    ['insecure', insecure === true],
    ['cert', cert !== undefined],
    ['key', key !== undefined],
    ['unix-socket', unixSocket !== undefined],
    ['no-proxy', noProxy === true],
  ];
}

function refuse(flags: TargetFlags, flag: string, present: boolean): void {
  if (present)
    throw usageError(
      `--${flag} has no meaning for a server on stdio.`,
      flags.serve === undefined
        ? 'Leave it out, or name the target with --url.'
        : 'Leave out the command behind "--": --serve has its own.',
    );
}

async function fromUrl(
  flags: TargetFlags,
  url: string,
  given: GivenEnv,
  env: NodeJS.ProcessEnv,
): Promise<ResolvedTarget> {
  if (flags.transport === 'stdio')
    throw usageError('--transport stdio needs a command, not an address.', 'As in: mcpc check -- node server.js.');
  const headers = withToken(flags.headers.map(parseHeader), flags, hasCredentials(url) ? {} : env);
  const secrets = [...given.secrets, ...headers.map(([, value]) => value)];
  const socket = socketAddress(url);
  let address = socket?.url ?? url;
  let serve: ResolvedTarget['serve'];
  if (flags.serve === undefined) {
    const idle =
      flags.env.length > 0
        ? 'env'
        : flags.envFiles.length > 0
          ? 'server-env-file'
          : flags.cwd !== undefined
            ? 'cwd'
            : undefined;
    if (idle !== undefined)
      throw usageError(
        `--${idle} has no meaning for a server that mcpc does not start.`,
        'Leave it out, or let mcpc start the server with --serve.',
      );
  } else {
    const planned = await planServe(flags.serve, url, {
      env: plain(env),
      given: given.values,
      cwd: flags.cwd,
    });
    ({ url: address, serve } = planned);
  }
  const network = resolveNetwork(
    { ...flags, unixSocket: flags.unixSocket ?? socket?.unixSocket },
    checkedUrl(address),
    env,
  );
  return {
    target: httpTarget(flags, flags.transport ?? 'http', address, { headers, network }),
    // Progress shows it before anything else is known.
    name: flags.name ?? createRedactor({ addresses: [address] }).text(nameOfUrl(url)),
    serve,
    fallback: flags.transport === undefined,
    secrets: [...secrets, ...network.secrets],
    notices: network.notices,
  };
}

function fromConfig(flags: TargetFlags, given: GivenEnv, env: NodeJS.ProcessEnv): ResolvedTarget {
  const file = flags.config ?? defaultConfigFile(process.cwd());
  if (file === undefined)
    throw usageError(
      `--server ${flags.server} needs a configuration, and there is no .mcp.json here.`,
      'Name the file with --config.',
    );
  const found: ConfiguredServer = readConfiguredServer(file, flags.server, env);
  const name = flags.name ?? found.name;
  if (found.kind === 'stdio') {
    const cwd = flags.cwd ?? found.cwd;
    const chosen = fromCommand(
      { ...flags, name, ...(cwd === undefined ? {} : { cwd }) },
      [found.command, ...found.args],
      found.env,
      given,
      env,
    );
    return {
      ...chosen,
      secrets: [...chosen.secrets, ...found.secrets],
      ...(found.hintsFile === undefined ? {} : { hintsFile: found.hintsFile }),
    };
  }
  if (flags.transport === 'stdio')
    throw usageError(`${file}: server "${found.name}" has an address, not a command.`, 'Leave out --transport stdio.');
  const asked = withToken(
    flags.headers.map(parseHeader),
    flags,
    found.headers.some(isAuthorization) || hasCredentials(found.url) ? {} : env,
  );
  const replaced = new Set(asked.map(([header]) => header.toLowerCase()));
  const headers = [...found.headers.filter(([header]) => !replaced.has(header.toLowerCase())), ...asked];
  const kind = flags.transport ?? found.kind;
  const network = resolveNetwork(
    { ...flags, unixSocket: flags.unixSocket ?? found.unixSocket },
    checkedUrl(found.url),
    env,
  );
  return {
    target: httpTarget(flags, kind === 'auto' ? 'http' : kind, found.url, { headers, network }),
    name,
    fallback: kind === 'auto',
    hintsFile: found.hintsFile,
    secrets: [...given.secrets, ...found.secrets, ...asked.map(([, value]) => value), ...network.secrets],
    notices: network.notices,
  };
}

function httpTarget(
  flags: TargetFlags,
  kind: 'http' | 'sse',
  url: string,
  { headers, network }: { headers: [string, string][]; network: ResolvedNetwork },
): HttpTarget {
  return {
    kind,
    ...reachedAt(url, headers),
    ...network.options,
    ...(flags.authServers === undefined || flags.authServers.length === 0
      ? {}
      : { authServers: flags.authServers.map(originOf) }),
  };
}

function parseHeader(text: string): [string, string] {
  const match = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+)\s*:\s*(.*?)\s*$/s.exec(text);
  if (!match || /[\r\n\0]/.test(text))
    throw usageError(
      `--header takes "Name: value", not "${text.split(':')[0]}".`,
      'For example --header "Authorization: Bearer …".',
    );
  return [match[1]!, match[2]!];
}

/** Name of the environment variable that stands in for --token. */
const tokenVariable = 'MCPC_TOKEN';

/** Whether a header carries credentials. */
export function isAuthorization([name]: [string, string]): boolean {
  return name.toLowerCase() === 'authorization';
}

/** The headers with the token, which may also come from the environment; a header given by hand goes before that one. */
function withToken(headers: [string, string][], flags: TargetFlags, env: NodeJS.ProcessEnv): [string, string][] {
  const has = headers.some(isAuthorization);
  if (has && flags.token !== undefined)
    throw usageError('Authorization is given twice: by --token and by --header.', 'Leave one of them out.');
  const token = flags.token ?? (has ? undefined : env[tokenVariable]);
  if (token === undefined || (token === '' && flags.token === undefined)) return headers;
  const named = flags.token === undefined ? tokenVariable : '--token';
  const bare = token.trim().replace(/^bearer\s+/i, '');
  if (!/^[\x21-\x7e]+$/.test(bare))
    throw usageError(
      `${named} is no token: it is empty, or holds blanks or characters that no header can carry.`,
      'Give the access token alone.',
    );
  return [...headers, ['Authorization', `Bearer ${bare}`]];
}

/** Headers and token that were given by flags or, unless the server has credentials already, by the environment. */
export function givenHeaders(flags: TargetFlags, env: NodeJS.ProcessEnv, hasOwn: boolean): [string, string][] {
  return withToken(flags.headers.map(parseHeader), flags, hasOwn ? {} : env);
}

function originOf(text: string): string {
  const { origin } = new URL(checkedUrl(text));
  return origin;
}

/** The program, or the script that an interpreter runs: its file or package name. */
function nameOfCommand(words: string[]): string {
  const interpreter =
    /^(?:node|nodejs|bun|deno|python[\d.]*|py|ruby|php|java|npx|bunx|uvx|uv|pnpm|yarn|docker|sh|bash|tsx|ts-node)(?:\.exe|\.cmd)?$/;
  if (!interpreter.test(basename(words[0]!))) return basename(words[0]!);
  const script = words.slice(1).find((word) => !word.startsWith('-') && !/^(?:run|exec|dlx|tool|x)$/.test(word));
  if (script === undefined) return basename(words[0]!);
  // A package name with a scope keeps it; a path keeps its last part.
  return script.startsWith('@') ? script : basename(script);
}

function nameOfUrl(url: string): string {
  const bare = url
    .replace(/^https?:\/\//, '')
    .replace(/^[^/@]*@/, '')
    .replace(/[?#].*$/s, '');
  return bare.replace(/:\{\{.*?\}\}/, '').replace(/\/$/, '');
}

/** An environment as a started server inherits it: without the values of inputs, which are put in where they are asked for. */
export function plain(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && !entry[0].startsWith(inputPrefix),
    ),
  );
}
