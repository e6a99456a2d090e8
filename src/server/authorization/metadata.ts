/** The documents by which a client finds the test authorization server: RFC 9728, RFC 8414, OpenID Connect Discovery 1.0. */
import { methodsTaken } from './clients.ts';
import { bindsTokens, proofAlgorithms } from './dpop.ts';
import type { Difference } from './deviations.ts';

type Has = (deviation: Difference) => boolean;
type Json = Record<string, unknown>;

/** Scopes of every token, further scopes of tool calls, and one that no token has. */
export const scopes = { use: 'mcpc:use', tools: 'mcpc:tools', never: 'mcpc:never', offline: 'offline_access' } as const;

const known = '/.well-known/';
const otherIssuer = 'https://issuer.mcpc.invalid';

/** The path of the issuer; empty without one. */
export function issuerPath(has: Has): string {
  return has('issuer-with-path') || has('openid-appended') ? '/tenant' : '';
}

/** Scopes that the authorization server grants. */
export function grantable(has: Has): string[] {
  return [scopes.use, scopes.tools, ...(has('offline-access') ? [scopes.offline] : [])];
}

/**
 * The documents of the authorization server by their path.
 *
 * @param grants in place of the ordinary ones
 */
export function serverDocuments(origin: string, has: Has, grants?: readonly string[]): ReadonlyMap<string, Json> {
  if (has('default-paths') || has('metadata-absent')) return new Map();
  const path = issuerPath(has);
  const content = {
    ...serverContent(`${origin}${path}`, origin, has),
    ...(grants === undefined ? {} : { grant_types_supported: grants }),
  };
  const openid = {
    ...content,
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    userinfo_endpoint: `${origin}/userinfo`,
  };
  const inserted = `${known}openid-configuration${path}`;
  const appended = `${path}${known}openid-configuration`;
  if (has('openid-appended')) return new Map([[appended, openid]]);
  return new Map([
    ...(has('openid-only') ? [] : [[`${known}oauth-authorization-server${path}`, content] as const]),
    [inserted, openid],
    [appended, openid],
  ]);
}

/** @param issuer as the document names it, unless it is to differ */
export function serverContent(issuer: string, origin: string, has: Has): Json {
  const endpoint = has('address-javascript')
    ? 'javascript:alert(document.domain)//'
    : has('address-file')
      ? 'file:///etc/hostname'
      : `${origin}/authorize`;
  const registers = !has('registration-absent') && !has('metadata-documents');
  const methods = methodsTaken(has);
  return {
    issuer: has('issuer-differs') ? otherIssuer : issuer,
    authorization_endpoint: endpoint,
    token_endpoint: `${origin}/token`,
    jwks_uri: `${origin}/jwks`,
    ...(registers ? { registration_endpoint: `${origin}/register` } : {}),
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token', 'client_credentials'],
    token_endpoint_auth_methods_supported: methods,
    ...(bindsTokens(has) ? { dpop_signing_alg_values_supported: proofAlgorithms } : {}),
    ...(methods.includes('private_key_jwt')
      ? { token_endpoint_auth_signing_alg_values_supported: ['RS256', 'ES256'] }
      : {}),
    ...(has('pkce-unadvertised')
      ? {}
      : { code_challenge_methods_supported: [has('pkce-plain-only') ? 'plain' : 'S256'] }),
    ...(takesDocuments(has) ? { client_id_metadata_document_supported: true } : {}),
    ...(announcesIssuer(has) ? { authorization_response_iss_parameter_supported: true } : {}),
    scopes_supported: grantable(has),
    ...(has('endpoint-insecure') ? { revocation_endpoint: 'http://auth.mcpc.invalid/revoke' } : {}),
  };
}

/** Addresses of metadata documents are taken as client ids. */
export function takesDocuments(has: Has): boolean {
  return !has('registration-absent') && !has('registration-refused') && !has('registration-dynamic-only');
}

/** A server of 2025-03-26: resources have no metadata, and redirects no iss. */
function isLegacy(has: Has): boolean {
  return has('resource-metadata-absent') || has('default-paths');
}

/** RFC 9207, 3. */
export function announcesIssuer(has: Has): boolean {
  return !has('iss-flag-absent') && !has('iss-unannounced') && !has('iss-wrong-unannounced') && !isLegacy(has);
}

/** The `iss` of a redirect; undefined for none. */
export function issuerInRedirect(issuer: string, has: Has): string | undefined {
  if (has('iss-lacking') || has('iss-absent') || has('iss-unannounced') || isLegacy(has)) return undefined;
  if (has('iss-wrong') || has('iss-wrong-unannounced') || has('iss-in-error')) return otherIssuer;
  if (has('iss-slash')) return issuer.endsWith('/') ? issuer.slice(0, -1) : `${issuer}/`;
  return issuer;
}

/** Where the metadata of a resource lies, and what it says; no path where there is none. */
export function resourceDocument(
  resource: URL,
  issuer: string,
  has: Has,
): { paths: readonly string[]; content: Json; announced?: string } {
  const place = resource.pathname === '/' ? '' : resource.pathname;
  const root = `${known}oauth-protected-resource`;
  const content = {
    resource: has('resource-foreign') ? 'https://other.mcpc.invalid/mcp' : resource.href,
    authorization_servers: [issuer],
    ...(has('scope-nowhere') || has('scope-in-challenge') ? {} : { scopes_supported: [scopes.use, scopes.tools] }),
    bearer_methods_supported: ['header'],
  };
  if (isLegacy(has)) return { paths: [], content };
  if (has('resource-metadata-at-root')) return { paths: [root], content };
  const path = has('resource-metadata-elsewhere') ? '/about/resource.json' : `${root}${place}`;
  const isAnnounced = !has('challenge-without-metadata') && !has('challenge-absent');
  return { paths: [path], content, ...(isAnnounced ? { announced: `${resource.origin}${path}` } : {}) };
}
