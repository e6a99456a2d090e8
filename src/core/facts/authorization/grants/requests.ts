/** Parts of the requests of a login as facts show them: resource, redirect address, scopes, client id. */
import type { JsonObject } from '../../../model/json.ts';
import { isLoopbackHost } from '../../values/loopback.ts';
import { addressKey, fitOf } from '../metadata-exchange.ts';
import type { Resource } from './attempt.ts';
import type { Leg } from './legs.ts';

export interface NamedResource {
  given: boolean;
  value?: string;
  /** `fits`: the endpoint, what holds it, or the resource of its metadata; else `other-path` or `other-host`. */
  fit?: string;
  /** It has a scheme, and no fragment. */
  absolute?: boolean;
  /** It has a slash at the end that neither the endpoint nor its metadata has, behind a path. */
  slash?: boolean;
  /** It is the origin alone, where the metadata of the resource names a path. */
  originAlone?: boolean;
}

/** The resource parameter of a request: of several the one that fits. @param metadata of the resource */
export function namedResource(
  parameters: URLSearchParams,
  resource: Resource,
  metadata: JsonObject | undefined,
): NamedResource {
  const values = parameters.getAll('resource').slice(0, 10);
  if (values.length === 0) return { given: false };
  const own = typeof metadata?.resource === 'string' ? metadata.resource : undefined;
  const fits = values.map((value) => (value === own ? 'fits' : fitOf(value, resource)));
  const at = Math.max(0, fits.indexOf('fits'));
  const value = values[at]!;
  const path = URL.canParse(value) ? new URL(value).pathname : '/';
  const ownPath = own !== undefined && URL.canParse(own) ? new URL(own).pathname : '/';
  return {
    given: true,
    value,
    fit: fits[at]!,
    absolute: /^[a-z][a-z0-9+.-]{0,30}:\/\//i.test(value) && !value.includes('#'),
    slash: value.endsWith('/') && path !== '/' && resource.slashed !== true && own?.endsWith('/') !== true,
    originAlone: path === '/' && ownPath !== '/',
  };
}

/** `loopback`, `https`, `http` (elsewhere), `private` (another scheme) or `absent`. */
export function redirectSort(address: string | null | undefined): string {
  if (address === null || address === undefined) return 'absent';
  if (!URL.canParse(address)) return 'private';
  const { hostname, protocol } = new URL(address);
  if (protocol === 'https:') return 'https';
  if (protocol !== 'http:') return 'private';
  return isLoopbackHost(hostname) ? 'loopback' : 'http';
}

/** Equal, but for the port of a loopback address (RFC 8252, 7.3). */
export function isSameRedirect(one: string, other: string): boolean {
  if (one === other) return true;
  if (redirectSort(one) !== 'loopback' || redirectSort(other) !== 'loopback') return false;
  const [a, b] = [new URL(one), new URL(other)];
  return a.hostname === b.hostname && a.pathname === b.pathname && a.search === b.search;
}

/** `url`: the address of a metadata document, `unfit-url`: without https or path, `plain`: any other, or `absent`. */
export function clientIdSort(id: string | null | undefined): string {
  if (id === null || id === undefined || id === '') return 'absent';
  if (!/^https?:\/\//i.test(id) || !URL.canParse(id)) return 'plain';
  const { hash, pathname, protocol } = new URL(id);
  return protocol === 'https:' && pathname.length > 1 && hash === '' ? 'url' : 'unfit-url';
}

export function scopesIn(text: unknown): string[] {
  return typeof text === 'string' ? text.split(' ').filter((one) => one !== '') : [];
}

/** The way in which a client authenticates at the token endpoint. */
export function authenticationOf({ form, headers }: Leg): string {
  if (headers.authorization !== undefined) return /^basic\s/i.test(String(headers.authorization)) ? 'basic' : 'other';
  if (form?.has('client_assertion')) return 'assertion';
  return form?.has('client_secret') ? 'post' : 'none';
}

/**
 * Parameters of the address to which an authorization request was sent back. Its own reply has it, or a later page of the
 * authorization server.
 *
 * @param later the legs behind it, up to the next authorization request
 */
export function redirected(leg: Leg, later: readonly Leg[]): URLSearchParams | undefined {
  const redirect = leg.query.get('redirect_uri');
  const pages = later.filter(({ host, kind }) => kind === 'other' && host === leg.host);
  for (const { location } of [leg, ...pages]) {
    if (location === undefined || !URL.canParse(location)) continue;
    const back = new URL(location).searchParams;
    const isBack = redirect === null ? back.has('code') || back.has('error') : isAt(location, redirect);
    if (isBack) return back;
  }
  return undefined;
}

/** True for an address that differs from the other in its query alone. */
function isAt(address: string, other: string): boolean {
  if (!URL.canParse(other)) return address.startsWith(other);
  const [a, b] = [new URL(address), new URL(other)];
  return a.protocol === b.protocol && a.host === b.host && a.pathname === b.pathname;
}

export function keyOf(address: unknown): string | undefined {
  return typeof address === 'string' ? addressKey(address) : undefined;
}

/** Texts of a list, at most 50. */
export function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string').slice(0, 50) : [];
}
