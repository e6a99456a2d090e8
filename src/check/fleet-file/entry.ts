/** From an entry of a fleet to what a check needs: variables put in, packages installed, files of hints read. */
import { resolve } from 'node:path';
import type { CheckOptions } from '../check-options.ts';
import { putVariables } from '../../files/config/variables.ts';
import { McpcError, usageError } from '../../core/model/errors.ts';
import type { FleetReach } from '../../core/model/reports/fleet.ts';
import type { FleetEntry } from '../settings/fleet-entry.ts';
import { fillSettings, optionsIn, secretsIn } from '../settings/of-entry.ts';
import type { SettingOptions } from '../settings/types.ts';
import { defaultNpmCache, installedPackage } from '../packages/cache.ts';
import { npmProgram } from '../packages/program.ts';
import { checkedUrl, reachedAt } from '../../client/transport/network/address.ts';
import { plain } from '../target/resolve-target.ts';
import { readEnvFile } from '../target/env-file.ts';
import { readHints } from '../target/hints-file.ts';
import { resolveNetwork } from '../target/network.ts';
import { planServe } from '../target/serve-command.ts';

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
  'target' | 'name' | 'serve' | 'fallback' | 'secrets' | 'spec' | 'timing' | 'hints' | 'login' | keyof SettingOptions
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
    throw placedError(entry, error);
  }
}

/** The error with the place and name of the entry before its message. */
function placedError(entry: FleetEntry, error: unknown): unknown {
  if (!(error instanceof McpcError) || error.message.startsWith(startOf(entry))) return error;
  return new McpcError(error.stage, `${startOf(entry)}${error.message}`, { remedy: error.remedy, cause: error });
}

async function opened(entry: FleetEntry, options: OpenEntryOptions): Promise<OpenedEntry> {
  const { env } = options;
  if (entry.client !== undefined || entry.reach.kind === 'driver')
    throw usageError('it is a client, and not a server.', 'Check it with "mcpc fleet check" or "mcpc client".');
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
    ...optionsIn(entry),
    checkMs: entry.timeouts.checkMs ?? usualCheckMs,
    baselineFile: baseline,
    suites: own.suites,
    fixture: own.fixture,
    ...(hints === undefined ? {} : { hints: readHints(hints) }),
    ...(own.oauth === undefined ? {} : { login: { flow: 'client-credentials' as const, ...own.oauth } }),
  };
  const kind = entry.transport === 'sse' ? 'sse' : 'http';
  const fallback = entry.transport === undefined && own.reach.url !== undefined;
  if (own.reach.kind === 'url') return { ...known, ...reached(kind, checkedUrl(own.reach.url), own, env), fallback };
  const words = await startWords(own.reach, options);
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
  { headers, network = {}, secrets }: FilledEntry,
  env: NodeJS.ProcessEnv,
): Pick<OpenedEntry, 'target' | 'secrets'> {
  const way = resolveNetwork(network, url, env);
  return {
    target: { kind, ...reachedAt(url, Object.entries(headers)), ...way.options },
    secrets: [...secrets, ...way.secrets],
  };
}

/** A client of a fleet, ready to be checked. */
export interface OpenedClient {
  /** The words that start it, or the path of its driver file. */
  words: string[];
  driver?: string;
  cwd: string | undefined;
  env: Record<string, string>;
  secrets: string[];
  spec: FleetEntry['spec'];
  startMs: number | undefined;
  checkMs: number;
  baselineFile: string | undefined;
}

/** Installs what has to be installed, and starts nothing. @throws McpcError as openEntry */
export async function openClientEntry(entry: FleetEntry, options: OpenEntryOptions): Promise<OpenedClient> {
  try {
    const own = filledIn(entry, options.env);
    return {
      words: own.reach.kind === 'driver' ? [] : await startWords(own.reach, options),
      ...(own.reach.kind === 'driver' ? { driver: own.reach.driver } : {}),
      cwd: own.cwd,
      env: own.env,
      secrets: own.secrets,
      spec: entry.spec,
      startMs: entry.timeouts.startMs,
      checkMs: entry.timeouts.checkMs ?? usualCheckMs,
      baselineFile: own.baseline,
    };
  } catch (error) {
    throw placedError(entry, error);
  }
}

/** The words that start a program or a package; none for a driver. */
async function startWords(reach: FleetReach, options: OpenEntryOptions): Promise<string[]> {
  if (reach.kind === 'command') return [reach.command, ...reach.args];
  return reach.kind === 'npm' ? packageWords(reach, options) : [];
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

/** The entry with its variables put in, and values to redact. */
type FilledEntry = FleetEntry & { secrets: string[] };

/**
 * Replaces variables everywhere, and reads the file of the environment.
 * @throws McpcError usage for an unset variable
 */
function filledIn(entry: FleetEntry, env: NodeJS.ProcessEnv): FilledEntry {
  const secrets: string[] = [];
  const around = { env, places: {}, secrets, fail: failing(entry) };
  const put = (text: string, place: string): string => putVariables(text, place, around);
  const filled = fillSettings(entry, entry.folder, put);
  const { envFile, headers } = filled;
  if (envFile !== undefined) filled.env = { ...readEnvFile(envFile), ...filled.env };
  for (const [name, value] of Object.entries(headers)) {
    if (/[\r\n\0]/.test(value))
      around.fail(`headers.${name} holds a line break, which no header can carry.`, 'See what its variables hold.');
  }
  return { ...filled, reach: filledReach(entry.reach, put), secrets: [...secrets, ...secretsIn(filled)] };
}

function filledReach(reach: FleetReach, put: (text: string, place: string) => string): FleetReach {
  if (reach.kind === 'url') return { kind: 'url', url: put(reach.url, 'url') };
  if (reach.kind === 'driver') return { ...reach, driver: put(reach.driver, 'client.driver') };
  const program =
    reach.kind === 'command' ? { command: put(reach.command, 'command') } : { spec: put(reach.spec, 'npm') };
  const args = reach.args.map((word, index) => put(word, `args.${index}`));
  const url = reach.url === undefined ? {} : { url: put(reach.url, 'url') };
  return { ...reach, ...program, args, ...url };
}

/** Missing parts of the environment of an entry; a sentence each. */
export function missingVariables(entry: FleetEntry, env: NodeJS.ProcessEnv): string[] {
  const missing: string[] = [];
  const put = (text: string, place: string): string => {
    try {
      return putVariables(text, place, { env, places: {}, secrets: [], fail: failing(entry) });
    } catch (error) {
      missing.push((error as Error).message);
      return text;
    }
  };
  filledReach(entry.reach, put);
  fillSettings(entry, entry.folder, put);
  return missing;
}

function startOf({ from, name }: FleetEntry): string {
  return `${from}: server "${name}": `;
}

function failing(entry: FleetEntry): (what: string, remedy?: string) => never {
  return (what, remedy) => {
    throw usageError(`${startOf(entry)}${what}`, remedy);
  };
}
