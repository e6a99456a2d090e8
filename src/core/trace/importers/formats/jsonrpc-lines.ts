/** Reads captures with a message a line, by itself or in a row of a recorder, as a stream: their length does not matter. */
import { McpcError } from '../../../model/errors.ts';
import { brokenEntry } from '../broken-text.ts';
import { captureError, type Captured } from '../captured.ts';
import { duplicateMember } from '../duplicate-members.ts';
import { isExactObject, jsonFault, parseExact, type ExactOptions } from '../exact-json.ts';
import type { SourceLine } from '../source-line.ts';
import { rowEntry, rowKind } from './rows.ts';

export interface ReadOptions extends ExactOptions {
  /** Refuse objects that have a member twice, and lines that are no messages. */
  strict?: boolean;
}

/**
 * One JSON-RPC message a line. Other text among the lines is kept as what it is, and a message that was cut as a gap.
 *
 * @throws McpcError (usage), while it is read, naming the first line that is wrong; of lines that are no JSON when strict
 */
export async function* jsonRpcLines(
  batches: AsyncIterable<SourceLine[]>,
  file: string,
  options: ReadOptions,
): AsyncGenerator<Captured[]> {
  for await (const lines of batches) yield lines.map((line) => lineEntry(line, file, options));
}

/** One row a line; those without a message, such as a line of stderr, are left out. */
export async function* rowLines(
  batches: AsyncIterable<SourceLine[]>,
  file: string,
  options: ReadOptions,
): AsyncGenerator<Captured[]> {
  for await (const lines of batches) {
    yield lines.flatMap((line) => {
      const where = { at: line.number, place: `line ${line.number}` };
      // Comments stand at the head of some recordings.
      if (line.text.startsWith('#')) return [];
      const row = parseLine(line, file, options);
      if (row === undefined) return [brokenEntry(line.text, where, line.ended)];
      return isExactObject(row.value) ? (rowEntry(row.value, where, options) ?? []) : [];
    });
  }
}

function lineEntry(line: SourceLine, file: string, options: ReadOptions): Captured {
  const where = { at: line.number, place: `line ${line.number}` };
  const parsed = parseLine(line, file, options);
  if (parsed === undefined) return brokenEntry(line.text, where, line.ended);
  const { value } = parsed;
  const kind = rowKind(value);
  if (options.strict !== true && isExactObject(value) && kind !== 'message' && kind !== 'bare') {
    const entry = { ...where, text: line.text.slice(0, 2000) };
    return kind === 'notes'
      ? { ...entry, kind: 'gap', reason: 'a row that a tool noted of a message' }
      : { ...entry, kind: 'stray', reason: 'JSON that is no message' };
  }
  return { ...where, kind: 'message', message: value };
}

/** @returns undefined for a line that is no JSON, unless it has to be */
function parseLine(line: SourceLine, file: string, options: ReadOptions): { value: unknown } | undefined {
  const place = `line ${line.number}`;
  try {
    const value = parseExact(line.text, options);
    const twice = options.strict === true ? duplicateMember(line.text) : undefined;
    if (twice !== undefined) throw captureError(file, place, `an object has the member ${JSON.stringify(twice)} twice`);
    return { value };
  } catch (error) {
    if (error instanceof McpcError) throw error;
    if (options.strict !== true) return undefined;
    const cutOff = line.ended ? '' : '; the file ends within this line, so it may have been cut off';
    throw captureError(
      file,
      place,
      `invalid JSON: ${jsonFault(error)}${cutOff}`,
      'Leave --strict-ids out to read the other lines, or name another format with --from.',
      error,
    );
  }
}
