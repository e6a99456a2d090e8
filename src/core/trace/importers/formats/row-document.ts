/** Rows of recorders in one document: a list of them, or an object that has one. */
import type { Captured } from '../captured.ts';
import { isExactObject, type ExactOptions } from '../exact-json.ts';
import { isExportEntry } from './inspector.ts';
import { rowEntry, rowKind, transportOf } from './rows.ts';

/** The list of a document: itself, or the member with the most objects. */
function listIn(document: unknown): unknown[] | undefined {
  if (Array.isArray(document)) return document;
  if (!isExactObject(document)) return undefined;
  if (Array.isArray(document['events'])) return document['events'];
  return Object.values(document)
    .filter((one): one is unknown[] => Array.isArray(one))
    .find((list) => list.some((row) => rowKind(row) === 'wrapped'));
}

/**
 * Content of a document's list: messages (`inspector`) or rows that wrap them.
 *
 * @returns undefined for a document without either
 */
export function rowsIn(document: unknown): 'inspector' | 'rows' | undefined {
  const list = listIn(document);
  if (list === undefined) return undefined;
  if (list.length === 0 || list.some((one) => Array.isArray(one) || rowKind(one) === 'message' || isExportEntry(one)))
    return 'inspector';
  return list.some((row) => rowKind(row) === 'wrapped') ? 'rows' : undefined;
}

export interface RowReading {
  entries: Captured[];
  transport?: 'stdio' | 'http' | 'sse';
  /** The rows stand in the order of their times. */
  ordered: boolean;
}

/** The messages of the rows; lists with the newest first are reversed. */
export function rowDocument(document: unknown, options: ExactOptions): RowReading {
  const rows = listIn(document) ?? [];
  const found = rows.flatMap((row, index) =>
    isExactObject(row) ? (rowEntry(row, { at: index + 1, place: `entry ${index + 1}` }, options) ?? []) : [],
  );
  const times = found.flatMap(({ time }) => time ?? []);
  const newestFirst = times.length === found.length && times.length > 1 && times[0]! > times.at(-1)!;
  const entries = newestFirst ? found.toReversed() : found;
  const later = newestFirst ? times.toReversed() : times;
  const transport = rows.map(transportOf).find((one) => one !== undefined);
  return {
    entries,
    ordered: later.every((time, index) => index === 0 || time >= later[index - 1]!),
    ...(transport === undefined ? {} : { transport }),
  };
}
