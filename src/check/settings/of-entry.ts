/** Settings of an entry: variables put in, values to redact, options of a check, and the form for readers. Pure. */
import { placeInFile, setIn } from './layers.ts';
import { rows, type Row } from './table.ts';
import type { EntrySettings, ListedSettings, SettingOptions } from './types.ts';

type Loose = Record<string, unknown>;

/** The object that holds the setting, and its name there; undefined for settings without a place in entries. */
function placeIn<T extends object>(whole: T, name: string, { entry }: Row): [holder: Loose, name: string] | undefined {
  if (entry === false) return undefined;
  const holder = entry?.in === undefined ? whole : (whole as Loose)[entry.in];
  return holder === undefined ? undefined : [holder as Loose, entry?.name ?? name];
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
    const [holder, own] = placeIn(filled, name, row) ?? [{}, name];
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
    const [holder, own] = placeIn(filled, name, row) ?? [{}, name];
    const value = holder[own];
    return value === undefined || row.secrets === undefined ? [] : row.secrets(value as never);
  });
}

/** The settings that a check takes as its options. */
export function optionsIn(entry: EntrySettings): SettingOptions {
  return Object.fromEntries(
    rows.flatMap(([name, { option }]) => (option === true ? [[name, (entry as Loose)[name]]] : [])),
  ) as unknown as SettingOptions;
}

/** The settings that `fleet list` prints; of environments and headers the names alone. */
export function listed(entry: EntrySettings): ListedSettings {
  const shown: Loose = { timeouts: {} };
  for (const [name, row] of rows) {
    const [holder, own] = placeIn(entry, name, row) ?? [{}, name];
    const value = holder[own];
    if (row.list === undefined || value === undefined) continue;
    setIn(shown, name, row, row.list === true ? value : row.list(value as never));
  }
  return shown as ListedSettings;
}
