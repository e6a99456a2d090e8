/** Imports a capture given as text, through files, as the command does. */
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importCapture, type ImportResult } from '../../../src/check/capture/import-capture.ts';
import type { ImportOptions } from '../../../src/check/capture/import-options.ts';
import type { CaptureFormat } from '../../../src/core/trace/importers/captured.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- JSON of which tests say what they expect of it
export type Line = Record<string, any>;

export interface Imported {
  /** The text of the episode. */
  text: string;
  lines: Line[];
  calls: Line[];
  steps: Line[];
  start: Line;
  end: Line;
  /** mcpc's own trace: header, events, footer. */
  wire: Line[];
  wireText: string;
  result: ImportResult;
}

export type Extra = Partial<Omit<ImportOptions, 'file' | 'format'>> & { name?: string };

/** @param input text, bytes, or a value that is written as JSON */
export async function imported(
  input: unknown,
  format: CaptureFormat | undefined,
  extra: Extra = {},
): Promise<Imported> {
  const folder = mkdtempSync(join(tmpdir(), 'mcpc-import-'));
  const { name = 'session.json', ...more } = extra;
  const file = join(folder, name);
  writeFileSync(file, typeof input === 'string' || Buffer.isBuffer(input) ? input : JSON.stringify(input));
  const outTrace = join(folder, 'out.trace.jsonl');
  const outWire = join(folder, 'out.wire.jsonl');
  try {
    const result = await importCapture({
      file,
      format,
      outTrace,
      outWire,
      episodeId: 'session',
      strictIds: false,
      keepSecrets: false,
      now: 5000,
      ...more,
    });
    const text = readFileSync(outTrace, 'utf8');
    const lines = parsed(text);
    const wireText = readFileSync(outWire, 'utf8');
    const of = (type: string): Line[] => lines.filter((line) => line.type === type);
    return {
      text,
      lines,
      calls: of('tool_call'),
      steps: of('step'),
      start: of('episode_start')[0]!,
      end: of('episode_end')[0]!,
      wire: parsed(wireText),
      wireText,
      result,
    };
  } catch (error) {
    // Whatever went wrong: no output is there, not even in part.
    const left = readdirSync(folder).filter((one) => one !== name);
    if (left.length > 0) throw new Error(`a failed import left ${left.join(', ')}`, { cause: error });
    throw error;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The message of the error that importing gives; fails when there is none, or when it is no usage error. */
export async function refusal(input: unknown, format: CaptureFormat | undefined, extra: Extra = {}): Promise<string> {
  try {
    await imported(input, format, extra);
  } catch (error) {
    if ((error as { stage?: string }).stage !== 'usage') throw error;
    return (error as Error).message;
  }
  throw new Error('the import was expected to fail');
}

function parsed(text: string): Line[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
}

export const call = (id: unknown, name = 'Calculator', args: unknown = { a: 1, b: 2 }): Line => ({
  jsonrpc: '2.0',
  ...(id === undefined ? {} : { id }),
  method: 'tools/call',
  params: { name, arguments: args },
});
export const answer = (id: unknown, result: unknown = { sum: 3 }): Line => ({
  jsonrpc: '2.0',
  ...(id === undefined ? {} : { id }),
  result,
});
export const failure = (id: unknown, error: unknown = { code: -32000, message: 'no' }): Line => ({
  jsonrpc: '2.0',
  ...(id === undefined ? {} : { id }),
  error,
});
export const rows = (...messages: unknown[]): string =>
  messages.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))).join('\n');
export const envelope = (transport: string | undefined, entries: unknown, more: Line = {}): Line => ({
  ...(transport === undefined ? {} : { transport }),
  ...more,
  entries,
});
