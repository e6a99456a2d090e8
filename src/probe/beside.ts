/** A peer's requests beside the MCP endpoint: keeps their events apart from those of the protocol. */
import type { EventSink, TraceEvent } from '../model/trace.ts';
import type { Beside } from './peer.ts';
import { createSideFetch, type SideFetch, type SideRequest } from './side-fetch.ts';
import type { HttpTarget } from './target.ts';
import type { Timing } from './timing.ts';

export interface BesideRequests {
  /** True when the event belongs to such a request, and so to nobody else. */
  takes(event: TraceEvent): boolean;
  fetch(address: URL, request: Omit<SideRequest, 'timeoutMs'>): Promise<Beside>;
  close(): Promise<void>;
}

export function createBeside(target: HttpTarget, { session, sink, timing }: { session: string; sink: EventSink; timing: Timing }): BesideRequests {
  let side: SideFetch | undefined;
  /** By exchange, the JSON object of the reply once it is there. */
  const bodies = new Map<string, Record<string, unknown> | undefined>();
  return {
    takes(event) {
      if (!bodies.has(event.exchange!)) return false;
      const { message } = event;
      if (event.kind === 'message' && event.from === 'server' && typeof message === 'object' && message !== null && !Array.isArray(message)) bodies.set(event.exchange!, message as Record<string, unknown>);
      return true;
    },
    async fetch(address, request) {
      side ??= createSideFetch(target, session, sink);
      const reach = side.reach(address);
      if (typeof reach === 'object') return reach;
      const exchange = side.send(address, { ...request, timeoutMs: timing.answerMs });
      if (!exchange) return { lost: true };
      bodies.set(exchange.id, undefined);
      const outcome = await exchange.response;
      // A reply that goes on and on is no document.
      if (!('error' in outcome) && /^text\/event-stream/i.test(String(outcome.headers['content-type']))) exchange.abort('an event stream where a document was due');
      await exchange.done;
      const content = bodies.get(exchange.id);
      return 'error' in outcome ? { lost: true } : { status: outcome.status, ...(content === undefined ? {} : { content }) };
    },
    async close() {
      await side?.close();
    },
  };
}
