/** Keys and access tokens of the test authorization server, by `jose`. The keys live as long as the process, and all servers in it share them: tokens differ by their issuer. */
import { randomUUID } from 'node:crypto';
import {
  exportJWK,
  generateKeyPair,
  jwtVerify,
  SignJWT,
  UnsecuredJWT,
  type GenerateKeyPairResult,
  type JWK,
} from 'jose';

/** Possible single faults of a token. */
export const tokenFaults = [
  'audience-foreign',
  'audience-sibling',
  'audience-list',
  'audience-absent',
  'audience-uppercase',
  'issuer',
  'key',
  'alg-none',
  'expired',
  'not-yet-valid',
  'scope',
] as const;
export type TokenFault = (typeof tokenFaults)[number];

export interface Grant {
  /** Identifier of the resource. */
  audience: string;
  clientId: string;
  /** Scopes, with blanks between. */
  scope: string;
  lifetimeSeconds: number;
  /** Thumbprint of the key that the token is bound to (RFC 9449, 6). */
  boundTo?: string | undefined;
}

/** Claims of a token that passed. */
export interface GoodToken {
  clientId: string;
  scope: string;
  /** Thumbprint of the key that it is bound to. */
  boundTo: string | undefined;
}

/** Private key, header and claims of tokens that are signed elsewhere. */
export interface TokenSigning {
  key: JWK;
  header: Record<string, string>;
  claims: Record<string, unknown>;
}

export interface TokenKeys {
  /** The set that a resource fetches: the public key alone. */
  readonly jwks: { keys: JWK[] };
  /** What another part of the checker needs to sign tokens itself; its claims lack `scope`. */
  signing(grant: Omit<Grant, 'scope'>): Promise<TokenSigning>;
  /** A signed access token (RFC 9068), right or with one fault. */
  issue(grant: Grant, fault?: TokenFault): Promise<string>;
  /** The claims of a good token for the audience; undefined for any other. */
  verify(token: string, audience: string): Promise<GoodToken | undefined>;
}

const algorithm = 'RS256';
const tokenType = 'at+jwt';
const hour = 3600;

/** Making a pair takes a tenth of a second, and many servers are short-lived. */
let shared: Promise<[GenerateKeyPairResult, GenerateKeyPairResult]> | undefined;
const kid = randomUUID();

/** @param issuer what tokens name as their issuer */
export async function createTokenKeys(issuer: string): Promise<TokenKeys> {
  const [own, foreign] = await (shared ??= Promise.all([
    // The key goes to the thread of the check, which signs tokens with the scopes of a challenge.
    generateKeyPair(algorithm, { extractable: true }),
    generateKeyPair(algorithm),
  ]));
  const jwks = { keys: [{ ...(await exportJWK(own.publicKey)), kid, alg: algorithm, use: 'sig' }] };

  function claimsOf({ audience, boundTo, clientId, lifetimeSeconds, scope }: Grant, fault: TokenFault | undefined) {
    const now = Math.floor(Date.now() / 1000);
    const times =
      fault === 'expired'
        ? { iat: now - 2 * hour, nbf: now - 2 * hour, exp: now - hour }
        : fault === 'not-yet-valid'
          ? { iat: now, nbf: now + hour, exp: now + 2 * hour }
          : { iat: now, nbf: now, exp: now + lifetimeSeconds };
    const aud = audienceOf(audience, fault);
    return {
      iss: fault === 'issuer' ? 'https://issuer.mcpc.invalid' : issuer,
      sub: clientId,
      client_id: clientId,
      ...(aud === undefined ? {} : { aud }),
      scope: fault === 'scope' ? 'mcpc:none' : scope,
      jti: randomUUID(),
      ...(boundTo === undefined ? {} : { cnf: { jkt: boundTo } }),
      ...times,
    };
  }

  return {
    jwks,
    async signing(grant) {
      const { scope: _left, ...claims } = claimsOf({ ...grant, scope: '' }, undefined);
      return { key: await exportJWK(own.privateKey), header: { alg: algorithm, typ: tokenType, kid }, claims };
    },
    issue(grant, fault) {
      const claims = claimsOf(grant, fault);
      if (fault === 'alg-none') return Promise.resolve(new UnsecuredJWT(claims).encode());
      return new SignJWT(claims)
        .setProtectedHeader({ alg: algorithm, typ: tokenType, kid })
        .sign((fault === 'key' ? foreign : own).privateKey);
    },
    async verify(token, audience) {
      try {
        const { payload } = await jwtVerify(token, own.publicKey, {
          issuer,
          audience,
          typ: tokenType,
          algorithms: [algorithm],
        });
        const boundTo = (payload.cnf as { jkt?: string } | undefined)?.jkt;
        return { clientId: String(payload.client_id), scope: String(payload.scope ?? ''), boundTo };
      } catch {
        return undefined;
      }
    },
  };
}

/** The audience of a token for a resource, or another one; hosts below `.invalid` do not exist. */
function audienceOf(audience: string, fault: TokenFault | undefined): string | string[] | undefined {
  const foreign = 'https://other.mcpc.invalid/mcp';
  switch (fault) {
    case 'audience-foreign':
      return foreign;
    case 'audience-sibling':
      return siblingOf(audience);
    case 'audience-list':
      return [foreign, 'https://third.mcpc.invalid/mcp'];
    case 'audience-absent':
      return undefined;
    case 'audience-uppercase':
      return audience.replace(/^[^:]+:\/\/[^/?#]*/, (origin) => origin.toUpperCase());
    default:
      return audience;
  }
}

/** Another path on the same host, at the same depth. */
export function siblingOf(audience: string): string {
  if (!/^https?:/.test(audience)) return `${audience}-sibling`;
  const url = new URL(audience);
  const parts = url.pathname.split('/');
  const last = parts.pop()!;
  url.pathname = [...parts, last === '' ? 'mcpc-sibling' : `${last}-mcpc-sibling`].join('/');
  return url.href;
}
