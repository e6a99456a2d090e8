/**
 * Follows clients that get tokens: makes a `grant` subject of each attempt, from the refusal to the request with its token.
 * The legs beside the endpoint concern no other tracker.
 */
import { asObject, canonical } from '../../../model/json.ts';
import type { TraceEvent } from '../../../model/trace.ts';
import type { Feature, Hooks } from '../../core/plugin.ts';
import type { Subject } from '../../state/subject.ts';
import { methodOf } from '../../values/rpc.ts';
import { header } from '../../values/header.ts';
import { bearerChallenge, challengesIn } from '../../values/challenge.ts';
import { credentialsOf } from '../../values/credentials.ts';
import { addressKey } from '../metadata-exchange.ts';
import { createAttempts, type Attempt, type Call, type Resource } from './attempt.ts';
import { grantDefinitions } from './definitions.ts';
import { grantFacts } from './grant-facts.ts';
import { createKnownAddresses, hostOf, learnFrom, legOf, observeLeg, type Leg } from './legs.ts';

export const grants: Feature = {
  name: 'grants',
  after: ['authorization'],
  kinds: {
    grant:
      'One attempt of a client to get a token for a resource: from the refusal to the requests with the token, whatever requests it took. Complete at the end.',
  },
  facts: { grant: grantDefinitions },
  create: createGrants,
};

/** Exchanges that are followed at a time. */
const mostOpen = 1000;
/** Of a request that is compared with others, characters. */
const longestContent = 10_000;

function createGrants(): Hooks {
  const known = createKnownAddresses();
  const attempts = createAttempts();
  const legs = new Map<string, Leg>();
  const calls = new Map<string, { call: Call; resource: Resource }>();

  function begin(event: TraceEvent): void {
    for (const [name, { doneSeq }] of legs) if (doneSeq !== undefined) legs.delete(name);
    const leg = legOf(event, known);
    if (leg) {
      if (legs.size >= mostOpen) return;
      legs.set(event.exchange!, leg);
      attempts.leg(leg);
      return;
    }
    if (event.from !== 'client' || event.http?.origin !== undefined || calls.size >= mostOpen) return;
    const { headers = {}, path = '/' } = event.http ?? {};
    const resource = { host: hostOf(undefined, headers), path: path.split(/[?#]/)[0]! };
    const session = header(headers, 'mcp-session-id');
    const call: Call = {
      seq: event.seq,
      credentials: sortOf(credentialsOf(headers, path)),
      shown: header(headers, 'authorization') ?? '',
      session,
    };
    calls.set(event.exchange!, { call, resource });
    attempts.call(resource, call);
  }

  function answered(event: TraceEvent, { call, resource }: { call: Call; resource: Resource }): void {
    call.status = event.http?.status ?? 0;
    const challenge = bearerChallenge(challengesIn(event.http?.headers))?.parameters;
    const isScope = call.status === 403 && challenge?.error === 'insufficient_scope';
    if (call.status !== 401 && !isScope) return;
    const key = challenge?.resource_metadata === undefined ? undefined : addressKey(challenge.resource_metadata);
    if (key !== undefined && known.announced.size < 100) known.announced.add(key);
    attempts.refused(resource, call, isScope ? 'scope' : 'unauthorized', challenge, event.seq);
  }

  return {
    trace(event) {
      const { exchange, from, kind } = event;
      if (kind === 'exit' && from === 'client') attempts.clientEnded(event.seq);
      if (exchange === undefined) return undefined;
      if (kind === 'http-request') {
        begin(event);
        return undefined;
      }
      const leg = legs.get(exchange);
      if (leg !== undefined && leg.doneSeq === undefined) {
        if (observeLeg(leg, event) && leg.document) learnFrom(leg.document, known);
        return undefined;
      }
      const asked = calls.get(exchange);
      if (asked === undefined) return undefined;
      if (kind === 'message' && event.from === 'client') {
        const method = methodOf(event.message);
        if (typeof method === 'string')
          Object.assign(asked.call, { method, content: contentOf(method, event.message) });
      } else if (kind === 'http-response') {
        calls.delete(exchange);
        answered(event, asked);
      } else if (kind === 'closed') calls.delete(exchange);
      return undefined;
    },
    /** Metadata is the business of the feature before. */
    beside(event) {
      if (event.exchange === undefined) return undefined;
      const leg = legs.get(event.exchange);
      return leg === undefined || leg.kind === 'document' ? undefined : [];
    },
    traceOver: () => ({ subjects: attempts.all.filter(isJudged).map(subjectOf) }),
  };
}

/** A refusal alone is no attempt of the client, but for one that it has to do something about: its token lacks a scope. */
function isJudged({ cause, legs }: Attempt): boolean {
  return legs.length > 0 || cause === 'scope';
}

function subjectOf(attempt: Attempt): Subject {
  const events = [...attempt.events, ...attempt.legs.flatMap((leg) => leg.events)];
  return {
    kind: 'grant',
    facts: grantFacts(attempt),
    events: [...new Set(events)].sort((a, b) => a - b),
  };
}

/** The method with the parameters, without what differs each time that a request is sent. */
function contentOf(method: string, message: unknown): string {
  const { _meta, ...params } = asObject(asObject(message)?.params) ?? {};
  return `${method} ${canonical(params)}`.slice(0, longestContent);
}

function sortOf(credentials: ReturnType<typeof credentialsOf>): Call['credentials'] {
  if (credentials === 'none' || credentials === 'query') return credentials;
  return credentials === 'other' || credentials === 'malformed' ? 'other' : 'bearer';
}
