/**
 * Follows what an authorization server does with requests for codes and tokens: makes an `issuance` subject of each, with
 * what the trace shows of the client and of what came of it.
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

  /** An endpoint that takes tokens, asked with one that nobody gave. */
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
      if (exchange === undefined || documents.take(event)) return undefined;
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
    beside: () => (issuer === undefined ? undefined : []),
    traceOver: () => ({ subjects: subjectsOf(seen) }),
  };
}
