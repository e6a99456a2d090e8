/** Proofs of possession (RFC 9449): tests the proof in a DPoP header, and that it is fresh and of the right key. */
import { BoundedSet } from '../../core/model/bounded.ts';
import { createHash, randomUUID } from 'node:crypto';
import { calculateJwkThumbprint, EmbeddedJWK, jwtVerify } from 'jose';
import type { Deviation } from './deviations.ts';
import type { AuthRequest } from './exchange.ts';

/** Algorithms that proofs may be signed by: asymmetric ones alone (RFC 9449, 4.3). */
export const proofAlgorithms = ['ES256', 'RS256', 'PS256', 'EdDSA'];

/** Tokens are bound to keys where clients prove them. */
export function bindsTokens(has: (deviation: Deviation) => boolean): boolean {
  return has('dpop') || has('dpop-nonce');
}

/** A good proof. */
export interface Proof {
  /** Thumbprint of its key, which tokens name in `cnf.jkt`. */
  thumbprint: string;
  /** The proof has the nonce of this server. */
  hasNonce: boolean;
}

export interface ProofTester {
  /** Proofs have to name it, where the server wants a nonce. */
  readonly nonce: string;
  /**
   * Tests the proof of a request; a sentence says what is wrong with it.
   *
   * @param token that comes with it, at a resource
   */
  test(request: AuthRequest, token?: string): Promise<Proof | string>;
}

const mostSeen = 10_000;
const toleranceSeconds = 300;

export function createProofTester(): ProofTester {
  const nonce = `mcpc-nonce-${randomUUID()}`;
  const seen = new BoundedSet<string>(mostSeen);
  return {
    nonce,
    async test({ headers, method, url }, token) {
      const { dpop } = headers;
      // Node joins headers of one name by a comma, which no proof contains.
      if (dpop === undefined || dpop.includes(',')) return 'A request needs one DPoP header';
      try {
        const { payload, protectedHeader } = await jwtVerify(dpop, EmbeddedJWK, {
          typ: 'dpop+jwt',
          algorithms: proofAlgorithms,
          requiredClaims: ['jti', 'htm', 'htu', 'iat'],
          maxTokenAge: toleranceSeconds,
          clockTolerance: toleranceSeconds,
        });
        if (payload.htm !== method) return 'htm of the proof is not the method of the request';
        if (!isSameAddress(payload.htu, url)) return 'htu of the proof is not the address of the request';
        const hash = token === undefined ? undefined : createHash('sha256').update(token).digest('base64url');
        if (hash !== undefined && payload.ath !== hash) return 'ath of the proof is not the hash of the token';
        const id = String(payload.jti);
        if (seen.has(id)) return 'The proof was used before';
        seen.add(id);
        const thumbprint = await calculateJwkThumbprint(protectedHeader.jwk!);
        return { thumbprint, hasNonce: payload.nonce === nonce };
      } catch (error) {
        return `The proof is not valid: ${(error as Error).message}`;
      }
    },
  };
}

/** Compares without query and fragment, which htu must not have. */
function isSameAddress(given: unknown, { href }: URL): boolean {
  if (typeof given !== 'string' || !URL.canParse(given) || given.includes('?') || given.includes('#')) return false;
  const bare = (address: string): string => {
    const { origin, pathname } = new URL(address);
    return `${origin}${pathname.endsWith('/') ? pathname.slice(0, -1) : pathname}`;
  };
  return bare(given) === bare(href);
}
