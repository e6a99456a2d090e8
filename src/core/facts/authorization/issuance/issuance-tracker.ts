/**
 * Follows requests to an authorization server for codes and tokens. Makes an `issuance` subject of each, with its outcome
 * and what the trace shows of the client.
 */
import type { TraceEvent } from '../../../model/trace.ts';
import type { Feature, Hooks, Surroundings } from '../../core/plugin.ts';
import { credentialsOf } from '../../values/credentials.ts';
import { createKnownAddresses, hostOf, learnFrom, legOf, observeLeg, type Leg } from '../grants/legs.ts';
import { keyOf } from '../grants/requests.ts';
import { createApprovals } from './approvals.ts';
import { issuanceDefinitions } from './definitions.ts';
import { subjectsOf, type Conversation, type ResourceRequest } from './issuance-facts.ts';
import { createServedDocuments } from './served-documents.ts';

export const issuances: Feature = {
  name: 'issuances',
  after: ['authorization', 'grants'],
  kinds: {
    issuance:
      'One request to an authorization server for a code or a token, with what came of it, whatever redirects it took. Complete at the end.',
  },
  facts: { issuance: issuanceDefinitions },
  create: createIssuances,
};

const mostKept = 1000;

function createIssuances({ issuer }: Surroundings): Hooks {
  const known = createKnownAddresses();
  const approvals = createApprovals();
  const documents = createServedDocuments();
  const legs = new Map<string, Leg>();
  const resources = new Map<string, ResourceRequest>();
  /** The newest event about a document of a client. */
  let served = 0;
  const seen: Conversation = {
    approvals: approvals.all,
    documents,
    registrations: [],
    metadata: [],
    tokens: [],
    resources: [],
  };

  function begin(event: TraceEvent): void {
    const leg = legOf(event, known);
    if (legs.size >= mostKept) return;
    if (leg === undefined || leg.kind === 'other') return asResource(event);
    const { kind } = leg;
    legs.set(event.exchange!, leg);
    if (kind === 'authorization') approvals.begin(leg, event);
    else if (kind === 'registration') seen.registrations.push(leg);
    else if (kind === 'token') seen.tokens.push(leg);
  }

  /** A request with a made-up token, to an endpoint that takes tokens. */
  function asResource(event: TraceEvent): void {
    const { headers = {}, origin, path = '/' } = event.http!;
    const key = keyOf(`http://${hostOf(origin, headers)}${path}`);
    const userinfo = seen.metadata.some(({ content }) => keyOf(content?.userinfo_endpoint) === key);
    const credentials = credentialsOf(headers, path);
    if (!userinfo || (credentials !== 'made-up' && credentials !== 'foreign')) return;
    const made: ResourceRequest = { status: 0, events: [event.seq] };
    resources.set(event.exchange!, made);
    seen.resources.push(made);
  }

  function answered(leg: Leg, event: TraceEvent): void {
    if (leg.kind === 'authorization') approvals.answered(leg, event);
    if (!observeLeg(leg, event) || leg.document === undefined) return;
    learnFrom(leg.document, known);
    if (seen.metadata.length < mostKept) seen.metadata.push(leg.document);
  }

  return {
    trace(event) {
      const { exchange, kind } = event;
      if (exchange === undefined) return undefined;
      if (documents.take(event)) {
        served = event.seq;
        return undefined;
      }
      const leg = legs.get(exchange);
      const resource = resources.get(exchange);
      if (leg !== undefined) {
        if (leg.doneSeq === undefined) answered(leg, event);
      } else if (resource !== undefined) {
        resource.events.push(event.seq);
        if (kind === 'http-response') resource.status = event.http?.status ?? 0;
      } else if (kind === 'http-request' && event.from === 'client' && !approvals.follow(event)) begin(event);
      else if (kind !== 'http-request') approvals.follow(event);
      return undefined;
    },
    /** Nothing that is sent to an authorization server is a message of MCP. */
    beside(event) {
      return issuer === undefined && event.seq !== served ? undefined : [];
    },
    traceOver: () => ({ subjects: subjectsOf(seen) }),
  };
}
