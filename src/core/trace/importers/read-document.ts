/** Reads a capture that is one document: JSON, or YAML where its name says so. */
import { parseDocument } from 'yaml';
import { McpcError } from '../../model/errors.ts';
import { captureError, type CaptureFormat } from './captured.ts';
import { duplicateMember } from './duplicate-members.ts';
import { jsonFault, parseExact } from './exact-json.ts';
import type { ReadOptions } from './formats/jsonrpc-lines.ts';
import type { SourceText } from './source-line.ts';

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
    throw captureError(file, '', `invalid ${name}: ${fault}`, adviceFor(fault), error);
  }
}

/** Whether the name of a file says that it is YAML. */
export function isYaml(file: string): boolean {
  const name = file.toLowerCase();
  return name.endsWith('.yaml') || name.endsWith('.yml');
}

/** Whether an error says that the text is no document, rather than a wrong one. */
export function noDocument(error: unknown): boolean {
  return error instanceof McpcError && error.cause instanceof SyntaxError;
}

function readYaml(text: string, file: string): unknown {
  const document = parseDocument(text, { prettyErrors: true });
  const [first] = document.errors;
  const wrong = (what: string): McpcError =>
    captureError(file, '', `invalid YAML: ${what}`, 'Name a capture in JSON or YAML.');
  if (first !== undefined) throw wrong(first.message.split('\n')[0]!);
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
