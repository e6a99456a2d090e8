/**
 * The requests of a login, each with its reply: metadata, registration, authorization, token. Separates them from requests of
 * MCP, and follows them until they are complete. It makes no judgement.
 */
import { BoundedSet } from '../../../model/bounded.ts';
import { asObject, type JsonObject } from '../../../model/json.ts';
import type { HeaderMap, TraceEvent } from '../../../model/trace.ts';
import { header, mediaType } from '../../values/header.ts';
import { addressKey, metadataRequest, observeMetadata, type MetadataExchange } from '../metadata-exchange.ts';

export type LegKind = 'document' | 'registration' | 'authorization' | 'token' | 'other';

export interface Leg {
  kind: LegKind;
  seq: number;
  /** With port, lower case. */
  host: string;
  path: string;
  query: URLSearchParams;
  headers: HeaderMap;
  /** Fields of a form, as far as they were recorded. */
  form?: URLSearchParams;
  /** A JSON object that was sent. */
  sent?: JsonObject;
  status?: number;
  location?: string;
  /** The JSON object of the reply. */
  reply?: JsonObject;
  /** Seq of the event by which it was complete. */
  doneSeq?: number;
  /** A metadata document. */
  document?: MetadataExchange;
  events: number[];
}

/** Addresses that documents named so far. */
export interface KnownAddresses {
  /** Keys of addresses that challenges named for metadata. */
  announced: Set<string>;
  /** Keys of endpoints. */
  registration: Set<string>;
  token: Set<string>;
  /** Hosts of authorization servers. */
  hosts: Set<string>;
}

const mostKnown = 1000;
const known = (): Set<string> => new BoundedSet(mostKnown);

export function createKnownAddresses(): KnownAddresses {
  return { announced: known(), registration: known(), token: known(), hosts: known() };
}

/** Begins a leg; undefined for any other request. */
export function legOf(event: TraceEvent, known: KnownAddresses): Leg | undefined {
  if (event.kind !== 'http-request' || !event.http) return undefined;
  const { headers = {}, method = 'GET', origin } = event.http;
  const [path = '/', ...rest] = (event.http.path ?? '/').split('?');
  const host = hostOf(origin, headers);
  const base = { seq: event.seq, host, path, query: new URLSearchParams(rest.join('?')), headers, events: [event.seq] };
  const document = metadataRequest(event, known.announced);
  if (document && document.kind !== 'endpoint') return { ...base, kind: 'document', document };
  if (method === 'GET' && base.query.has('response_type') && isAuthorization(base.query))
    return { ...base, kind: 'authorization' };
  const key = addressKey(`http://${host}${path}`) ?? '';
  const type = mediaType(headers);
  if (method === 'POST' && type === 'application/x-www-form-urlencoded')
    return known.token.has(key) || path === '/token' || origin !== undefined ? { ...base, kind: 'token' } : undefined;
  if (method === 'POST' && (known.registration.has(key) || path === '/register'))
    return { ...base, kind: 'registration' };
  return origin !== undefined && known.hosts.has(host) ? { ...base, kind: 'other' } : undefined;
}

function isAuthorization(query: URLSearchParams): boolean {
  return query.has('client_id') || query.has('redirect_uri') || query.has('code_challenge');
}

/** Takes in an event behind the request; true once the leg is complete. */
export function observeLeg(leg: Leg, event: TraceEvent): boolean {
  if (leg.events.length < 20 && event.kind !== 'http-request') leg.events.push(event.seq);
  const over = leg.document ? observeMetadata(leg.document, event) : observeReply(leg, event);
  if (over) leg.doneSeq = event.seq;
  if (over && leg.document?.status !== undefined) leg.status = leg.document.status;
  return over;
}

function observeReply(leg: Leg, event: TraceEvent): boolean {
  if (event.from === 'client') {
    if (event.kind === 'unparsable' && leg.kind === 'token') leg.form = new URLSearchParams(event.raw ?? '');
    const sent = event.kind === 'message' ? asObject(event.message) : undefined;
    if (sent) leg.sent = sent;
    return event.kind === 'closed';
  }
  if (event.kind === 'http-response') {
    leg.status = event.http?.status ?? 0;
    const location = header(event.http?.headers, 'location');
    if (location !== undefined) leg.location = location;
    return (event.http?.bodyBytes ?? 0) === 0 || event.http?.body !== undefined;
  }
  const reply = event.kind === 'message' ? asObject(event.message) : undefined;
  if (reply) leg.reply = reply;
  return true;
}

/** Learns the addresses that a document names. */
export function learnFrom({ content, kind }: MetadataExchange, known: KnownAddresses): void {
  if (content === undefined) return;
  const add = (set: Set<string>, value: string | undefined): void => {
    if (value !== undefined) set.add(value);
  };
  const hostIn = (value: unknown): string | undefined =>
    typeof value === 'string' && URL.canParse(value) ? new URL(value).host : undefined;
  const keyIn = (value: unknown): string | undefined => (typeof value === 'string' ? addressKey(value) : undefined);
  if (kind === 'resource') {
    const listed = Array.isArray(content.authorization_servers) ? (content.authorization_servers as unknown[]) : [];
    for (const one of listed.slice(0, 20)) add(known.hosts, hostIn(one));
    return;
  }
  add(known.registration, keyIn(content.registration_endpoint));
  add(known.token, keyIn(content.token_endpoint));
  for (const name of ['issuer', 'authorization_endpoint', 'token_endpoint', 'registration_endpoint'])
    add(known.hosts, hostIn(content[name]));
}

export function hostOf(origin: string | undefined, headers: HeaderMap): string {
  const text =
    origin === undefined ? (header(headers, 'host') ?? '') : URL.canParse(origin) ? new URL(origin).host : origin;
  return text.toLowerCase();
}
