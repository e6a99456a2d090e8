/** Checks trajectory assertions of a file against the tool calls that a conversation's events show. */
import { readFileSync } from 'node:fs';
import { itemsOf, methodOf, paramsOf } from '../../core/facts/values/rpc.ts';
import { usageError } from '../../core/model/errors.ts';
import { asObject, asText } from '../../core/model/json.ts';
import type { TraceEvent } from '../../core/model/trace.ts';
import { parseTrajectory } from './load-trajectory.ts';
import { checkTrajectory, type ToolCall, type TrajectoryResult } from './trajectory.ts';

export interface TrajectoryWatch {
  /** Takes events as they come; every tools/call of the client counts, answered or not. */
  observe(event: TraceEvent): void;
  readonly calls: readonly ToolCall[];
  results(): TrajectoryResult[];
}

/** @throws McpcError usage naming file and line */
export function openTrajectory(file: string): TrajectoryWatch {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw usageError(`${file} cannot be read: ${(error as Error).message}`, 'Check the path.', error);
  }
  const assertions = parseTrajectory(text, file);
  const calls: ToolCall[] = [];
  return {
    calls,
    observe(event) {
      if (event.kind !== 'message' || event.from !== 'client') return;
      for (const { message } of itemsOf(event)) {
        const call = callOf(message);
        if (call) calls.push(call);
      }
    },
    results: () => checkTrajectory(calls, assertions),
  };
}

export function callOf(message: unknown): ToolCall | undefined {
  const params = paramsOf(message);
  if (methodOf(message) !== 'tools/call' || !params) return undefined;
  return { tool: asText(params.name), args: asObject(params.arguments) ?? {} };
}
