/** Settings of an entry: variables put in, values to redact, options of a check, and the form for readers. Pure. */
import { flagWords } from './kinds.ts';
import { placeInFile, setIn } from './layers.ts';
import type { Row } from './row.ts';
import { rows } from './table.ts';
import type { EntrySettings, ListedSettings, SettingOptions, Settings } from './types.ts';

type Loose = Record<string, unknown>;

/** The object that holds the setting, and its name there; an empty one where entries have no place for it. */
function placeIn(whole: object, name: string, { entry }: Row): [holder: Loose, name: string] {
  if (entry === false) return [{}, name];
  const holder = entry?.in === undefined ? whole : (whole as Loose)[entry.in];
  return [(holder ?? {}) as Loose, entry?.name ?? name];
}

/**
 * A copy of the settings with `put` applied to every text that may hold variables, and with absolute paths.
 * @param put gets the place of a text as a file names it
 * @param folder start of paths that begin with a variable
 */
export function fillSettings<T extends EntrySettings>(
  entry: T,
  folder: string,
  put: (text: string, place: string) => string,
): T {
  const filled: T = structuredClone(entry);
  for (const [name, row] of rows) {
    const [holder, own] = placeIn(filled, name, row);
    if (holder[own] === undefined || row.kind.fill === undefined) continue;
    const place = placeInFile(name, row).join('.');
    holder[own] = row.kind.fill(holder[own], {
      folder,
      put: (text, inside) => put(text, inside === undefined ? place : `${place}.${inside}`),
    });
  }
  return filled;
}

/** Values that reach no trace and no report. @param filled settings with variables put in */
export function secretsIn(filled: EntrySettings): string[] {
  return rows.flatMap(([name, row]) => {
    const [holder, own] = placeIn(filled, name, row);
    const value = holder[own];
    return value === undefined || row.secrets === undefined ? [] : row.secrets(value as never);
  });
}

/** Those of the settings that a check takes as its options. */
export function optionsIn<T extends object>(settings: T): Pick<T, keyof T & keyof SettingOptions> {
  return Object.fromEntries(
    rows.flatMap(([name, { option }]) => {
      const value = (settings as Loose)[name];
      return option === true && value !== undefined ? [[name, value]] : [];
    }),
  ) as Pick<T, keyof T & keyof SettingOptions>;
}

/** The entry with other settings in place of its own. */
export function withSettings<T extends EntrySettings>(entry: T, settings: Settings): T {
  const changed = { ...entry };
  for (const [name, row] of rows) {
    const value = (settings as Loose)[name];
    if (value !== undefined) setIn(changed, name, row, value);
  }
  return changed;
}

/** A setting as words of a command line. */
export interface LineFlag {
  flag: string;
  line: NonNullable<Row['line']>;
  /** `--flag=value`, one for each value; none where it is not set. */
  words: string[];
}

/** Flags that say what the settings of a project file do. @param near a path as people write it */
export function lineFlags(entry: EntrySettings, near: (path: string) => string): LineFlag[] {
  return rows.flatMap(([name, row]) => {
    const { flags, line, kind } = row;
    const [holder, own] = placeIn(entry, name, row);
    if (flags === undefined || line === undefined) return [];
    return [{ flag: flags.name, line, words: flagWords(kind, flags.name, holder[own], near) }];
  });
}

/** The settings that `fleet list` prints; of environments and headers the names alone. */
export function listed(entry: EntrySettings): ListedSettings {
  const shown: Loose = { timeouts: {} };
  for (const [name, row] of rows) {
    const [holder, own] = placeIn(entry, name, row);
    const value = holder[own];
    if (row.list === undefined || value === undefined) continue;
    setIn(shown, name, row, row.list === true ? value : row.list(value as never));
  }
  return shown as ListedSettings;
}
