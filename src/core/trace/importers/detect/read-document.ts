/** Reads a capture that is one document: JSON, or YAML where its name says so. */
import { parse, type ParseError } from 'jsonc-parser';
import { LineCounter, parseDocument } from 'yaml';
import { McpcError } from '../../../model/errors.ts';
import { captureError, type CaptureFormat } from '../captured.ts';
import { duplicateMember } from '../duplicate-members.ts';
import { jsonFault, parseExact } from '../exact-json.ts';
import type { ReadOptions } from '../formats/jsonrpc-lines.ts';
import type { SourceText } from '../source-line.ts';

/** Longest YAML that is read, in characters: parsing it takes far more memory than JSON. */
const longestYaml = 16 * 1024 * 1024;

/** @throws McpcError (usage) for text that is no such document */
export async function readDocument(
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
    if (isYaml(file) && text.length <= longestYaml) return readYaml(text, file);
    const fault = jsonFault(error);
    throw captureError(file, placeOfFault(text), `invalid ${name}: ${fault}`, adviceFor(fault), error);
  }
}

/** Line and column of what is no JSON, which the messages of the runtime do not always name; empty where nothing is found. */
function placeOfFault(text: string): string {
  const errors: ParseError[] = [];
  try {
    parse(text, errors, { disallowComments: true, allowTrailingComma: false });
  } catch {
    // It nests too deeply; there is no one place to name.
    return '';
  }
  const [first] = errors;
  if (first === undefined) return '';
  const before = text.slice(0, first.offset).split('\n');
  return `line ${before.length}, column ${before.at(-1)!.length + 1}`;
}

/** True if the name of a file says that it is YAML. */
export function isYaml(file: string): boolean {
  const name = file.toLowerCase();
  return name.endsWith('.yaml') || name.endsWith('.yml');
}

/** True if an error means that the text is not a document, rather than a wrong one. */
export function noDocument(error: unknown): boolean {
  return error instanceof McpcError && error.cause instanceof SyntaxError;
}

function readYaml(text: string, file: string): unknown {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const [first] = document.errors;
  const wrong = (what: string, place = ''): McpcError =>
    captureError(file, place, `invalid YAML: ${what}`, 'Name a capture in JSON or YAML.');
  if (first !== undefined) {
    const { line, col } = lines.linePos(first.pos[0]);
    throw wrong(first.message.split('\n')[0]!, `line ${Math.max(line, 1)}, column ${Math.max(col, 1)}`);
  }
  try {
    // Aliases of aliases could grow without bound.
    return document.toJS({ maxAliasCount: 50 }) as unknown;
  } catch (error) {
    throw wrong((error as Error).message);
  }
}

function adviceFor(problem: string): string {
  if (/end of JSON input|Unterminated/i.test(problem)) return 'The file ends too early; it may have been cut off.';
  if (/after JSON/i.test(problem))
    return 'The file holds more than one document; put each into a file of its own, or name --from jsonrpc for one message on each line.';
  return 'Name its format with --from; docs/import.md describes each.';
}
