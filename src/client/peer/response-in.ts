/** Finds a response in what came over the wire. */
import { asObject, isObject } from '../../core/model/json.ts';
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

/** The JSON-RPC error without a usable id in an event of the HTTP exchange: what a server says that refuses a request before it reads it. */
export function anonymousErrorIn(event: TraceEvent, exchange: string | undefined): Json | undefined {
  if (exchange === undefined || event.exchange !== exchange || event.kind !== 'message' || event.from !== 'server')
    return undefined;
  const { id, error } = asObject(event.message) ?? {};
  return (id === null || id === undefined) && isObject(error) ? error : undefined;
}
