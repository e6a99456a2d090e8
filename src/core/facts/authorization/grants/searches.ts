/** Where a client looked for metadata in an attempt, and in which order: the resource's, and that of each issuer. */
import { withoutEndSlashes } from '../../../model/end-slashes.ts';
import type { JsonObject } from '../../../model/json.ts';
import { addressKey, presenceOf, type MetadataExchange } from '../metadata-exchange.ts';
import type { Attempt } from './attempt.ts';

/** A search in the terms of the places that the specification names. */
export interface Search {
  /** Places that were asked, in order, each once. */
  tried: string[];
  /** `kept`, `broken`: a later place was asked before an earlier one, `unclear`: some other place came first. */
  order: 'kept' | 'broken' | 'unclear';
  /** Where nothing was found: places that were not asked. */
  missing: string[];
  found: boolean;
  /** An answer that says neither that there is a document nor that there is none. */
  unclear: boolean;
}

const known = '/.well-known/';
const resourceName = `${known}oauth-protected-resource`;

export function documentsOf({ legs }: Attempt): MetadataExchange[] {
  return legs.flatMap(({ document }) => document ?? []);
}

/** The newest metadata of the resource. */
export function resourceContent(attempt: Attempt): JsonObject | undefined {
  return documentsOf(attempt).findLast((one) => one.kind === 'resource' && presenceOf(one) === 'found')?.content;
}

export function resourceSearch(attempt: Attempt): Search & { announced: boolean } {
  const { challenge, resource } = attempt;
  const address = challenge?.resource_metadata;
  const announced = address === undefined ? undefined : addressKey(address);
  const placeOf = ({ host, path }: MetadataExchange): string => {
    if (announced !== undefined && announced === addressKey(`http://${host}${path}`)) return 'announced';
    const at = withoutEndSlashes(path);
    if (at === `${resourceName}${resource.path}`) return resource.path === '' ? 'root' : 'path';
    return at === resourceName ? 'root' : 'elsewhere';
  };
  const expected = announced !== undefined ? ['announced'] : resource.path === '' ? ['root'] : ['path', 'root'];
  const asked = documentsOf(attempt).filter(({ kind }) => kind === 'resource');
  const search = searchOf(asked, placeOf, expected);
  // A client that looked before it was refused knew no address.
  const first = asked[0]?.events[0] ?? 0;
  const early = announced !== undefined && asked.length > 0 && first < (attempt.challengeSeq ?? 0);
  const leaves = announced !== undefined && search.tried.length > 0 && search.tried[0] !== 'announced';
  return {
    announced: announced !== undefined,
    ...search,
    ...(early ? { order: 'unclear' as const } : leaves ? { order: 'broken' as const } : {}),
  };
}

/** For each issuer that the metadata of the resource names and the client asked about: where it looked. */
export function serverSearches(attempt: Attempt): (Search & { issuer: string; hasPath: boolean })[] {
  const documents = documentsOf(attempt).filter(({ kind }) => kind === 'oauth' || kind === 'openid');
  return issuersOf(attempt).flatMap((issuer) => {
    const { host, pathname } = new URL(issuer);
    const path = withoutEndSlashes(pathname);
    const asked = documents.filter((one) => one.host === host);
    if (asked.length === 0) return [];
    const placeOf = (one: MetadataExchange): string => {
      const at = withoutEndSlashes(one.path);
      if (at === `${known}oauth-authorization-server${path}`) return 'oauth';
      if (at === `${known}openid-configuration${path}`) return 'openid';
      return at === `${path}${known}openid-configuration` ? 'openid-appended' : 'elsewhere';
    };
    const expected = path === '' ? ['oauth', 'openid'] : ['oauth', 'openid', 'openid-appended'];
    return [{ issuer, hasPath: path !== '', ...searchOf(asked, placeOf, expected) }];
  });
}

/** The issuers that the metadata of the resource names. */
export function issuersOf(attempt: Attempt): string[] {
  const listed = resourceContent(attempt)?.authorization_servers;
  return Array.isArray(listed)
    ? listed.filter((one): one is string => typeof one === 'string' && URL.canParse(one)).slice(0, 20)
    : [];
}

function searchOf(
  asked: readonly MetadataExchange[],
  placeOf: (one: MetadataExchange) => string,
  expected: readonly string[],
): Search {
  const presences = asked.map(presenceOf);
  const at = presences.indexOf('found');
  // Requests behind the first success are no part of the search.
  const counted = at < 0 ? asked : asked.slice(0, at + 1);
  const tried = [...new Set(counted.map(placeOf))];
  const ranks = tried.map((place) => expected.indexOf(place));
  const first = ranks.indexOf(-1);
  const inOrder = ranks.filter((rank) => rank >= 0).every((rank, index) => rank === index);
  const isStrange = first >= 0 && first < ranks.filter((rank) => rank >= 0).length;
  return {
    tried,
    order: !inOrder ? 'broken' : isStrange || (first === 0 && at >= 0) ? 'unclear' : 'kept',
    missing: at >= 0 ? [] : expected.filter((place) => !tried.includes(place)),
    found: at >= 0,
    unclear: presences.includes('unclear'),
  };
}
