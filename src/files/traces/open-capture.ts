/**
 * Opens a capture file of any format, and detects the format if it is not given. It must not make anything of the
 * messages.
 */
import {
  captureError,
  captureFormats,
  type Capture,
  type CaptureFormat,
  type Captured,
} from '../../core/trace/importers/captured.ts';
import { isExactObject } from '../../core/trace/importers/exact-json.ts';
import { cassetteEntries, cassetteTransport, isCassette } from '../../core/trace/importers/formats/cassette.ts';
import { logEntries } from '../../core/trace/importers/formats/client-logs.ts';
import { envelopeEntries } from '../../core/trace/importers/formats/envelope.ts';
import { archiveOf, isHttpCassette } from '../../core/trace/importers/formats/http-cassette.ts';
import { harEntries } from '../../core/trace/importers/formats/har.ts';
import { inspectorEntries } from '../../core/trace/importers/formats/inspector.ts';
import { jsonRpcLines, rowLines, type ReadOptions } from '../../core/trace/importers/formats/jsonrpc-lines.ts';
import { rowDocument, rowsIn } from '../../core/trace/importers/formats/row-document.ts';
import { looksLike } from '../../core/trace/importers/formats/looks-like.ts';
import { isYaml, noDocument, readDocument } from '../../core/trace/importers/detect/read-document.ts';
import { sniff, type LineFormat, type Sniffed } from '../../core/trace/importers/detect/sniff.ts';
import type { SourceText } from '../../core/trace/importers/source-line.ts';
import { openSource } from './source-text.ts';

const lineFormats: readonly string[] = ['jsonrpc', 'rows', 'claude-log', 'vscode-log'] satisfies LineFormat[];

/**
 * Opens a capture.
 *
 * @param format undefined to detect it from the content
 * @throws McpcError (usage) naming the file, and the wrong line or entry; for lines while they are read
 */
export async function openCapture(
  file: string,
  format: CaptureFormat | undefined,
  options: ReadOptions = {},
): Promise<Capture> {
  const source = openSource(file);
  if (format !== undefined && !isLineFormat(format))
    return captureOf(await readDocument(source, file, format, options), format, file, options);
  const sniffed = await sniff(source);
  if (format === undefined || format === 'rows') {
    const whole = sniffed.document || (sniffed.lines === undefined && !sniffed.empty && isYaml(file));
    const document = whole ? await wholeDocument(source, sniffed, file, format, options) : undefined;
    if (document !== undefined)
      return captureOf(document.value, format ?? formatOf(document.value, file), file, options);
  }
  const lines = format ?? sniffed.lines;
  if (lines === undefined || !saysSo(lines, sniffed)) throw refusalOf(sniffed, file, format);
  return captureOfLines(source, lines, sniffed, file, options);
}

function isLineFormat(format: CaptureFormat): format is LineFormat {
  return lineFormats.includes(format);
}

/** True if some line has the format; `jsonrpc` may also mean messages without their version. */
function saysSo(format: LineFormat, { lines, bare, odd, empty }: Sniffed): boolean {
  return lines === format || (format === 'jsonrpc' && (empty || (bare !== undefined && odd === undefined)));
}

/** The file as one document; undefined where it is none, and its lines say what they are. */
async function wholeDocument(
  source: SourceText,
  sniffed: Sniffed,
  file: string,
  format: CaptureFormat | undefined,
  options: ReadOptions,
): Promise<{ value: unknown } | undefined> {
  try {
    return { value: await readDocument(source, file, format, options) };
  } catch (error) {
    if (sniffed.lines !== undefined && noDocument(error)) return undefined;
    throw error;
  }
}

function captureOfLines(
  source: SourceText,
  format: LineFormat,
  { transport }: Sniffed,
  file: string,
  options: ReadOptions,
): Capture {
  const warnings: string[] = [];
  const batches =
    format === 'jsonrpc'
      ? jsonRpcLines(source.batches(), file, options)
      : format === 'rows'
        ? rowLines(source.batches(), file, options)
        : logEntries(source.batches(), format, options);
  return {
    format,
    exchanges: false,
    ordered: true,
    warnings,
    batches: reportedFor(batches, warnings),
    ...(transport === undefined || format === 'jsonrpc' ? {} : { transport }),
    ...(format === 'vscode-log' && transport === 'stdio' ? { lines: true } : {}),
  };
}

function captureOf(document: unknown, format: CaptureFormat, file: string, options: ReadOptions): Capture {
  const warnings: string[] = [];
  const warn = (text: string): void => void warnings.push(text);
  const made = (
    entries: Captured[],
    more: Pick<Capture, 'exchanges' | 'ordered'> & { transport?: Capture['transport'] | undefined },
  ): Capture => ({ format, warnings, batches: reportedFor([entries], warnings), ...more });
  switch (format) {
    case 'har': {
      const { entries, legacy } = harEntries(document, file, options, warn);
      return made(numbered(entries), { transport: legacy ? 'sse' : 'http', exchanges: true, ordered: false });
    }
    case 'streamable-http':
      return made(envelopeEntries(document, format, file, options), {
        transport: 'http',
        exchanges: false,
        ordered: true,
      });
    case 'http-sse':
      return made(envelopeEntries(document, format, file, options), {
        transport: 'sse',
        exchanges: false,
        ordered: true,
      });
    case 'cassette':
      if (isHttpCassette(document)) return { ...captureOf(archiveOf(document), 'har', file, options), format };
      if (!isCassette(document)) throw unlike(document, file, 'it has no interactions with a request');
      return made(numbered(cassetteEntries(document)), {
        transport: cassetteTransport(document),
        exchanges: false,
        ordered: false,
      });
    case 'rows': {
      const { entries, transport, ordered } = rowDocument(document, options);
      if (entries.length === 0) throw unlike(document, file, 'none of its rows holds a message');
      return made(numbered(entries), { transport, exchanges: false, ordered });
    }
    default: {
      const { entries, exported } = inspectorEntries(document, file, warn);
      return made(numbered(entries), { exchanges: false, ordered: !exported });
    }
  }
}

/** Where one entry of the file holds several messages, their order is that of the list. */
function numbered(entries: Captured[]): Captured[] {
  return entries.map((entry, index) => ({ ...entry, order: index + 1 }));
}

/** Number of gaps and other texts that are reported one by one. */
const maxReported = 20;

/** Passes entries on, and reports incomplete messages. */
async function* reportedFor(
  batches: AsyncIterable<Captured[]> | Iterable<Captured[]>,
  warnings: string[],
): AsyncGenerator<Captured[]> {
  let count = 0;
  for await (const entries of batches) {
    for (const { kind, place, reason = '', text = '' } of entries) {
      if (kind !== 'gap' && kind !== 'stray') continue;
      count += 1;
      const what =
        kind === 'gap'
          ? `${reason}: it is not judged, and neither is what rests on it`
          : `${reason}: ${JSON.stringify(text.slice(0, 80))}`;
      if (count <= maxReported) warnings.push(`${place}: ${what}`);
      else if (count === maxReported + 1) warnings.push('there are more lines that are no whole messages');
    }
    yield entries;
  }
}

/** The format of a document. */
function formatOf(document: unknown, file: string): CaptureFormat {
  if (isExactObject(document)) {
    const { transport } = document;
    if (transport === 'streamable-http' || transport === 'http-sse') return transport;
    if (isExactObject(document['log'])) return 'har';
    if (isCassette(document) || isHttpCassette(document)) return 'cassette';
  }
  const rows = rowsIn(document);
  if (rows !== undefined) return rows;
  if (isExactObject(document) && 'jsonrpc' in document)
    throw captureError(
      file,
      '',
      'one JSON-RPC message over several lines',
      'Put each message on one line, or all of them in one list.',
    );
  throw unlike(document, file);
}

/** The error of a document that is no capture. */
function unlike(document: unknown, file: string, why = 'the format of the capture is none that mcpc knows'): Error {
  const { what, remedy } = looksLike(document);
  return captureError(file, '', `${why}; it looks like ${what}`, `${remedy} ${formatsText}`);
}

const formatsText = `Formats for --from: ${captureFormats.join(', ')}.`;

/** The error for a file without a single valid line. */
function refusalOf(
  { empty, bare, odd = bare, first }: Sniffed,
  file: string,
  format: CaptureFormat | undefined,
): Error {
  if (empty) return captureError(file, '', 'the file is empty');
  const place = odd === undefined ? '' : `line ${odd.line}`;
  const { what, remedy } =
    odd === undefined
      ? { what: `text such as ${JSON.stringify(first.slice(0, 60))}`, remedy: 'Name a capture of MCP messages.' }
      : looksLike(odd.value);
  const named =
    format === undefined
      ? 'the format of the capture is none that mcpc knows'
      : `no line is ${lineOf[format] ?? format}`;
  return captureError(file, place, `${named}; it looks like ${what}`, `${remedy} ${formatsText}`);
}

const lineOf: Partial<Record<CaptureFormat, string>> = {
  jsonrpc: 'a JSON-RPC message',
  rows: 'a row that holds a message',
  'claude-log': 'a message in a log of Claude Desktop',
  'vscode-log': 'a message in the MCP output of VS Code',
};
