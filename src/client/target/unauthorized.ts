/** The error about an endpoint that refused a request for its credentials, or for want of them. */
import { targetError, type McpcError } from '../../core/model/errors.ts';
import type { Target } from './target.ts';

/** @param asked the request that was refused, as the message names it */
export function unauthorized(target: Target, status: number, asked = 'the request'): McpcError {
  const name = target.kind === 'stdio' ? target.command : target.url;
  const given = target.kind !== 'stdio' && target.headers.some(([key]) => key.toLowerCase() === 'authorization');
  return given
    ? targetError(
        `${name} refused the token that it was given: it answered ${asked} with HTTP status ${status}.`,
        status === 403
          ? 'Does the token have the scopes that the server wants, and may its owner use this server?'
          : 'Is the token still valid, whole, and issued for this server?',
      )
    : targetError(
        `${name} answered ${asked} with HTTP status ${status}: it wants credentials.`,
        'Give a token with --token, or other credentials with --header "Name: value".',
      );
}
