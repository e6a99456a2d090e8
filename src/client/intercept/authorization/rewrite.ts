/**
 * Changes the parts of a login that name an origin (in challenges, metadata documents, redirects, queries and forms), no
 * others, and notes what the server's side has there. Pure.
 */

/** Where something was changed, and what the server's side has there. */
export type Rewritten = Record<string, string>;

export interface Changed<Value> {
  value: Value;
  rewritten: Rewritten;
}

/** The address on the other side; undefined where it stays. */
export type Move = (address: string) => string | undefined;

export type DocumentKind = 'resource' | 'server';

type Json = Record<string, unknown>;

const metadataParameter = /(\bresource_metadata\s*=\s*)(?:"([^"]*)"|([^\s,"]+))/gi;

/** The addresses for metadata that a challenge names. */
export function announcedIn(challenge: string): string[] {
  return [...challenge.matchAll(metadataParameter)].map(([, , quoted, bare]) => quoted ?? bare ?? '');
}

export function rewriteChallenge(challenge: string, move: Move): Changed<string> {
  const rewritten: Rewritten = {};
  const value = challenge.replace(metadataParameter, (all, before: string, quoted?: string, bare?: string) => {
    const address = quoted ?? bare ?? '';
    const moved = move(address);
    if (moved === undefined) return all;
    rewritten['www-authenticate.resource_metadata'] = address;
    return `${before}"${moved}"`;
  });
  return { value, rewritten };
}

/** Names of members of a document that hold an address of the server. */
function memberNames(kind: DocumentKind, document: Json): string[] {
  return kind === 'resource'
    ? ['resource']
    : Object.keys(document).filter((name) => name === 'issuer' || name === 'jwks_uri' || name.endsWith('_endpoint'));
}

/** Addresses that a document names as those of authorization servers. */
export function addressesIn(kind: DocumentKind, document: Json): string[] {
  const found: unknown =
    kind === 'resource' ? document.authorization_servers : memberNames(kind, document).map((name) => document[name]);
  return Array.isArray(found) ? found.filter((one): one is string => typeof one === 'string').slice(0, 50) : [];
}

/** A signed copy of the members is left out: it cannot be changed, and would count for more than they do. */
export function rewriteDocument(kind: DocumentKind, document: Json, move: Move): Changed<Json> {
  const rewritten: Rewritten = {};
  const value: Json = { ...document };
  const change = (address: unknown, place: string): unknown => {
    const moved = typeof address === 'string' ? move(address) : undefined;
    if (moved === undefined || moved === address) return address;
    rewritten[place] = address as string;
    return moved;
  };
  for (const name of memberNames(kind, document)) if (name in document) value[name] = change(document[name], name);
  if (kind === 'resource' && Array.isArray(document.authorization_servers))
    value.authorization_servers = document.authorization_servers.map((one: unknown, at) =>
      change(one, `authorization_servers[${at}]`),
    );
  if ('signed_metadata' in document) {
    delete value.signed_metadata;
    rewritten.signed_metadata = 'left out';
  }
  return { value, rewritten };
}

/** The address of a redirect: its origin, and the issuer that it names to the client (RFC 9207). */
export function rewriteRedirect(location: string, move: Move): Changed<string> {
  const rewritten: Rewritten = {};
  const moved = move(location);
  if (moved !== undefined) rewritten['location'] = new URL(location).origin;
  const value = (moved ?? location).replace(/([?&#]iss=)([^&#]*)/, (all, before: string, text: string) => {
    const issuer = decoded(text);
    const own = move(issuer);
    if (own === undefined) return all;
    rewritten['location.iss'] = issuer;
    return before + encodeURIComponent(own);
  });
  return { value, rewritten };
}

/** Parameters that name a resource or an issuer, in a query or a form. All others stay as they were written. */
export function rewriteParameters(text: string, place: string, move: Move): Changed<string> {
  const rewritten: Rewritten = {};
  const pairs = text.split('&').map((pair) => {
    const [, name = '', given = ''] = /^(resource|audience)=(.*)$/s.exec(pair) ?? [];
    const address = decoded(given.replaceAll('+', ' '));
    const moved = name === '' ? undefined : move(address);
    if (moved === undefined) return pair;
    rewritten[`${place}.${name}`] = moved;
    return `${name}=${encodeURIComponent(moved)}`;
  });
  return { value: pairs.join('&'), rewritten };
}

/** A cookie of a site over TLS, as plain HTTP on this machine takes it. */
export function rewriteCookie(cookie: string): string {
  const [pair = '', ...attributes] = cookie.split(';');
  const isBound = /^\s*__(?:host|secure)-/i.test(pair);
  const kept = attributes.filter((one) => {
    const attribute = one.trim().toLowerCase();
    if (attribute.startsWith('domain=')) return false;
    return isBound || (attribute !== 'secure' && attribute !== 'samesite=none');
  });
  return [pair, ...kept].join(';');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
