/** The tool calls of a recording, for a trajectory: those of the client, in their order, answered or not. */
import { itemsOf } from '../../../core/facts/values/rpc.ts';
import { McpcError } from '../../../core/model/errors.ts';
import type { ToolCall } from '../../../check/trajectory/trajectory.ts';
import { openTrace } from '../../../check/capture/open-capture.ts';
import { callOf } from '../../../check/trajectory/judge-trajectory.ts';

const mostCalls = 10_000;

/** @returns the calls as an answer, or words that say why there are none */
export async function recordedCalls(
  file: string,
): Promise<{ answer: { result: { calls: ToolCall[] } } } | { words: string }> {
  const calls: ToolCall[] = [];
  try {
    const { events } = await openTrace(file);
    for await (const event of events) {
      if (event.kind !== 'message' || event.from !== 'client') continue;
      for (const { message } of itemsOf(event)) {
        const call = callOf(message);
        if (call !== undefined) calls.push(call);
      }
      if (calls.length > mostCalls) return { words: `recording ${file} holds more than ${mostCalls} tool calls` };
    }
  } catch (error) {
    if (!(error instanceof McpcError) || error.stage !== 'usage') throw error;
    return { words: `cannot read recording ${file}: ${error.message}` };
  }
  return { answer: { result: { calls } } };
}
