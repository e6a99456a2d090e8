/** Classifies the credentials of a request. Whether a token is a good one is not its business. */
import { foreignToken, madeUpToken, testTokenIn } from '../../model/made-up-tokens.ts';
import type { HeaderMap } from '../../model/trace.ts';
import { header } from './header.ts';

/**
 * - `none`: no Authorization header
 * - `bearer`: a bearer token
 * - `made-up`: one that nobody has issued; `foreign`: one that names another server as its audience
 * - `test`: a token of the test authorization server
 * - `query`: no header, but an access token in the address
 * - `malformed`: the scheme without a token
 * - `other`: another scheme
 */
export type Credentials = 'none' | 'bearer' | 'made-up' | 'foreign' | 'test' | 'query' | 'malformed' | 'other';

export function credentialsOf(headers: HeaderMap, path: string): Credentials {
  const given = header(headers, 'authorization');
  if (given === undefined) return /[?&]access_token=/.test(path) ? 'query' : 'none';
  const bearer = /^bearer(?:\s+(.*))?$/is.exec(given.trim());
  if (!bearer) return 'other';
  const token = bearer[1]?.trim() ?? '';
  if (token === '') return 'malformed';
  if (token === madeUpToken) return 'made-up';
  if (token === foreignToken) return 'foreign';
  return testTokenIn(token) === undefined ? 'bearer' : 'test';
}

/** The test token that a request shows: `good`, or what is wrong with it. */
export function testTokenOf(headers: HeaderMap): string | undefined {
  const token = /^bearer\s+(.*)$/is.exec(header(headers, 'authorization')?.trim() ?? '')?.[1]?.trim();
  return token === undefined ? undefined : testTokenIn(token);
}
