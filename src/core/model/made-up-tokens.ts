/**
 * The access tokens and states that the checker makes up in order to be refused. They stand in stimuli as they are,
 * are known again in any trace, and are no secrets. Data only.
 */

/** A token without a particular form, which no server has issued. */
export const madeUpToken = 'mcpc-made-up-token';

/**
 * An unsigned JSON Web Token whose audience is another server: claims `iss`, `aud`, `sub`, `exp` with hosts below
 * `.invalid`, which no issuer can have.
 */
export const foreignToken =
  'eyJhbGciOiJub25lIiwidHlwIjoiSldUIn0.eyJpc3MiOiJodHRwczovL21jcGMuaW52YWxpZCIsImF1ZCI6Imh0dHBzOi8vb3RoZXIubWNwYy5pbnZhbGlkL21jcCIsInN1YiI6Im1jcGMiLCJleHAiOjQxMDI0NDQ4MDB9.';

/** A client of an authorization server that was never registered there. */
export const madeUpClient = 'mcpc-made-up-client';

/** A code_verifier that belongs to no code_challenge. */
export const madeUpVerifier = 'mcpc-made-up-verifier-that-belongs-to-no-code';

/** Begins a state of a round of input that no server gave: what it comes to shows whether states are looked at. */
export const forgedState = 'mcpc-forged-';

/**
 * Prefix of names for tokens of the test authorization server (`--test-as`), in stimuli and traces. The token replaces
 * its name when a request is written, and appears nowhere. Behind it: `good`, or what is wrong.
 */
export const testTokenPrefix = 'mcpc-test-token-';

/** Meaning of a test token's name: `good`, or its fault; undefined for other values. */
export function testTokenIn(value: string): string | undefined {
  const name = value.startsWith(testTokenPrefix) ? value.slice(testTokenPrefix.length) : '';
  return /^[a-z-]{1,30}$/.test(name) ? name : undefined;
}

export function isMadeUpToken(value: string): boolean {
  return (
    value === madeUpToken || value === foreignToken || value === madeUpVerifier || testTokenIn(value) !== undefined
  );
}
