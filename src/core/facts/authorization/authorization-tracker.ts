/**
 * Follows how a target protects itself over HTTP: results of requests without credentials and with bad ones,
 * challenges, and the metadata for authorization. Makes the `metadata` subjects as their replies come and one
 * `authorization` subject at the end. Requests of this sort are no business of other trackers.
 */
import type { Definitions, Feature, Hooks, Surroundings } from '../core/plugin.ts';
import { storeOf } from '../state/store.ts';
import type { Subject } from '../state/subject.ts';
import { isResponse } from '../values/rpc.ts';
import type { SessionState } from '../state/session-state.ts';
import { header } from '../values/header.ts';
import { authorizationFacts, createAuthorizationNotes, wantsCredentials } from './authorization-facts.ts';
import { bearerChallenge } from '../values/challenge.ts';
import { testTokenOf } from '../values/credentials.ts';
import { addressKey, metadataRequest, observeMetadata, type MetadataExchange } from './metadata-exchange.ts';
import { authorizationDefinitions, metadataDefinitions } from './definitions.ts';
import { metadataFacts } from './metadata-facts.ts';

/** Knowledge of all connections about the target's protection. */
interface Guard {
  /** Some request was refused for its credentials, or the want of them. */
  challenged: boolean;
}

const guardOf = storeOf<{ guard?: Guard }>(() => ({}));

const connectionFacts: Definitions<SessionState> = {
  challenged: {
    says: 'Some request of the trace, on whatever connection, was refused for its credentials, or the want of them; or the trace is about an authorization server.',
    read: (session) => guardOf(session).guard?.challenged === true,
  },
};

export const authorization: Feature = {
  name: 'authorization',
  kinds: {
    metadata: 'A document outside the endpoint that a client needs for authorization. Complete when the reply is over.',
    authorization:
      'How the target guards itself, over all connections. Complete at the end; there is none where nothing was refused with 401.',
  },
  facts: { connection: connectionFacts, metadata: metadataDefinitions, authorization: authorizationDefinitions },
  create: createAuthorization,
};

function createAuthorization({ issuer }: Surroundings): Hooks {
  const guard: Guard = { challenged: issuer !== undefined };
  const notes = createAuthorizationNotes(issuer);
  const announced = new Set<string>();
  const open = new Map<string, { exchange: MetadataExchange; session: SessionState }>();

  function finish(name: string): Subject[] {
    const found = open.get(name);
    if (!found) return [];
    open.delete(name);
    notes.document(found.exchange);
    return [
      { kind: 'metadata', session: found.session, facts: metadataFacts(found.exchange), events: found.exchange.events },
    ];
  }

  return {
    beside(event, session) {
      guardOf(session).guard ??= guard;
      if (event.exchange === undefined || session.transport === 'stdio') return undefined;
      const known = open.get(event.exchange);
      if (known) return observeMetadata(known.exchange, event) ? finish(event.exchange) : [];
      const begun = metadataRequest(event, announced);
      if (!begun) return undefined;
      open.set(event.exchange, { exchange: begun, session });
      return [];
    },
    exchangeOver(state) {
      if (state.status === undefined) return undefined;
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
        testToken: testTokenOf(state.requestHeaders),
        inSession: state.sessionHeader === 'current',
        status: state.status,
        result: state.replies.some((item) => item.shape === 'result'),
        // Whatever a stream or a body held, an accepted POST may be answered elsewhere.
        replied: state.replies.some((item) => isResponse(item.shape)),
        challenges: state.challenges,
        events: state.events.slice(0, 4),
        posted: state.method === 'POST',
      });
      return undefined;
    },
    /** Rules of connections ask the guard when they end. */
    closing() {
      const subjects = [...open.keys()].flatMap(finish);
      guard.challenged ||= wantsCredentials(notes);
      return { subjects };
    },
    traceOver: () => ({
      subjects: guard.challenged || notes.hasDocuments ? [{ kind: 'authorization', ...authorizationFacts(notes) }] : [],
    }),
  };
}
