/**
 * The closed list of what can be different about the test authorization server and the resource before it. Without any it
 * is correct. Data only; which client obeys is judged elsewhere, by what the client does.
 */

import type { ServerFault } from './server-faults.ts';

/** Where a deviation shows: before a client knows the server, when it registers, while it gets a token, when it uses one. */
export type DeviationStage = 'discovery' | 'registration' | 'code' | 'token' | 'resource';

interface DeviationInfo {
  stage: DeviationStage;
  /** A sentence without its full stop. */
  says: string;
  /** A client has to stop: what it gets is no ground to go on. */
  dangerous?: true;
}

export const deviationList = {
  'challenge-absent': { stage: 'discovery', says: 'A missing token gets 401 without a challenge' },
  'challenge-without-metadata': { stage: 'discovery', says: 'The challenge names no metadata of the resource' },
  'resource-metadata-at-root': {
    stage: 'discovery',
    says: 'The metadata of the resource lies at the root alone, and no challenge names it',
  },
  'resource-metadata-elsewhere': {
    stage: 'discovery',
    says: 'The metadata of the resource lies at an address that only the challenge names',
  },
  'resource-metadata-absent': {
    stage: 'discovery',
    says: 'There is no metadata of the resource; its own origin has that of the authorization server (2025-03-26)',
  },
  'default-paths': {
    stage: 'discovery',
    says: 'There is no metadata at all; the endpoints lie at their default paths below the origin of the resource (2025-03-26)',
  },
  'resource-foreign': {
    stage: 'discovery',
    says: 'The metadata of the resource names another resource',
    dangerous: true,
  },
  'issuer-with-path': { stage: 'discovery', says: 'The issuer has a path, its metadata is inserted before it' },
  'openid-only': { stage: 'discovery', says: 'The authorization server has OpenID configuration alone' },
  'openid-appended': {
    stage: 'discovery',
    says: 'The issuer has a path, and OpenID configuration behind it alone',
  },
  'issuer-differs': {
    stage: 'discovery',
    says: 'The metadata names another issuer than the one that it was fetched for',
    dangerous: true,
  },
  'scope-in-metadata': { stage: 'discovery', says: 'Only the metadata of the resource names scopes' },
  'scope-in-challenge': { stage: 'discovery', says: 'Only the challenge names scopes' },
  'scope-nowhere': { stage: 'discovery', says: 'Neither challenge nor metadata names scopes' },
  'offline-access': { stage: 'discovery', says: 'The authorization server offers the scope offline_access' },
  'pkce-unadvertised': {
    stage: 'discovery',
    says: 'No document of the authorization server names code_challenge_methods_supported',
    dangerous: true,
  },
  'pkce-plain-only': {
    stage: 'discovery',
    says: 'The authorization server names the challenge method plain alone',
    dangerous: true,
  },
  'address-javascript': {
    stage: 'discovery',
    says: 'The authorization endpoint is a javascript: address',
    dangerous: true,
  },
  'address-file': { stage: 'discovery', says: 'The authorization endpoint is a file: address', dangerous: true },
  'registration-absent': { stage: 'registration', says: 'There is no registration; clients are known beforehand' },
  'registration-refused': { stage: 'registration', says: 'Dynamic registration is refused' },
  'metadata-documents': { stage: 'registration', says: 'Metadata documents as client ids are the only registration' },
  'registration-dynamic-only': {
    stage: 'registration',
    says: 'Dynamic registration is the only one; metadata documents are not taken',
  },
  'auth-basic-only': { stage: 'registration', says: 'Clients show their secret by HTTP Basic alone' },
  'auth-post-only': { stage: 'registration', says: 'Clients show their secret in the body alone' },
  'auth-none-only': { stage: 'registration', says: 'Clients are public' },
  'auth-assertion-only': { stage: 'registration', says: 'Clients show a signed assertion alone (private_key_jwt)' },
  lenient: {
    stage: 'code',
    says: 'Faults pass that should be refused: no challenge, unknown clients, scopes, redirect addresses and resources, any authentication, a bound token by the scheme Bearer',
  },
  'iss-unannounced': { stage: 'code', says: 'The redirect has no iss, and the metadata announces none' },
  'iss-absent': { stage: 'code', says: 'The redirect lacks the iss that the metadata announces', dangerous: true },
  'iss-wrong': { stage: 'code', says: 'The redirect names another issuer', dangerous: true },
  'iss-wrong-unannounced': {
    stage: 'code',
    says: 'The redirect names another issuer, and the metadata announces no iss',
    dangerous: true,
  },
  'iss-slash': { stage: 'code', says: 'The iss of the redirect differs by a slash at its end', dangerous: true },
  'iss-in-error': {
    stage: 'code',
    says: 'The redirect is an error that names another issuer',
    dangerous: true,
  },
  'state-foreign': { stage: 'code', says: 'The redirect has another state than the request', dangerous: true },
  'access-denied': { stage: 'code', says: 'The redirect is the error access_denied' },
  'token-expires': { stage: 'token', says: 'Access tokens are good for two seconds' },
  'token-revoked': {
    stage: 'token',
    says: 'The first token is refused from the first call of a tool on; later ones are good',
  },
  'refresh-revoked': { stage: 'token', says: 'Refresh tokens are refused as invalid_grant' },
  'refresh-absent': { stage: 'token', says: 'There are no refresh tokens' },
  'insufficient-scope-once': { stage: 'resource', says: 'Calls of tools need a scope that the first token lacks' },
  'insufficient-scope-always': { stage: 'resource', says: 'Calls of tools need a scope that no token ever has' },
  'insufficient-scope-lists': { stage: 'resource', says: 'Lists need a scope that no token ever has' },
  dpop: {
    stage: 'token',
    says: 'Tokens are bound to a key where the client proves one, and are good with fresh proofs of it alone',
  },
  'dpop-nonce': { stage: 'token', says: 'As dpop, and proofs need a nonce of the server that gets them' },
  'other-issuer-later': {
    stage: 'resource',
    says: 'After the first token the metadata of the resource names another authorization server',
  },
} as const satisfies Record<string, DeviationInfo>;

export type Deviation = keyof typeof deviationList;

/** A deviation, or a fault that clients need not notice. */
export type Difference = Deviation | ServerFault;

export const deviationNames = Object.keys(deviationList) as readonly Deviation[];
