/** Finds a response in what came over the wire. */
import type { TraceEvent } from '../../core/model/trace.ts';

type Json = Record<string, unknown>;

/** The response with that id in an event, alone or in a batch. */
export function responseIn(event: TraceEvent, id: unknown): Json | undefined {
  if (event.kind !== 'message' || event.from !== 'server') return undefined;
  const all = Array.isArray(event.message) ? (event.message as unknown[]) : [event.message];
  return all.find(
    (one): one is Json =>
      typeof one === 'object' && one !== null && !('method' in one) && (one as Json).id === id && id !== undefined,
  );
}
