/**
 * Flags for the authorization discovery of a 401 in a capture. The values of headers never leave this module, and
 * nothing is judged.
 */
import type { Challenge } from '../captured.ts';
import { isExactObject } from '../exact-json.ts';

type Members = Record<string, unknown>;

/**
 * The challenge of one response entry of an envelope.
 *
 * @param context the entry's transport_context
 * @param headers the entry's own headers
 * @returns undefined unless the status is 401 and a parameter is visible
 */
export function challengeOf(context: unknown, headers: unknown): Challenge | undefined {
  if ((statusIn(context) ?? statusIn(headers)) !== 401) return undefined;
  const value = challengeHeader(context) ?? challengeHeader(headers);
  if (value === undefined) return undefined;
  const challenge = { resourceMetadata: names(value, 'resource_metadata'), scope: names(value, 'scope') };
  return challenge.resourceMetadata || challenge.scope ? challenge : undefined;
}

/** The HTTP status of a context, in one of its spellings. */
export function statusIn(context: unknown): number | undefined {
  for (let place = context; isExactObject(place); place = place['response']) {
    for (const name of ['status', 'status_code', 'http_status']) {
      const status = statusNumber(place[name]);
      if (status !== undefined) return status;
    }
  }
  return undefined;
}

function statusNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\+?\d+$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isInteger(number) && number >= 0 && number <= 65_535 ? number : undefined;
}

/** The header, in any case: first among `headers`, then in `response`, then next to them. */
function challengeHeader(place: unknown): string | undefined {
  if (!isExactObject(place)) return undefined;
  const members: Members = place;
  const inner = challengeHeader(members['headers']) ?? challengeHeader(members['response']);
  if (inner !== undefined) return inner;
  for (const [name, value] of Object.entries(members))
    if (name.toLowerCase() === 'www-authenticate' && typeof value === 'string') return value;
  return undefined;
}

function names(header: string, parameter: string): boolean {
  return new RegExp(`(?:^|[ \\t,])${parameter}=`, 'i').test(header);
}
