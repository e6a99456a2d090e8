/**
 * Extensions by which a token is given for an assertion: workload identity (RFC 7523) and enterprise-managed authorization.
 * In the second one an identity provider gives the assertion in exchange for an id token (RFC 8693).
 */
import { randomUUID } from 'node:crypto';
import {
  errors,
  exportJWK,
  exportPKCS8,
  generateKeyPair,
  jwtVerify,
  SignJWT,
  type CryptoKey,
  type JSONWebKeySet,
} from 'jose';
import type { AuthClient } from './clients.ts';
import type { Approval } from './code-flow.ts';
import { jsonReply, oauthError, type AuthReply } from './exchange.ts';
import { scopes } from './metadata.ts';

export interface AssertionGrant {
  /** As the metadata names them. */
  readonly grants: readonly string[];
  /** The approval of a request, or its refusal; an identity provider replies itself. */
  approve(form: ReadonlyMap<string, string>, client: AuthClient): Promise<Approval | AuthReply>;
}

export interface AssertionKeys {
  privateKey: CryptoKey;
  publicKey: CryptoKey;
  /** The private key for its owner, PKCS #8 in PEM. */
  pem: string;
  jwks: JSONWebKeySet;
}

export const assertionAlgorithm = 'ES256';
export const jwtBearer = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const tokenExchange = 'urn:ietf:params:oauth:grant-type:token-exchange';
const idToken = 'urn:ietf:params:oauth:token-type:id_token';
const identityAssertion = 'urn:ietf:params:oauth:token-type:id-jag';
const identityAssertionType = 'oauth-id-jag+jwt';

/** A scope that a workload is not given, and one at which it may not use the grant at all. */
const refusedScopes: Record<string, string> = {
  'wif.rejected': 'invalid_scope',
  'wif.trigger-unauthorized': 'unauthorized_client',
};

export async function createAssertionKeys(): Promise<AssertionKeys> {
  const { privateKey, publicKey } = await generateKeyPair(assertionAlgorithm, { extractable: true });
  const jwk = { ...(await exportJWK(publicKey)), alg: assertionAlgorithm };
  return { privateKey, publicKey, pem: await exportPKCS8(privateKey), jwks: { keys: [jwk] } };
}

/** @param seconds from now until it ends; below 0 it is over */
export function signAssertion(
  { privateKey }: AssertionKeys,
  claims: { issuer: string; subject: string; audience: string; more?: Record<string, unknown> },
  seconds: number,
  type = 'JWT',
): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  return new SignJWT({ ...claims.more, jti: randomUUID() })
    .setProtectedHeader({ alg: assertionAlgorithm, typ: type })
    .setIssuer(claims.issuer)
    .setSubject(claims.subject)
    .setAudience(claims.audience)
    .setIssuedAt(Math.min(now, now + seconds - 1))
    .setExpirationTime(now + seconds)
    .sign(privateKey);
}

/** Takes assertions of a workload. @param issuer of the authorization server, which assertions have to be for */
export function workloadGrant({ publicKey }: AssertionKeys, issuer: () => string): AssertionGrant {
  return {
    grants: [jwtBearer],
    async approve(form, { clientId }) {
      const assertion = assertionIn(form);
      if (typeof assertion !== 'string') return assertion;
      try {
        await jwtVerify(assertion, publicKey, { audience: audiences(issuer()) });
      } catch (error) {
        return oauthError(400, 'invalid_grant', faultOf(error));
      }
      const scope = form.get('scope') ?? scopes.use;
      const wrong = scope.split(' ').find((one) => Object.hasOwn(refusedScopes, one));
      if (wrong !== undefined) return oauthError(400, refusedScopes[wrong]!, `The workload does not get ${wrong}`);
      return { clientId, scope, resource: form.get('resource') };
    },
  };
}

/** Takes assertions of the identity provider. */
export function enterpriseGrant(
  { publicKey }: AssertionKeys,
  issuer: () => string,
  provider: () => string,
): AssertionGrant {
  return {
    grants: [jwtBearer],
    async approve(form, { clientId }) {
      const assertion = assertionIn(form);
      if (typeof assertion !== 'string') return assertion;
      try {
        const checks = { audience: audiences(issuer()), issuer: provider(), typ: identityAssertionType };
        const { payload } = await jwtVerify(assertion, publicKey, checks);
        if (payload.client_id !== clientId)
          return oauthError(400, 'invalid_grant', 'The assertion is for another client');
        return { clientId, scope: scopes.use, resource: String(payload.resource) };
      } catch (error) {
        return oauthError(400, 'invalid_grant', faultOf(error));
      }
    },
  };
}

export interface ProviderOptions {
  keys: AssertionKeys;
  /** Of the identity provider. */
  issuer(): string;
  /** Client id at the identity provider, and at the authorization server behind it. */
  clientId: string;
  behind: string;
}

/** An identity provider: gives an assertion for an id token. */
export function identityProvider({ behind, clientId, issuer, keys }: ProviderOptions): AssertionGrant {
  return {
    grants: [tokenExchange],
    async approve(form) {
      if (form.get('grant_type') !== tokenExchange)
        return oauthError(400, 'unsupported_grant_type', `Known: ${tokenExchange}`);
      const missing = ['subject_token', 'audience', 'resource'].filter((name) => !form.has(name));
      if (form.get('subject_token_type') !== idToken) missing.push('subject_token_type');
      if (form.get('requested_token_type') !== identityAssertion) missing.push('requested_token_type');
      if (missing.length > 0)
        return oauthError(400, 'invalid_request', `Missing or not as it has to be: ${missing.join(', ')}`);
      try {
        const { payload } = await jwtVerify(form.get('subject_token')!, keys.publicKey, {
          issuer: issuer(),
          audience: clientId,
        });
        const claims = {
          issuer: issuer(),
          subject: String(payload.sub),
          audience: form.get('audience')!,
          more: { client_id: behind, resource: form.get('resource')! },
        };
        const assertion = await signAssertion(keys, claims, 300, identityAssertionType);
        return jsonReply(200, {
          access_token: assertion,
          issued_token_type: identityAssertion,
          token_type: 'N_A',
          expires_in: 300,
        });
      } catch (error) {
        return oauthError(400, 'invalid_grant', faultOf(error));
      }
    },
  };
}

function assertionIn(form: ReadonlyMap<string, string>): string | AuthReply {
  if (form.get('grant_type') !== jwtBearer) return oauthError(400, 'unsupported_grant_type', `Known: ${jwtBearer}`);
  const assertion = form.get('assertion');
  return assertion === undefined || assertion === ''
    ? oauthError(400, 'invalid_request', 'The assertion is missing')
    : assertion;
}

/** The issuer, with and without a slash at its end. */
function audiences(issuer: string): string[] {
  return [issuer, `${issuer}/`];
}

/** Sentences that facts and scenarios read. */
function faultOf(error: unknown): string {
  if (error instanceof errors.JWTExpired) return 'The assertion has expired';
  if (error instanceof errors.JWTClaimValidationFailed && error.claim === 'aud')
    return 'The audience of the assertion is another one';
  return 'The assertion is malformed, or its signature is not valid';
}
