/**
 * Follows how a target guards itself over HTTP: what requests get without credentials and with bad ones, the
 * challenges, and the metadata that tells a client where to be authorized. Makes the `metadata` subjects as their
 * replies come and one `authorization` subject at the end. Requests of this sort are no business of other trackers.
 */
import type { TraceEvent } from '../../model/trace.ts';
import type { EmitSubject } from '../core/subject.ts';
import { isResponse } from '../jsonrpc/rpc.ts';
import type { SessionState } from '../session/session-state.ts';
import { header } from '../transports/header.ts';
import type { HttpState } from '../transports/http-state.ts';
import { authorizationFacts, createAuthorizationNotes, wantsCredentials } from './authorization-facts.ts';
import { bearerChallenge } from './challenge.ts';
import type { Guard } from './guard.ts';
import { addressKey, metadataRequest, observeMetadata, type MetadataExchange } from './metadata-exchange.ts';
import { metadataFacts } from './metadata-facts.ts';

export interface AuthorizationTracker {
  readonly guard: Guard;
  /** True when the event belongs to a request beside the endpoint, which only this tracker follows. */
  observe(event: TraceEvent, session: SessionState): boolean;
  /** An exchange with the endpoint is over. */
  over(exchange: HttpState): void;
  /** Nothing more is to come; before connections are ended, since their rules ask the guard. */
  settle(): void;
  /** Gives out the subject. */
  end(): void;
}

export function createAuthorizationTracker(emit: EmitSubject): AuthorizationTracker {
  const guard: Guard = { challenged: false };
  const notes = createAuthorizationNotes();
  const announced = new Set<string>();
  const open = new Map<string, { exchange: MetadataExchange; session: SessionState }>();

  function finish(name: string): void {
    const found = open.get(name);
    if (!found) return;
    open.delete(name);
    notes.document(found.exchange);
    emit({ kind: 'metadata', session: found.session, facts: metadataFacts(found.exchange), events: found.exchange.events });
  }

  return {
    guard,
    observe(event, session) {
      if (event.exchange === undefined || session.transport === 'stdio') return false;
      const known = open.get(event.exchange);
      if (known) {
        if (observeMetadata(known.exchange, event)) finish(event.exchange);
        return true;
      }
      const begun = metadataRequest(event, announced);
      if (begun) open.set(event.exchange, { exchange: begun, session });
      return begun !== undefined;
    },
    over(state) {
      if (state.status === undefined) return;
      const bearer = bearerChallenge(state.challenges);
      if (state.status === 401 || bearer) guard.challenged = true;
      const address = bearer?.parameters.resource_metadata;
      const key = address === undefined ? undefined : addressKey(address);
      if (key !== undefined && announced.size < 100) announced.add(key);
      notes.exchange({
        method: state.rpcMethod,
        host: header(state.requestHeaders, 'host') ?? '',
        path: state.path,
        credentials: state.credentials,
        status: state.status,
        result: state.replies.some((item) => item.shape === 'result'),
        // Whatever a stream or a body held, an accepted POST may be answered elsewhere.
        replied: state.replies.some((item) => isResponse(item.shape)),
        challenges: state.challenges,
        events: state.events.slice(0, 4),
        posted: state.method === 'POST',
      });
    },
    settle() {
      for (const name of [...open.keys()]) finish(name);
      guard.challenged ||= wantsCredentials(notes);
    },
    end() {
      if (guard.challenged || notes.hasDocuments) emit({ kind: 'authorization', ...authorizationFacts(notes) });
    },
  };
}
