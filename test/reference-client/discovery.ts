/** How the reference client finds the authorization server of a resource. */
import type { Json } from '../../src/core/faults/operators.ts';
import type { Seams } from './seams.ts';

/** Metadata of an authorization server; `isFound` is false for the default endpoints of 2025-03-26. */
export type FoundServer = Json & { isFound: boolean };

const known = '/.well-known/';

/** The parameters of a Bearer challenge. */
export function parametersOf(challenge: string): Record<string, string> {
  return Object.fromEntries([...challenge.matchAll(/([a-z_]+)="([^"]*)"/g)].map(([, name, value]) => [name!, value!]));
}

async function documentAt(address: string, seams: Seams, signal: AbortSignal): Promise<Json | undefined> {
  const headers: Record<string, string> = {
    accept: 'application/json',
    ...(seams.keeps('name-the-version') ? { 'mcp-protocol-version': '2025-11-25' } : {}),
  };
  const response = await fetch(address, { headers, signal }).catch(() => undefined);
  if (response?.ok) return (await response.json()) as Json;
  await response?.body?.cancel();
  return undefined;
}

async function firstOf(addresses: readonly string[], seams: Seams, signal: AbortSignal): Promise<Json | undefined> {
  for (const address of addresses) {
    const found = await documentAt(address, seams, signal);
    if (found !== undefined) return found;
    if (!seams.keeps('look-everywhere')) return undefined;
  }
  return undefined;
}

/** The metadata of the resource; undefined where there is none. @param announced where the challenge says that it lies */
export async function readResource(
  url: string,
  announced: string | undefined,
  seams: Seams,
  signal: AbortSignal,
): Promise<Json | undefined> {
  if (!seams.keeps('read-resource-metadata')) return undefined;
  const { origin, pathname } = new URL(url);
  const places = [`${origin}${known}oauth-protected-resource${pathname}`, `${origin}${known}oauth-protected-resource`];
  const inOrder = seams.keeps('look-at-the-path-first') ? places : places.toReversed();
  return firstOf(announced !== undefined && seams.keeps('follow-the-challenge') ? [announced] : inOrder, seams, signal);
}

export async function findServer(
  url: string,
  resource: Json | undefined,
  seams: Seams,
  signal: AbortSignal,
): Promise<FoundServer> {
  const { origin } = new URL(url);
  const listed = (resource?.authorization_servers ?? []) as string[];
  const issuer = listed[0] ?? origin;
  const base = new URL(issuer);
  const own = resource === undefined && !seams.keeps('look-at-the-root') ? new URL(url) : base;
  const path = own.pathname === '/' ? '' : own.pathname;
  const places = [
    `${base.origin}${known}oauth-authorization-server${path}`,
    `${base.origin}${known}openid-configuration${path}`,
    ...(path === '' ? [] : [`${base.origin}${path}${known}openid-configuration`]),
  ];
  const inOrder = seams.keeps('ask-oauth-first') ? places : places.toReversed();
  const wanted = seams.keeps('read-server-metadata') ? inOrder : [];
  const found = await firstOf(wanted, seams, signal);
  if (found === undefined) {
    // What a client of 2025-03-26 does without metadata.
    if (resource !== undefined) throw new Error('the authorization server has no metadata');
    return {
      isFound: false,
      issuer: origin,
      authorization_endpoint: seams.keeps('use-default-paths') ? `${origin}/authorize` : `${origin}/oauth2/authorize`,
      token_endpoint: `${origin}/token`,
      registration_endpoint: `${origin}/register`,
    };
  }
  if (listed.length > 0 && found.issuer !== issuer && seams.keeps('check-the-issuer'))
    throw new Error('the metadata is of another issuer');
  return { ...found, isFound: true };
}
