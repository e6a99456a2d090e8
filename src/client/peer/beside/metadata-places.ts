/** Where metadata of authorization lies. Pure. */
import { withoutEndSlashes } from '../../../core/model/end-slashes.ts';

/** RFC 9728, 3.1: between host and path, and at the root. */
export function resourcePlaces(endpoint: URL): string[] {
  const base = `${endpoint.origin}/.well-known/oauth-protected-resource`;
  const path = pathOf(endpoint);
  return path === '' ? [base] : [base + path, base];
}

/** RFC 8414, 3.1 and 5; OpenID Connect Discovery 1.0, 4.1. */
export function serverPlaces(issuer: string): string[] {
  if (!URL.canParse(issuer)) return [];
  const url = new URL(issuer);
  const path = pathOf(url);
  const inserted = ['oauth-authorization-server', 'openid-configuration'].map(
    (name) => `${url.origin}/.well-known/${name}${path}`,
  );
  return path === '' ? inserted : [...inserted, `${url.origin}${path}/.well-known/openid-configuration`];
}

/** The path of an address without slashes at its end. */
export function pathOf({ pathname }: URL): string {
  return withoutEndSlashes(pathname);
}
