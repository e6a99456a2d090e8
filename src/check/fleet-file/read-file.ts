/** Reads a fleet file and the files that it includes. It starts and reaches nothing. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parseSchemaFile, type SchemaFile } from '../../files/config/schema-file.ts';
import { pathFrom } from '../../files/config/variables.ts';
import { usageError } from '../../core/model/errors.ts';
import type { UnreadServer } from '../../core/model/reports/fleet.ts';
import type { Fleet } from '../settings/fleet-entry.ts';
import { append } from '../../core/model/lists.ts';
import {
  clientOf,
  entriesOf,
  policiesOf,
  reachOf,
  type EntryDraft,
  type FileServer,
  type FleetFile,
} from './fleet-file.ts';
import { readSettings } from '../settings/layers.ts';
import type { Settings } from '../settings/types.ts';
import { projectSettings } from './project-settings.ts';
import { socketAddress } from '../../client/transport/network/address.ts';
import { includedServers } from './include.ts';

const remedy = 'docs/fleet.md describes the file; `mcpc fleet init` writes one to start from.';
const largest = 10_000_000;

/**
 * @param env where the home folder is looked up; variables stay in the entries
 * @throws McpcError usage, naming file, line and server of everything that is wrong
 */
export function readFleetFile(file: string, env: NodeJS.ProcessEnv = process.env): Fleet {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw usageError(
      `Cannot read the fleet file ${file}: ${(error as Error).message}`,
      'Check the path; `mcpc fleet init` writes a file to start from.',
      error,
    );
  }
  return parseFleetFile(text, file, env);
}

/**
 * @param file where the text comes from: paths in it are relative to its folder, and what it includes is read
 * @throws McpcError usage, as above
 */
export function parseFleetFile(text: string, file: string, env: NodeJS.ProcessEnv = process.env): Fleet {
  const parsed = parseSchemaFile<FleetFile>(text.replace(/^\uFEFF/, ''), {
    file,
    schema: 'fleet-file.schema.json',
    remedy,
    largest,
    nameOf,
  });
  const { value, lineOf } = parsed;
  const folder = dirname(resolve(file));
  const problems: string[] = lostDigits(parsed).map(
    ({ path, what }) => `${file}:${lineOf(path)}: ${nameOf(path.map(String))}: ${what}.`,
  );
  const layer = (settings: object, at: readonly (string | number)[]): Settings =>
    readSettings(
      settings,
      (path) => pathFrom(folder, path, env),
      (member, what) => {
        throw usageError(
          `${file}:${lineOf([...at, ...member.split('.')])}: ${nameOf([...at.map(String), member])}: ${what}.`,
          remedy,
        );
      },
    );
  const { maxPerHost: _host, ...defaults } = value.defaults ?? {};
  const general = layer(defaults, ['defaults']);
  const drafts: EntryDraft[] = Object.entries(value.servers ?? {}).map(([name, server]) => {
    const from = `${file}:${lineOf(['servers', name])}`;
    const { command: _c, args: _a, npm: _n, bin: _b, nodeArgs: _r, url: _u, client: _l, ...settings } = server;
    const socket = server.url === undefined ? undefined : socketAddress(server.url);
    return {
      name,
      from,
      folder,
      reach: placed(reachOf({ ...server, url: socket?.url ?? server.url }), folder, env),
      ...(server.client === undefined ? {} : { client: clientOf(server) }),
      layers: [
        general,
        ...(socket === undefined ? [] : [{ unixSocket: pathFrom(folder, socket.unixSocket, env) }]),
        layer(settings, ['servers', name]),
      ],
    };
  });
  const notices: string[] = [];
  const unread: UnreadServer[] = [];
  for (const [index, item] of (value.include ?? []).entries()) {
    const include = typeof item === 'string' ? { files: item } : item;
    const { files: _f, only: _o, skip: _s, prefix: _p, project: _j, ...settings } = include;
    const included = includedServers(include, { at: `${file}:${lineOf(['include', index])}`, folder, env });
    append(notices, included.notices);
    append(unread, included.unread);
    const between = layer(settings, ['include', index]);
    append(
      drafts,
      included.drafts.map((draft) => ({ ...draft, layers: [general, between, ...draft.layers] })),
    );
  }
  if (problems.length > 0) throw usageError(problems.slice(0, 8).join('\n'), remedy);
  const suites = value.suites?.map((text) => pathFrom(folder, text, env)) ?? [];
  const project = projectSettings(value, {
    pathOf: (text) => pathFrom(folder, text, env),
    from: (index) => `${file}:${lineOf(['disable', index])}`,
  });
  const disabled = { rules: project.disable, mayFailElsewhere: drafts.length > 1 };
  const entries = entriesOf(drafts, existsSync).map((entry) => ({
    ...entry,
    ...(suites.length === 0 || entry.client !== undefined
      ? {}
      : { suites: [...new Set([...suites, ...(entry.suites ?? [])])] }),
    ...(project.disable.length === 0 ? {} : { disabled }),
  }));
  return { file, entries, ...policiesOf(value), project, unread, notices };
}

function nameOf(path: readonly string[]): string {
  if (path[0] !== 'servers' || path[1] === undefined) return path.join('.');
  return `server "${path[1]}"${path.length > 2 ? `: ${path.slice(2).join('.')}` : ''}`;
}

/** A package or a driver that is a path starts at the file, wherever it is installed from. */
function placed(reach: EntryDraft['reach'], folder: string, env: NodeJS.ProcessEnv): EntryDraft['reach'] {
  if (reach.kind === 'driver') return { ...reach, driver: pathFrom(folder, reach.driver, env) };
  if (reach.kind !== 'npm' || !/^(?:file:|\.{1,2}\/|~\/|\/)/.test(reach.spec)) return reach;
  return { ...reach, spec: `file:${pathFrom(folder, reach.spec.replace(/^file:/, ''), env)}` };
}

/** Numbers that would reach the server otherwise than they were written, such as 1.10, which is 1.1. */
function lostDigits({ value, sourceOf }: SchemaFile<FleetFile>): { path: (string | number)[]; what: string }[] {
  const found: { path: (string | number)[]; what: string }[] = [];
  const look = (one: unknown, path: (string | number)[]): void => {
    if (typeof one !== 'number' && typeof one !== 'boolean') return;
    const written = sourceOf(path);
    if (written !== undefined && written !== String(one))
      found.push({ path, what: `${written} would become ${String(one)}; put it in quotes` });
  };
  const lookInto = (
    settings: Pick<FileServer, 'env' | 'headers' | 'args' | 'nodeArgs'>,
    at: (string | number)[],
  ): void => {
    for (const member of ['env', 'headers', 'args', 'nodeArgs'] as const)
      for (const [key, one] of Object.entries(settings[member] ?? {}))
        look(one, [...at, member, Array.isArray(settings[member]) ? Number(key) : key]);
  };
  lookInto(value.defaults ?? {}, ['defaults']);
  for (const [name, server] of Object.entries(value.servers ?? {})) lookInto(server, ['servers', name]);
  for (const [index, include] of (value.include ?? []).entries())
    if (typeof include === 'object') lookInto(include, ['include', index]);
  return found;
}
