/** Settings of a server in a fleet file, except for its connection, and how layers of them are merged. Pure. */
import { durationOf } from '../../core/model/duration.ts';
import type { FleetEntry, FleetLogin, FleetNetwork } from '../../core/model/reports/fleet.ts';
import type { EntrySpec } from './entry-revisions.ts';

/** As written in the file, where it fits the schema. */
export interface FileSettings extends FleetNetwork {
  env?: Record<string, string | number | boolean>;
  envFile?: string;
  headers?: Record<string, string | number | boolean>;
  oauth?: FleetLogin;
  cwd?: string;
  transport?: 'stdio' | 'http' | 'streamable-http' | 'sse';
  spec?: EntrySpec;
  timeouts?: { request?: number | string; start?: number | string; check?: number | string };
  tags?: string[];
  owner?: string;
  hints?: string;
  baseline?: string;
  suites?: string[];
  fixture?: string;
  grade?: string;
  allowDestructive?: boolean;
  allowTools?: string[];
  denyTools?: string[];
  maxRate?: number;
  allowScripts?: boolean;
}

/** One layer: texts are texts, times are milliseconds, paths absolute unless they begin with a variable. */
export type Settings = Partial<
  Pick<
    FleetEntry,
    | 'env'
    | 'envFile'
    | 'headers'
    | 'oauth'
    | 'network'
    | 'cwd'
    | 'transport'
    | 'timeouts'
    | 'tags'
    | 'owner'
    | 'hints'
    | 'baseline'
    | 'suites'
    | 'fixture'
    | 'expectedGrade'
    | 'allowDestructive'
    | 'allowTools'
    | 'denyTools'
    | 'maxRate'
  >
> & {
  allowScripts?: boolean;
  spec?: EntrySpec;
};

/**
 * @param pathOf makes a path absolute
 * @param fail for a value that fits the schema and still is none
 */
export function readSettings(
  written: FileSettings,
  pathOf: (text: string) => string,
  fail: (member: string, what: string) => never,
): Settings {
  const {
    env,
    headers,
    transport,
    timeouts,
    grade,
    envFile,
    cwd,
    hints,
    baseline,
    suites,
    fixture,
    spec,
    tags,
    owner,
    allowDestructive,
    allowTools,
    denyTools,
    allowScripts,
    maxRate,
    oauth,
  } = written;
  const path = (member: string, text: string | undefined): Settings =>
    text === undefined ? {} : { [member]: isVariable(text) ? text : pathOf(text) };
  return {
    ...present({
      spec,
      tags,
      owner,
      allowDestructive,
      allowTools,
      denyTools,
      allowScripts,
      maxRate,
      oauth,
      expectedGrade: grade,
    }),
    ...(env === undefined ? {} : { env: texts(env) }),
    ...(headers === undefined ? {} : { headers: texts(headers) }),
    ...(transport === undefined ? {} : { transport: transport === 'streamable-http' ? ('http' as const) : transport }),
    ...(timeouts === undefined ? {} : { timeouts: timesOf(timeouts, fail) }),
    ...networkIn(written, (text) => (isVariable(text) ? text : pathOf(text))),
    ...path('envFile', envFile),
    ...path('cwd', cwd),
    ...path('hints', hints),
    ...path('baseline', baseline),
    ...path('fixture', fixture),
    ...(suites === undefined ? {} : { suites: suites.map((text) => (isVariable(text) ? text : pathOf(text))) }),
  };
}

function networkIn(
  { ca, cert, key, keyPassphrase, unixSocket, insecure, noProxy }: FileSettings,
  pathOf: (text: string) => string,
): Settings {
  const path = (text: string | undefined): string | undefined => (text === undefined ? undefined : pathOf(text));
  const network = present<FleetNetwork>({
    ca: path(ca),
    cert: path(cert),
    key: path(key),
    unixSocket: path(unixSocket),
    keyPassphrase,
    insecure,
    noProxy,
  });
  return Object.keys(network).length === 0 ? {} : { network };
}

/** A path that only its variables can complete. */
export function isVariable(text: string): boolean {
  return text.startsWith('${');
}

function texts(values: Record<string, string | number | boolean>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
}

function timesOf(
  timeouts: NonNullable<FileSettings['timeouts']>,
  fail: (member: string, what: string) => never,
): FleetEntry['timeouts'] {
  const time = (member: 'request' | 'start' | 'check'): number | undefined => {
    const value = timeouts[member];
    if (typeof value !== 'string') return value;
    return durationOf(value) ?? fail(`timeouts.${member}`, `"${value}" is longer or shorter than a time can be`);
  };
  return present({ requestMs: time('request'), startMs: time('start'), checkMs: time('check') });
}

/** Later layers go before earlier ones; environments, headers, times, tags and lists of tools are joined. */
export function mergeSettings(layers: readonly Settings[]): Settings {
  const merged: Settings = Object.assign({}, ...layers) as Settings;
  const headers = new Map<string, [string, string]>();
  for (const layer of layers)
    for (const [name, value] of Object.entries(layer.headers ?? {})) headers.set(name.toLowerCase(), [name, value]);
  const joined = (member: 'allowTools' | 'denyTools'): Settings => {
    const all = [...new Set(layers.flatMap((layer) => layer[member] ?? []))];
    return all.length === 0 ? {} : { [member]: all };
  };
  return {
    ...merged,
    ...joined('allowTools'),
    ...joined('denyTools'),
    env: Object.assign({}, ...layers.map(({ env }) => env)) as Record<string, string>,
    headers: Object.fromEntries(headers.values()),
    ...joinedNetwork(layers),
    timeouts: Object.assign({}, ...layers.map(({ timeouts }) => timeouts)) as FleetEntry['timeouts'],
    tags: [...new Set(layers.flatMap(({ tags }) => tags ?? []))],
  };
}

/** A certificate needs its own key: a layer that names a certificate also names its key. */
function joinedNetwork(layers: readonly Settings[]): Settings {
  const all = layers.flatMap(({ network }) => (network === undefined ? [] : [network]));
  if (all.length === 0) return {};
  const network = all.reduce((before, next) => {
    const { key: _key, keyPassphrase: _passphrase, ...rest } = before;
    return { ...(next.cert === undefined ? before : rest), ...next };
  });
  return { network };
}

/** Without the members that are undefined. */
export function present<T extends object>(value: { [K in keyof T]: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as T;
}
