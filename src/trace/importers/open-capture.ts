/**
 * Opens a capture file of any format, and tells which format it has where nobody said. It must not make anything
 * of the messages.
 */
import { McpcError } from '../../model/errors.ts';
import { captureError, captureFormats, type Capture, type CaptureFormat, type Captured } from './captured.ts';
import { duplicateMember } from './duplicate-members.ts';
import { isExactObject, jsonFault, parseExact } from './exact-json.ts';
import { envelopeEntries } from './formats/envelope.ts';
import { harEntries } from './formats/har.ts';
import { inspectorEntries } from './formats/inspector.ts';
import { jsonRpcLines, type ReadOptions } from './formats/jsonrpc-lines.ts';
import { openSource, type SourceLine, type SourceText } from './source-text.ts';

/**
 * Opens a capture.
 *
 * @param format undefined to find it out from the content
 * @throws McpcError (usage) naming the file, and the line or entry that is wrong; of `jsonrpc` while it is read
 */
export async function openCapture(
  file: string,
  format: CaptureFormat | undefined,
  options: ReadOptions = {},
): Promise<Capture> {
  const source = openSource(file);
  if (format === 'jsonrpc' || (format === undefined && (await looksLikeLines(source, file)))) {
    return {
      format: 'jsonrpc',
      exchanges: false,
      ordered: true,
      warnings: [],
      batches: jsonRpcLines(source.batches(), file, options),
    };
  }
  const document = await readDocument(source, file, format, options);
  return captureOf(document, format ?? formatOf(document, file), file, options);
}

function captureOf(document: unknown, format: CaptureFormat, file: string, options: ReadOptions): Capture {
  const warnings: string[] = [];
  const warn = (text: string): void => void warnings.push(text);
  const made = (entries: Captured[], more: Pick<Capture, 'transport' | 'exchanges' | 'ordered'>): Capture => ({
    format,
    warnings,
    batches: [entries],
    ...more,
  });
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

async function readDocument(
  source: SourceText,
  file: string,
  format: CaptureFormat | undefined,
  options: ReadOptions,
): Promise<unknown> {
  const text = await source.all();
  const name =
    format === undefined
      ? 'capture'
      : format === 'har'
        ? 'HAR'
        : format === 'inspector'
          ? 'inspector JSON'
          : `${format} transcript`;
  if (text.trim() === '') throw captureError(file, '', 'the file is empty');
  try {
    const document = parseExact(text, options);
    const twice = options.strict === true && format !== 'har' ? duplicateMember(text) : undefined;
    if (twice !== undefined) throw captureError(file, '', `an object has the member ${JSON.stringify(twice)} twice`);
    return document;
  } catch (error) {
    if (error instanceof McpcError) throw error;
    const fault = jsonFault(error);
    throw captureError(file, '', `invalid ${name}: ${fault}`, adviceFor(fault), error);
  }
}

function adviceFor(problem: string): string {
  if (/end of JSON input|Unterminated/i.test(problem)) return 'The file ends too early; it may have been cut off.';
  if (/after JSON/i.test(problem))
    return 'The file holds more than one document; put each into a file of its own, or name --from jsonrpc for one message on each line.';
  return 'Name its format with --from; docs/import.md describes each.';
}

/** JSON-RPC lines begin with a line that is a whole message; documents begin with a bracket, or hold entries. */
async function looksLikeLines(source: SourceText, file: string): Promise<boolean> {
  let first: SourceLine | undefined;
  let second: SourceLine | undefined;
  for await (const line of source.lines()) {
    if (first === undefined) first = line;
    else {
      second = line;
      break;
    }
  }
  if (first === undefined) return false;
  if (!first.text.startsWith('{')) return false;
  let value: unknown;
  try {
    value = JSON.parse(first.text);
  } catch {
    // Cut off in its first line, or a document over several lines.
    return second !== undefined && second.text.startsWith('{"jsonrpc"');
  }
  if (!isExactObject(value) || 'log' in value || Array.isArray(value['entries']) || Array.isArray(value['events']))
    return false;
  if (second === undefined || membersOfMessages.some((name) => name in value)) return true;
  // Lines of another tool's log, say, with messages inside: read as messages they would be nobody's.
  const names = Object.keys(value).slice(0, 5).join(', ');
  throw captureError(
    file,
    'line 1',
    `an object that is no JSON-RPC message (its members: ${names === '' ? 'none' : names})`,
    'Put the message alone on each line, or all in one list, which is the format inspector.',
  );
}

const membersOfMessages = ['jsonrpc', 'method', 'id', 'result', 'error'];

/** The format of a document. */
function formatOf(document: unknown, file: string): CaptureFormat {
  if (Array.isArray(document)) return 'inspector';
  if (isExactObject(document)) {
    const { transport } = document;
    if (transport === 'streamable-http' || transport === 'http-sse') return transport;
    if (isExactObject(document['log'])) return 'har';
    if (Array.isArray(document['events'])) return 'inspector';
    if ('jsonrpc' in document) {
      throw captureError(
        file,
        '',
        'one JSON-RPC message over several lines',
        'Put each message on one line, or all of them in one list.',
      );
    }
  }
  throw captureError(
    file,
    '',
    'the format of the capture is none that mcpc knows',
    `Name it with --format: ${captureFormats.join(', ')}.`,
  );
}
