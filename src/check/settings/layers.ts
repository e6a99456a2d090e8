/** Layers of settings: how one is read, how they are joined, and what they come to for one server. Pure. */
import type { Row } from './row.ts';
import { rows } from './table.ts';
import type { EntrySettings, FileSettings, Settings } from './types.ts';

type Loose = Record<string, unknown>;

/** Path of its property in a file. */
export function placeInFile(name: string, { file }: Row): string[] {
  return file === undefined ? [name] : [file.in, file.name];
}

/**
 * @param pathOf makes a path absolute
 * @param fail for a value that fits the schema and still is none; `member` is its path, joined by dots
 */
export function readSettings(
  written: FileSettings,
  pathOf: (text: string) => string,
  fail: (member: string, what: string) => never,
): Settings {
  const layer: Loose = {};
  for (const [name, row] of rows) {
    const place = placeInFile(name, row);
    const value = place.reduce<unknown>((whole, key) => (whole as Loose | undefined)?.[key], written);
    if (value === undefined) continue;
    layer[name] = row.kind.read(value, { pathOf, fail: (what) => fail(place.join('.'), what) });
  }
  return layer as Settings;
}

/** One layer in place of several, of which later ones take precedence. */
export function mergeSettings(layers: readonly Settings[]): Settings {
  const merged: Loose = {};
  for (const [name, { kind, droppedBy }] of rows)
    for (const layer of layers as readonly Loose[]) {
      if (droppedBy !== undefined && layer[droppedBy] !== undefined) delete merged[name];
      const value = layer[name];
      if (value !== undefined) merged[name] = kind.join === undefined ? value : kind.join(merged[name], value);
    }
  return merged as Settings;
}

/** Sets it where entries have it. */
export function setIn(whole: Loose, name: string, { entry }: Row, value: unknown): void {
  if (entry === false) return;
  if (entry?.in === undefined) whole[entry?.name ?? name] = value;
  else whole[entry.in] = { ...(whole[entry.in] as Loose | undefined), [entry.name ?? name]: value };
}

/** Properties of a server that decide which settings have a meaning for it. */
export interface ServerKind {
  /** mcpc starts it. */
  started: boolean;
  /** It has an address. */
  addressed: boolean;
  /** The path with the id of the server put in; undefined for a file that the server does not have. */
  own(path: string): string | undefined;
}

/** Settings of the entry of one server: those that have a meaning for it. */
export function entrySettings(merged: Settings, server: ServerKind): EntrySettings {
  const settings: Loose = { timeouts: {} };
  for (const [name, row] of rows) {
    const { kind, servers, entry, usual } = row;
    if (entry === false) continue;
    const given = servers === undefined || servers === 'packages' || server[servers] ? merged[name] : undefined;
    const own = given === undefined || kind.ofServer === undefined ? given : kind.ofServer(given, server.own);
    const value = own === undefined ? structuredClone(usual) : own;
    if (value !== undefined) setIn(settings, name, row, value);
  }
  return settings as EntrySettings;
}
