/** The file of `--state`: what a served run needs to go on another day, so that applications keep their configuration. */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { usageError } from '../../core/model/errors.ts';
import type { TransportKind } from '../../core/model/trace.ts';
import { parseSchemaFile } from '../../files/config/schema-file.ts';
import { privateMode, writeWhole } from '../../files/output/draft.ts';
import type { Answer } from './attested.ts';

export interface ServeState {
  format: 'mcpc-client-state';
  version: 1;
  transport: TransportKind;
  /** `auto`, or a revision. */
  spec: string;
  /** The part of all addresses that nobody guesses. */
  secret: string;
  /** Ports of the page, and of each start by its name. */
  ports: Record<string, number>;
  /** How often the run was begun. */
  runs: number;
  /** The trace, relative to this file. */
  trace: string;
  /** Answers of a person, by requirement. */
  answers: Record<string, Answer>;
}

const largest = 1024 * 1024;
const remedy = 'Name the file of an earlier "mcpc client --serve --state", or one that does not exist yet.';

/** A state that nothing is known of yet. @param trace where the trace is kept, relative to the state */
export function newState(transport: TransportKind, spec: string, trace: string): ServeState {
  return {
    format: 'mcpc-client-state',
    version: 1,
    transport,
    spec,
    secret: randomBytes(12).toString('hex'),
    ports: {},
    runs: 0,
    trace,
    answers: {},
  };
}

/**
 * The state of the file; a new one where there is no file.
 * @throws McpcError usage for a file that is no state, and for one of another transport or revision
 */
export function readState(file: string, transport: TransportKind, spec: string): ServeState {
  if (!existsSync(file)) return newState(transport, spec, `${path.basename(file, path.extname(file))}.trace.jsonl`);
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw usageError(`Cannot read the state ${file}: ${(error as Error).message}`, remedy, error);
  }
  const { value } = parseSchemaFile<ServeState>(text, { file, schema: 'client-state.schema.json', remedy, largest });
  for (const [flag, kept, given] of [
    ['--transport', value.transport, transport],
    ['--spec', value.spec, spec],
  ] as const)
    if (kept !== given)
      throw usageError(
        `${file} is of a run with ${flag} ${kept}, not ${given}.`,
        `Give ${flag} ${kept}, or another file with --state.`,
      );
  return value;
}

/** The secret of the addresses is for the reader of this machine alone. */
export function writeState(file: string, state: ServeState): void {
  writeWhole(file, `${JSON.stringify(state, null, 2)}\n`, { mode: privateMode });
}
