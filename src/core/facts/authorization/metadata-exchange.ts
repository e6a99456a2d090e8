/**
 * Requests outside the MCP endpoint by which a client discovers authorization: metadata of the protected resource (RFC
 * 9728) and of authorization servers (RFC 8414, OpenID Connect Discovery), and the default endpoints of revision
 * 2025-03-26. Classifies such a request and its reply.
 */
import { withoutEndSlashes } from '../../model/end-slashes.ts';
import { asObject, type JsonObject } from '../../model/json.ts';
import type { HeaderMap, TraceEvent } from '../../model/trace.ts';
import { header } from '../values/header.ts';

/**
 * `resource`: of the protected resource. `oauth`, `openid`: of an authorization server, in one of the two forms.
 * `endpoint`: no metadata, but a default endpoint.
 */
export type DocumentKind = 'resource' | 'oauth' | 'openid' | 'endpoint';

/** `found`, `absent` (the server says that it does not exist) or `unclear`. */
export type Presence = 'found' | 'absent' | 'unclear';

export interface MetadataExchange {
  kind: DocumentKind;
  /** Host with port, lower case. */
  host: string;
  /** Path without query. */
  path: string;
  /** Subject of the document: host and path without a slash at the end. */
  subject: string;
  status?: number;
  /** The document, if the reply is a JSON object. */
  content?: JsonObject;
  /** Places in it that a proxy changed, with the value on the server's side. */
  rewritten?: Readonly<Record<string, string>>;
  /** JSON is still to come for the reply. */
  awaitsBody: boolean;
  /** The reply may be a document, but was not read as one. */
  unread: boolean;
  events: number[];
}

const defaultEndpoints = new Set(['/authorize', '/token', '/register']);
const wellKnown =
  /^(.*)\/\.well-known\/(oauth-protected-resource|oauth-authorization-server|openid-configuration)(\/.*)?$/s;
const kinds: Record<string, DocumentKind> = {
  'oauth-protected-resource': 'resource',
  'oauth-authorization-server': 'oauth',
  'openid-configuration': 'openid',
};
/** Members of such a document, at least one of which is present, so that a page for any address does not count. */
const marks: Record<DocumentKind, readonly string[]> = {
  resource: ['resource', 'authorization_servers'],
  oauth: ['issuer', 'authorization_endpoint', 'token_endpoint'],
  openid: ['issuer', 'authorization_endpoint', 'token_endpoint'],
  endpoint: [],
};

/** Begins an exchange, if the request is of this sort. */
export function metadataRequest(event: TraceEvent, announced: ReadonlySet<string>): MetadataExchange | undefined {
  if (event.kind !== 'http-request' || !event.http) return undefined;
  const { origin, headers = {} } = event.http;
  const host = hostOf(origin, headers);
  const path = (event.http.path ?? '/').split(/[?#]/)[0]!;
  const base = { host, path, awaitsBody: false, unread: false, events: [event.seq] };
  const known = wellKnown.exec(path);
  if (known)
    return { ...base, kind: kinds[known[2]!]!, subject: subjectOf(host, `${known[1] ?? ''}${known[3] ?? ''}`) };
  // A challenge may name any address for the metadata of the resource.
  if (announced.has(subjectOf(host, path)) && event.http.method === 'GET')
    return { ...base, kind: 'resource', subject: host };
  const speaksMcp =
    (header(headers, 'accept') ?? '').includes('text/event-stream') ||
    (header(headers, 'content-type') ?? '').includes('json');
  return defaultEndpoints.has(path) && !speaksMcp ? { ...base, kind: 'endpoint', subject: host } : undefined;
}

/** Host and path of an address by which it is compared; undefined when it is none. */
export function addressKey(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { host, pathname } = new URL(text);
  return subjectOf(host, pathname);
}

function subjectOf(host: string, path: string): string {
  return `${host.toLowerCase()}${withoutEndSlashes(path)}`;
}

function hostOf(origin: string | undefined, headers: HeaderMap): string {
  const text =
    origin === undefined ? (header(headers, 'host') ?? '') : URL.canParse(origin) ? new URL(origin).host : origin;
  return text.toLowerCase();
}

/** Takes in what follows the request; true at the end of the exchange. */
export function observeMetadata(exchange: MetadataExchange, event: TraceEvent): boolean {
  exchange.events.push(event.seq);
  if (event.kind === 'http-response') {
    exchange.status = event.http?.status ?? 0;
    if (event.http?.rewritten !== undefined) exchange.rewritten = event.http.rewritten;
    exchange.awaitsBody = (event.http?.bodyBytes ?? 0) > 0 && event.http?.body === undefined;
    exchange.unread = /^\s*\{/.test(event.http?.body ?? '');
    return !exchange.awaitsBody;
  }
  if (event.from === 'client') return false;
  if (event.kind === 'message') {
    const content = asObject(event.message);
    if (content) exchange.content = content;
  } else if (event.kind !== 'unparsable') exchange.unread = true;
  return event.kind !== 'timeout';
}

export function presenceOf({ kind, status, content, unread }: MetadataExchange): Presence {
  if (status === undefined) return 'unclear';
  if (kind === 'endpoint') {
    if (status === 404 || status === 410) return 'absent';
    return (status >= 200 && status < 400) || [400, 405, 406, 415, 422].includes(status) ? 'found' : 'unclear';
  }
  if ([400, 404, 405, 406, 410].includes(status)) return 'absent';
  // Who needs the document has no token yet.
  if (kind === 'resource' && status === 401) return 'absent';
  if (status !== 200) return 'unclear';
  if (content) return marks[kind].some((name) => name in content) ? 'found' : 'absent';
  // A page that is no JSON object is no document, whatever it is.
  return unread ? 'unclear' : 'absent';
}

/**
 * Whether a resource is the endpoint, or holds it; `other-path` is certain, since the server names its own host. Another
 * host may be the public one of a server that is checked at its local address.
 */
export function fitOf(
  resource: string,
  { host, path }: { host: string; path: string },
): 'fits' | 'other-path' | 'other-host' {
  const key = addressKey(resource);
  if (fits(key, host, path)) return 'fits';
  return key !== undefined && host !== '' && (key === host || key.startsWith(`${host}/`)) ? 'other-path' : 'other-host';
}

/** True if a resource is the endpoint, or contains it. */
function fits(key: string | undefined, host: string, path: string): boolean {
  return key !== undefined && (`${host}${path}` === key || `${host}${path}`.startsWith(`${key}/`));
}
