/**
 * Changes one exchange of a proxy that relays logins, so that the client finds the proxy in place of the server and of
 * its authorization servers. All requests of MCP and their replies pass as they are, but for the challenge of a refusal.
 */
import { headerMap, isJsonType, mediaType } from '../../transport/network/http-headers.ts';
import type { HeaderMap } from '../../../core/model/trace.ts';
import { asObject, type JsonObject } from '../../../core/model/json.ts';
import type { Origins } from './origins.ts';
import {
  addressesIn,
  announcedIn,
  rewriteChallenge,
  rewriteCookie,
  rewriteDocument,
  rewriteParameters,
  rewriteRedirect,
  type Changed,
  type DocumentKind,
  type Rewritten,
} from './rewrite.ts';

type Pairs = readonly (readonly [string, string])[];

export interface RequestHead {
  method: string;
  /** Path with query. */
  path: string;
  headers: Pairs;
}

export interface Turned<Body> {
  headers: [string, string][];
  body: Body;
  rewritten: Rewritten;
}

/** The changes of one exchange. */
export interface Turn {
  /** Of the trace: where the request goes, when it is not the endpoint of MCP. */
  origin: string | undefined;
  /** Bodies hold what people enter, and are not recorded. */
  isPrivate: boolean;
  /** The body of the request has to be whole before it is sent on. */
  holdsRequest: boolean;
  onward(body: Buffer | undefined): Turned<Buffer | undefined> & { path: string };
  /** `whole`: the body of the reply is needed, `head`: its headers alone; undefined: it passes as it is. */
  needs(status: number, headers: HeaderMap): 'whole' | 'head' | undefined;
  /** @param body decoded, where it was asked for */
  back(status: number, headers: Pairs, body: Buffer | undefined): Promise<Turned<Buffer | undefined>>;
}

/** Addresses that the listeners of one run learn from documents; by origin and path on the server's side. */
export interface Learned {
  announced: Set<string>;
  endpoints: Map<string, ExchangeKind>;
  /** Paths that a redirect led to. */
  pages: Set<string>;
}

export type ExchangeKind = 'document' | 'authorization' | 'token' | 'registration' | 'page' | 'mcp';

export interface Listener {
  /** On the server's side. */
  origin: string;
  /** On this machine. */
  local: string;
  /** Path of the endpoint of MCP; undefined where there is none. */
  endpoint?: string;
}

const mostLearned = 1000;
const wellKnown = /\/\.well-known\/(oauth-protected-resource|oauth-authorization-server|openid-configuration)(?:\/|$)/;
const form = 'application/x-www-form-urlencoded';
/** The default endpoints of revision 2025-03-26. */
const defaults = new Map<string, ExchangeKind>([
  ['/authorize', 'authorization'],
  ['/token', 'token'],
  ['/register', 'registration'],
]);
const endpointKinds: Record<string, ExchangeKind> = {
  authorization_endpoint: 'authorization',
  token_endpoint: 'token',
  pushed_authorization_request_endpoint: 'token',
  registration_endpoint: 'registration',
};

export function createLearned(): Learned {
  return { announced: new Set(), endpoints: new Map(), pages: new Set() };
}

/** The changes of an exchange at a listener. */
export function turnOf(head: RequestHead, listener: Listener, origins: Origins, learned: Learned): Turn {
  const kind = kindOf(head, listener, learned);
  const isOutside = listener.endpoint === undefined || kind === 'page';
  return {
    origin: isOutside ? listener.local : undefined,
    isPrivate: kind === 'page' || kind === 'authorization',
    holdsRequest: kind !== 'mcp' && head.method === 'POST' && mediaType(headerMap(head.headers)) === form,
    onward: (body) =>
      kind === 'mcp' ? { ...head, headers: copyOf(head.headers), body, rewritten: {} } : onward(head, body, origins),
    needs(status, headers) {
      if (kind === 'mcp') return status === 401 || status === 403 ? 'head' : undefined;
      if (status >= 300) return 'head';
      const type = mediaType(headers);
      return isJsonType(type) || (type === 'text/html' && kind !== 'document') ? 'whole' : 'head';
    },
    back: (status, headers, body) =>
      back(kind, { status, headers, body, path: pathOf(head.path) }, listener, origins, learned),
  };
}

function kindOf(
  { headers, method, path: full }: RequestHead,
  { endpoint, origin }: Listener,
  learned: Learned,
): ExchangeKind {
  const path = pathOf(full);
  const key = origin + path;
  if (method === 'GET' && (wellKnown.test(path) || learned.announced.has(key))) return 'document';
  if (path === endpoint) return 'mcp';
  const known = learned.endpoints.get(key);
  if (known !== undefined) return known;
  if (endpoint === undefined) return 'page';
  const usual = defaults.get(path);
  if (usual !== undefined) return usual;
  const accepts = headers.find(([name]) => name.toLowerCase() === 'accept')?.[1] ?? '';
  return learned.pages.has(key) || accepts.includes('text/html') ? 'page' : 'mcp';
}

function onward({ headers, path }: RequestHead, body: Buffer | undefined, { behind }: Origins) {
  const [place = '/', query] = splitOnce(path, '?');
  const asked: Changed<string> | undefined =
    query === undefined ? undefined : rewriteParameters(query, 'query', behind);
  const sent = body === undefined ? undefined : rewriteParameters(body.toString('latin1'), 'form', behind);
  const value = sent === undefined ? body : Buffer.from(sent.value, 'latin1');
  const passed = headers
    // The reply has to be read here.
    .filter(([name]) => name.toLowerCase() !== 'accept-encoding')
    .map(([name, text]): [string, string] => {
      if (/^(?:origin|referer)$/i.test(name)) return [name, behind(text) ?? text];
      return /^content-length$/i.test(name) && value !== undefined ? [name, String(value.length)] : [name, text];
    });
  return {
    path: asked === undefined ? path : `${place}?${asked.value}`,
    headers: [...passed, ['Accept-Encoding', 'identity'] as [string, string]],
    body: value,
    rewritten: { ...asked?.rewritten, ...sent?.rewritten },
  };
}

interface Reply {
  status: number;
  headers: Pairs;
  body: Buffer | undefined;
  /** Of the request. */
  path: string;
}

async function back(
  kind: ExchangeKind,
  reply: Reply,
  listener: Listener,
  origins: Origins,
  learned: Learned,
): Promise<Turned<Buffer | undefined>> {
  const rewritten: Rewritten = {};
  const headers = await turnedHeaders(kind, reply, listener, origins, learned, rewritten);
  if (reply.body === undefined) return { headers, body: undefined, rewritten };
  const body = await turnedBody(kind, reply, listener, origins, learned, rewritten);
  const named = new Set(['content-length', 'content-encoding', 'transfer-encoding']);
  return {
    headers: [...headers.filter(([name]) => !named.has(name.toLowerCase())), ['Content-Length', String(body.length)]],
    body,
    rewritten,
  };
}

async function turnedHeaders(
  kind: ExchangeKind,
  { headers, path, status }: Reply,
  { origin }: Listener,
  { admit, local }: Origins,
  learned: Learned,
  rewritten: Rewritten,
): Promise<[string, string][]> {
  const turned: [string, string][] = [];
  const take = ({ rewritten: more, value }: Changed<string>): string => {
    Object.assign(rewritten, more);
    return value;
  };
  for (const [name, value] of headers) {
    const key = name.toLowerCase();
    if (key === 'www-authenticate') {
      const addresses = announcedIn(value);
      await admit(addresses);
      for (const one of addresses)
        if (URL.canParse(one)) learn(learned.announced, new URL(one).origin + new URL(one).pathname);
      turned.push([name, take(rewriteChallenge(value, local))]);
    } else if (kind !== 'mcp' && key === 'location' && status >= 300 && status < 400) {
      // The login goes on there.
      const next = URL.canParse(value, origin + path) ? new URL(value, origin + path) : undefined;
      if (next?.origin === origin) learn(learned.pages, origin + next.pathname);
      turned.push([name, take(rewriteRedirect(value, local))]);
    } else if (kind !== 'mcp' && key === 'content-security-policy')
      turned.push([name, value.replaceAll(origin, local(origin) ?? origin)]);
    else turned.push([name, kind !== 'mcp' && key === 'set-cookie' ? rewriteCookie(value) : value]);
  }
  return turned;
}

async function turnedBody(
  kind: ExchangeKind,
  { body = Buffer.alloc(0), headers, path }: Reply,
  { origin, local }: Listener,
  origins: Origins,
  learned: Learned,
  rewritten: Rewritten,
): Promise<Buffer> {
  if (mediaType(headerMap(headers)) === 'text/html') {
    const text = body.toString('latin1');
    const turned = text.replaceAll(origin, local);
    if (turned !== text) rewritten.body = origin;
    return Buffer.from(turned, 'latin1');
  }
  const document = kind === 'document' || kind === 'registration' ? objectIn(body) : undefined;
  if (document === undefined) return body;
  const changed =
    kind === 'registration'
      ? registration(document, origins)
      : await turnedDocument(documentKind(path), document, origins, learned);
  Object.assign(rewritten, changed.rewritten);
  return Object.keys(changed.rewritten).length === 0 ? body : Buffer.from(JSON.stringify(changed.value));
}

async function turnedDocument(
  kind: DocumentKind,
  document: JsonObject,
  { admit, local }: Origins,
  { endpoints }: Learned,
): Promise<Changed<JsonObject>> {
  await admit(addressesIn(kind, document));
  if (kind === 'server')
    for (const [name, value] of Object.entries(document)) {
      if (typeof value !== 'string' || !URL.canParse(value) || endpoints.size >= mostLearned) continue;
      if (!name.endsWith('_endpoint') && name !== 'jwks_uri') continue;
      const { origin, pathname } = new URL(value);
      endpoints.set(origin + pathname, endpointKinds[name] ?? 'page');
    }
  return rewriteDocument(kind, document, local);
}

function registration(document: JsonObject, { local }: Origins): Changed<JsonObject> {
  const own = document.registration_client_uri;
  const moved = typeof own === 'string' ? local(own) : undefined;
  if (moved === undefined) return { value: document, rewritten: {} };
  return {
    value: { ...document, registration_client_uri: moved },
    rewritten: { registration_client_uri: own as string },
  };
}

function documentKind(path: string): DocumentKind {
  const name = wellKnown.exec(path)?.[1];
  return name === undefined || name === 'oauth-protected-resource' ? 'resource' : 'server';
}

function learn(set: Set<string>, value: string): void {
  if (set.size < mostLearned) set.add(value);
}

function copyOf(headers: Pairs): [string, string][] {
  return headers.map(([name, value]) => [name, value]);
}

function pathOf(path: string): string {
  return splitOnce(path, '?')[0]!;
}

function splitOnce(text: string, by: string): string[] {
  const at = text.indexOf(by);
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

function objectIn(body: Buffer): JsonObject | undefined {
  try {
    return asObject(JSON.parse(body.toString()));
  } catch {
    return undefined;
  }
}
