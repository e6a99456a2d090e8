/** Streamable HTTP: which listening streams (GET, without Last-Event-ID) a connection has open, and since when there is one. */
import type { TraceEvent } from '../../../model/trace.ts';
import type { Feature } from '../../core/plugin.ts';
import { storeOf } from '../../state/store.ts';
import type { SessionState } from '../../state/session-state.ts';

interface Listening {
  open: Set<string>;
  /** Seq of the event that opened the first of them. */
  since?: number;
  /** Seq of a 405 to GET: the server offers no such stream, so that it has itself to find a way for what it promises. */
  refused?: number;
}

const listeningOf = storeOf<Listening>(() => ({ open: new Set() }));

function observe(listening: Listening, { kind, exchange, http, seq }: TraceEvent): void {
  if (exchange === undefined) return;
  if (kind === 'http-response' && http?.status === 405) listening.refused ??= seq;
  if (kind === 'sse-open') {
    listening.open.add(exchange);
    listening.since ??= seq;
  } else if (
    (kind === 'sse-close' || kind === 'closed') &&
    listening.open.delete(exchange) &&
    listening.open.size === 0
  )
    delete listening.since;
}

/**
 * True if a notification without a request could have reached the client all the time since an event, or could not only
 * because the server offers no stream for it.
 */
export function hasHeardSince(session: SessionState, seq: number): boolean {
  const { refused, since } = listeningOf(session);
  return (
    session.transport !== 'http' ||
    (since !== undefined && since < seq) ||
    (refused !== undefined && refused < seq && since === undefined)
  );
}

export const listening: Feature = {
  name: 'listening',
  create: () => ({
    event({ event, session, http }) {
      if (http?.method === 'GET' && !http.stream?.resumes) observe(listeningOf(session), event);
    },
  }),
};
