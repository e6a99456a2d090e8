/** The trace of a run that goes on from a state: the new file begins with all that the earlier one has. */
import { existsSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { TraceEvent } from '../../core/model/trace.ts';
import { readTrace } from '../../files/traces/jsonl-reader.ts';
import type { ServeState } from './state-file.ts';

export interface KeptTrace {
  file: string | undefined;
  earlier: AsyncIterable<TraceEvent> | undefined;
  /** The earlier trace is part of the new one. */
  restored(): void;
}

/** Finds the place of the trace, and the trace of an earlier run there, which stays until the new one has all of it. */
export function keptTrace(
  { stateFile, traceFile }: { stateFile: string | undefined; traceFile: string | undefined },
  state: ServeState,
): KeptTrace {
  if (stateFile === undefined) return { file: traceFile, earlier: undefined, restored: () => {} };
  const file = path.resolve(path.dirname(stateFile), state.trace);
  const before = `${file}.before`;
  // A run that was killed while it took over the earlier trace left it there.
  if (!existsSync(before) && existsSync(file) && state.runs > 0) renameSync(file, before);
  if (!existsSync(before)) return { file, earlier: undefined, restored: () => {} };
  return { file, earlier: eventsOf(before), restored: () => rmSync(before, { force: true }) };
}

async function* eventsOf(file: string): AsyncGenerator<TraceEvent> {
  for await (const event of (await readTrace(file)).events) yield event;
}
