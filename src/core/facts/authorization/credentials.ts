/** Tells what a request shows of itself to be let in. Whether a token is a good one is not its business. */
import { foreignToken, madeUpToken } from '../../model/made-up-tokens.ts';
import type { HeaderMap } from '../../model/trace.ts';
import { header } from '../transports/header.ts';

/**
 * - `none`: no Authorization header
 * - `bearer`: a bearer token
 * - `made-up`: one that nobody has issued; `foreign`: one that names another server as its audience
 * - `query`: no header, but an access token in the address
 * - `malformed`: the scheme without a token
 * - `other`: another scheme
 */
export type Credentials = 'none' | 'bearer' | 'made-up' | 'foreign' | 'query' | 'malformed' | 'other';

export function credentialsOf(headers: HeaderMap, path: string): Credentials {
  const given = header(headers, 'authorization');
  if (given === undefined) return /[?&]access_token=/.test(path) ? 'query' : 'none';
  const bearer = /^bearer(?:\s+(.*))?$/is.exec(given.trim());
  if (!bearer) return 'other';
  const token = bearer[1]?.trim() ?? '';
  if (token === '') return 'malformed';
  if (token === madeUpToken) return 'made-up';
  return token === foreignToken ? 'foreign' : 'bearer';
}
