/**
 * Detects the format of a capture from its first lines, or that it is one document. A capture is what says so itself: a
 * line that is a JSON-RPC message with its version, a row that wraps one, or a line of a log with one.
 */
import { isExactObject } from '../exact-json.ts';
import { logFormatOf, showsStdio, type LogFormat } from '../formats/client-logs.ts';
import { rowKind, transportOf } from '../formats/rows.ts';
import type { SourceLine, SourceText } from '../source-line.ts';

/** Lines, and characters of them, that are looked at. */
const most = { lines: 400, characters: 16 * 1024 * 1024 };

export type LineFormat = 'jsonrpc' | 'rows' | LogFormat;

export interface Sniffed {
  /** Kind of the lines; undefined if none shows it. */
  lines?: LineFormat;
  /** The file may be one document: its first line begins one, or is one by itself. */
  document: boolean;
  /** Rows and logs: the transport, if one of the lines shows it. */
  transport?: 'stdio' | 'http' | 'sse';
  /** The first object that is neither a message nor holds one, for a reader. */
  odd?: { line: number; value: Record<string, unknown> };
  /** The first object that is a message but for its version. */
  bare?: Sniffed['odd'];
  /** The first line. */
  first: string;
  empty: boolean;
}

export async function sniff(source: SourceText): Promise<Sniffed> {
  const sniffed: Sniffed = { document: false, first: '', empty: true };
  let count = 0;
  let characters = 0;
  let whole = false;
  for await (const line of source.lines()) {
    sniffed.empty = false;
    const value = parsed(line.text);
    if (count === 0) {
      sniffed.first = line.text;
      sniffed.document = beginsDocument(line.text, value);
      whole = value !== undefined;
    }
    // Behind a first line that is a document by itself there is nothing, or lines.
    if (count === 1 && whole) sniffed.document = false;
    look(line, value, sniffed);
    count += 1;
    characters += line.text.length;
    if (count >= most.lines || characters > most.characters) break;
  }
  return sniffed;
}

function look(line: SourceLine, value: unknown, sniffed: Sniffed): void {
  if (value === undefined) {
    const log = logFormatOf(line.text);
    sniffed.lines ??= log;
    if (log === 'claude-log' || showsStdio(line.text)) sniffed.transport ??= 'stdio';
    return;
  }
  if (!isExactObject(value)) return;
  const kind = rowKind(value);
  if (kind === 'message') sniffed.lines ??= 'jsonrpc';
  else if (kind === 'wrapped') {
    sniffed.lines ??= 'rows';
    sniffed.transport ??= transportOf(value);
  } else if (kind === 'bare') sniffed.bare ??= { line: line.number, value };
  else if (sniffed.odd === undefined || (kind === 'notes' && rowKind(sniffed.odd.value) !== 'notes'))
    sniffed.odd = { line: line.number, value };
}

function parsed(text: string): unknown {
  if (!text.startsWith('{') && !text.startsWith('[')) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A bracket that JSON may go on behind; `[info]` begins no list. */
function beginsDocument(text: string, value: unknown): boolean {
  if (value !== undefined) return !['message', 'wrapped'].includes(rowKind(value)) || Array.isArray(value);
  if (!text.startsWith('[')) return text.startsWith('{');
  const next = text.slice(1).trimStart();
  return next === '' || '[{"]-0123456789'.includes(next[0]!);
}
