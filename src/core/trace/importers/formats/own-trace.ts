/** Reads mcpc's own trace as a capture, so that it can be made into what captures are made into. */
import type { TraceEvent } from '../../../model/trace.ts';
import type { Captured } from '../captured.ts';
import { parseExact, type ExactOptions } from '../exact-json.ts';
import type { ReadOptions } from './jsonrpc-lines.ts';

/** The messages of a trace in order; the elements of a JSON-RPC batch one by one. What is no message is left out. */
export async function* ownMessages(
  trace: { batches: AsyncIterable<TraceEvent[]> },
  options: ReadOptions,
): AsyncGenerator<Captured[]> {
  for await (const events of trace.batches) yield events.flatMap((event) => messagesOf(event, options));
}

function messagesOf(event: TraceEvent, options: ReadOptions): Captured[] {
  if (event.kind !== 'message' && event.kind !== 'unplaced') return [];
  const message = exactMessage(event, options);
  return (Array.isArray(message) ? (message as unknown[]) : [message]).map((one) => ({
    at: event.seq,
    place: `event ${event.seq}`,
    time: Math.max(0, Math.floor(event.t)),
    kind: 'message',
    message: one,
    ...(event.from === 'harness' ? {} : { from: event.from }),
    ...(event.sse === undefined ? {} : { sse: event.sse }),
    ...(event.http === undefined ? {} : { http: event.http }),
  }));
}

/** The message of an event, with the digits that were on the wire where those were kept. */
export function exactMessage({ raw, message }: TraceEvent, options: ExactOptions): unknown {
  if (raw === undefined) return message;
  try {
    return parseExact(raw.startsWith('\uFEFF') ? raw.slice(1) : raw, options);
  } catch {
    return message;
  }
}
