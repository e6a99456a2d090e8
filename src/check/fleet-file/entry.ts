/** From an entry of a fleet to what a check needs: variables put in, packages installed, files of hints read. */
import { resolve } from 'node:path';
import type { CheckOptions } from '../check-options.ts';
import { putVariables } from '../../files/config/variables.ts';
import { McpcError, usageError } from '../../core/model/errors.ts';
import type { FleetEntry, FleetNetwork, FleetReach } from '../../core/model/reports/fleet.ts';
import { defaultNpmCache, installedPackage } from '../packages/cache.ts';
import { npmProgram } from '../packages/program.ts';
import { checkedUrl, reachedAt } from '../../client/transport/network/address.ts';
import { plain } from '../target/resolve-target.ts';
import { readEnvFile } from '../target/env-file.ts';
import { readHints } from '../target/hints-file.ts';
import { resolveNetwork } from '../target/network.ts';
import { planServe } from '../target/serve-command.ts';
import type { LoginOptions } from '../login/login-options.ts';

export interface OpenEntryOptions {
  /** Where variables are looked up, and what started servers inherit. */
  env: NodeJS.ProcessEnv;
  /** Folder of installed packages; the user's cache folder when absent (see `defaultNpmCache`). */
  cacheDir?: string;
  /** Lets every package run its install scripts. */
  allowScripts?: boolean;
  /** Ends an installation. */
  signal?: AbortSignal;
  onNotice?: (line: string) => void;
}

/** The part of a check's options that an entry decides, and what the fleet needs to know of it. */
export type OpenedEntry = Pick<
  CheckOptions,
  | 'target'
  | 'name'
  | 'serve'
  | 'fallback'
  | 'secrets'
  | 'spec'
  | 'timing'
  | 'hints'
  | 'allowDestructive'
  | 'allowTools'
  | 'denyTools'
  | 'maxRate'
  | 'login'
> & {
  /** Path of the server's baseline. */
  baselineFile?: string;
  /** Paths of its suites, and of the folder with their files. */
  suites?: string[];
  fixture?: string;
  /** Deadline of the whole check, milliseconds. */
  checkMs: number;
};

const usualCheckMs = 300_000;

/**
 * Installs what has to be installed; it starts and reaches no server. Each call takes a new free port for `{{port}}`,
 * so call it right before the check.
 * @throws McpcError usage for an unset variable, a missing file or a failed installation; interrupted when aborted.
 * Every message begins with the place and name of the entry.
 */
export async function openEntry(entry: FleetEntry, options: OpenEntryOptions): Promise<OpenedEntry> {
  try {
    return await opened(entry, options);
  } catch (error) {
    if (!(error instanceof McpcError) || error.message.startsWith(startOf(entry))) throw error;
    throw new McpcError(error.stage, `${startOf(entry)}${error.message}`, {
      remedy: error.remedy,
      cause: error,
    });
  }
}

async function opened(entry: FleetEntry, options: OpenEntryOptions): Promise<OpenedEntry> {
  const { env } = options;
  const own = filledIn(entry, env);
  const { hints, baseline } = own;
  const known = {
    name: entry.name,
    spec: entry.spec,
    timing: {
      answerMs: entry.timeouts.requestMs,
      startMs: entry.timeouts.startMs,
    },
    secrets: own.secrets,
    allowDestructive: entry.allowDestructive,
    allowTools: entry.allowTools,
    maxRate: entry.maxRate,
    denyTools: entry.denyTools,
    checkMs: entry.timeouts.checkMs ?? usualCheckMs,
    baselineFile: baseline,
    suites: own.suites,
    fixture: own.fixture,
    ...(hints === undefined ? {} : { hints: readHints(hints) }),
    ...(own.login === undefined ? {} : { login: own.login }),
  };
  const kind = entry.transport === 'sse' ? 'sse' : 'http';
  const fallback = entry.transport === undefined && own.reach.url !== undefined;
  if (own.reach.kind === 'url') return { ...known, ...reached(kind, checkedUrl(own.reach.url), own, env), fallback };
  const words =
    own.reach.kind === 'command' ? [own.reach.command, ...own.reach.args] : await packageWords(own.reach, options);
  const where = own.cwd === undefined ? {} : { cwd: own.cwd };
  if (own.reach.url === undefined) {
    const [command, ...args] = words;
    return {
      ...known,
      target: { kind: 'stdio', command: command!, args, env: { ...plain(env), ...own.env }, ...where },
      fallback,
    };
  }
  const { serve, url } = await planServe(words, own.reach.url, { env: plain(env), given: own.env, ...where });
  return { ...known, serve, ...reached(kind, checkedUrl(url), own, env), fallback };
}

function reached(
  kind: 'http' | 'sse',
  url: string,
  { headers, network, secrets }: FilledEntry,
  env: NodeJS.ProcessEnv,
): Pick<OpenedEntry, 'target' | 'secrets'> {
  const way = resolveNetwork(network, url, env);
  return {
    target: { kind, ...reachedAt(url, Object.entries(headers)), ...way.options },
    secrets: [...secrets, ...way.secrets],
  };
}

/** Installs the package. @returns the words that start it */
async function packageWords(
  reach: FleetReach & { kind: 'npm' },
  { env, cacheDir, allowScripts, signal, onNotice }: OpenEntryOptions,
): Promise<string[]> {
  const { folder } = await installedPackage(reach.spec, {
    cacheDir: cacheDir === undefined ? defaultNpmCache(env) : resolve(cacheDir),
    allowScripts: allowScripts === true || reach.allowScripts,
    env,
    signal,
    onNotice,
  });
  return [...npmProgram(folder, reach.bin, reach.nodeArgs), ...reach.args];
}

interface FilledEntry {
  reach: FleetReach;
  env: Record<string, string>;
  headers: Record<string, string>;
  network: FleetNetwork;
  login?: LoginOptions;
  cwd?: string;
  hints?: string;
  baseline?: string;
  suites?: string[];
  fixture?: string;
  /** Values to redact: variables with secret names, the environment and the headers. */
  secrets: string[];
}

/**
 * Replaces variables everywhere.
 * @throws McpcError usage for an unset variable
 */
function filledIn(entry: FleetEntry, env: NodeJS.ProcessEnv): FilledEntry {
  const secrets: string[] = [];
  const around = { env, places: {}, secrets, fail: failing(entry) };
  const put = (text: string, place: string): string => putVariables(text, place, around);
  const putAll = (texts: Record<string, string>, member: string): Record<string, string> =>
    Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, put(text, `${member}.${name}`)]));
  const path = (member: 'cwd' | 'hints' | 'baseline' | 'fixture' | 'envFile'): Record<string, string> => {
    const text = entry[member];
    return text === undefined ? {} : { [member]: resolve(entry.folder, put(text, member)) };
  };
  const { envFile } = path('envFile');
  const own = { ...(envFile === undefined ? {} : readEnvFile(envFile)), ...putAll(entry.env, 'env') };
  const headers = putAll(entry.headers, 'headers');
  for (const [name, value] of Object.entries(headers)) {
    if (/[\r\n\0]/.test(value))
      around.fail(`headers.${name} holds a line break, which no header can carry.`, 'See what its variables hold.');
  }
  const login = filledLogin(entry, put);
  // The placeholder of a port hides nothing, and masking it would garble what a server prints.
  const inEnvironment = Object.values(own).filter((value) => value !== '{{port}}');
  return {
    reach: filledReach(entry.reach, put),
    env: own,
    headers,
    network: filledNetwork(entry, put),
    ...(login === undefined ? {} : { login }),
    ...path('cwd'),
    ...path('hints'),
    ...path('baseline'),
    ...path('fixture'),
    ...(entry.suites === undefined
      ? {}
      : { suites: entry.suites.map((text, index) => resolve(entry.folder, put(text, `suites.${index}`))) }),
    secrets: [
      ...secrets,
      ...inEnvironment,
      ...Object.values(headers),
      ...(login === undefined ? [] : [login.clientSecret!]),
    ],
  };
}

function filledLogin({ oauth }: FleetEntry, put: (text: string, place: string) => string): LoginOptions | undefined {
  if (oauth === undefined) return undefined;
  const filled = Object.fromEntries(Object.entries(oauth).map(([name, text]) => [name, put(text, `oauth.${name}`)]));
  return { flow: 'client-credentials', ...filled };
}

function filledNetwork(
  { folder, network = {} }: FleetEntry,
  put: (text: string, place: string) => string,
): FleetNetwork {
  const { keyPassphrase, insecure, noProxy, ...paths } = network;
  const filled = Object.fromEntries(
    Object.entries(paths).map(([member, text]) => [member, resolve(folder, put(text, member))]),
  );
  return {
    ...filled,
    ...(insecure === undefined ? {} : { insecure }),
    ...(noProxy === undefined ? {} : { noProxy }),
    ...(keyPassphrase === undefined ? {} : { keyPassphrase: put(keyPassphrase, 'keyPassphrase') }),
  };
}

function filledReach(reach: FleetReach, put: (text: string, place: string) => string): FleetReach {
  const url = reach.url === undefined ? {} : { url: put(reach.url, 'url') };
  if (reach.kind === 'url') return { kind: 'url', url: put(reach.url, 'url') };
  const args = reach.args.map((word, index) => put(word, `args.${index}`));
  if (reach.kind === 'command') return { ...reach, command: put(reach.command, 'command'), args, ...url };
  return { ...reach, spec: put(reach.spec, 'npm'), args, ...url };
}

/** Missing parts of the environment of an entry; a sentence each. */
export function missingVariables(entry: FleetEntry, env: NodeJS.ProcessEnv): string[] {
  const { reach } = entry;
  const texts: [place: string, text: string | undefined][] = [
    ...(reach.kind === 'command'
      ? [['command', reach.command] as [string, string]]
      : reach.kind === 'npm'
        ? [['npm', reach.spec] as [string, string]]
        : []),
    ...(reach.kind === 'url' ? [] : reach.args.map((word, index): [string, string] => [`args.${index}`, word])),
    ['url', reach.url],
    ...Object.entries(entry.env).map(([name, text]): [string, string] => [`env.${name}`, text]),
    ...Object.entries(entry.headers).map(([name, text]): [string, string] => [`headers.${name}`, text]),
    ...Object.entries(entry.oauth ?? {}).map(([name, text]): [string, string] => [`oauth.${name}`, text]),
    ...(['ca', 'cert', 'key', 'keyPassphrase', 'unixSocket'] as const).map((member): [string, string | undefined] => [
      member,
      entry.network?.[member],
    ]),
    ['cwd', entry.cwd],
    ['envFile', entry.envFile],
    ['hints', entry.hints],
    ['baseline', entry.baseline],
    ['fixture', entry.fixture],
    ...(entry.suites ?? []).map((text, index): [string, string] => [`suites.${index}`, text]),
  ];
  return texts.flatMap(([place, text]) => {
    try {
      if (text !== undefined) putVariables(text, place, { env, places: {}, secrets: [], fail: failing(entry) });
      return [];
    } catch (error) {
      return [(error as Error).message];
    }
  });
}

function startOf({ from, name }: FleetEntry): string {
  return `${from}: server "${name}": `;
}

function failing(entry: FleetEntry): (what: string, remedy?: string) => never {
  return (what, remedy) => {
    throw usageError(`${startOf(entry)}${what}`, remedy);
  };
}
