/** Reads captures with one JSON-RPC message a line, as a stream: their length does not matter. */
import { McpcError } from '../../../model/errors.ts';
import { captureError, type Captured } from '../captured.ts';
import { duplicateMember } from '../duplicate-members.ts';
import { jsonFault, parseExact, type ExactOptions } from '../exact-json.ts';
import type { SourceLine } from '../source-text.ts';

export interface ReadOptions extends ExactOptions {
  /** Refuse objects that have a member twice. */
  strict?: boolean;
}

/** @throws McpcError (usage), while it is read, naming the first line that is no JSON */
export async function* jsonRpcLines(
  batches: AsyncIterable<SourceLine[]>,
  file: string,
  options: ReadOptions,
): AsyncGenerator<Captured[]> {
  for await (const lines of batches) {
    yield lines.map((line) => {
      const place = `line ${line.number}`;
      return { at: line.number, place, kind: 'message', message: parseLine(line, file, place, options) };
    });
  }
}

function parseLine(line: SourceLine, file: string, place: string, options: ReadOptions): unknown {
  try {
    const message = parseExact(line.text, options);
    const twice = options.strict === true ? duplicateMember(line.text) : undefined;
    if (twice !== undefined) throw captureError(file, place, `an object has the member ${JSON.stringify(twice)} twice`);
    return message;
  } catch (error) {
    if (error instanceof McpcError) throw error;
    const cutOff = line.ended ? '' : '; the file ends within this line, so it may have been cut off';
    throw captureError(
      file,
      place,
      `invalid JSON: ${jsonFault(error)}${cutOff}`,
      'This format has one JSON-RPC message on each line; name another --format if the file has.',
      error,
    );
  }
}
