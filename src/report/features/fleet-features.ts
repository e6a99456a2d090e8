/** Optional features over a fleet: who uses what. Nothing is escaped or decided. */
import type { FleetReport, FleetServer } from '../../core/model/reports/fleet.ts';
import { oneLine, shorten } from '../text.ts';

export interface UsedFeature {
  rule: string;
  title: string;
  used: number;
  /** Used of all servers that were looked at, as in `25 %`. */
  share: string;
  /** The first servers that use it, and how many more there are. */
  servers: { name: string; href: string | null }[];
  more: number;
}

/** Place of a server's profile on its page. */
export const profileAnchor = 'features-title';

/**
 * Features that some server uses, most servers first, then by id.
 * @param servers in the order of the report, with their pages
 * @param most maximum number of servers named for one
 */
export function usedFeatures(
  report: FleetReport,
  servers: readonly { name: string; page: string | null }[],
  most: number,
): UsedFeature[] {
  const users = new Map<string, UsedFeature['servers']>();
  let looked = 0;
  for (const [index, { features }] of report.servers.entries()) {
    if (features === undefined) continue;
    looked += 1;
    const { name, page } = servers[index]!;
    for (const id of features) {
      const known = users.get(id) ?? [];
      known.push({ name, href: page === null ? null : `${page}#${profileAnchor}` });
      users.set(id, known);
    }
  }
  const views = (report.features ?? []).flatMap(({ id, title }): UsedFeature[] => {
    const own = users.get(id) ?? [];
    if (own.length === 0) return [];
    return [
      {
        rule: oneLine(id),
        title: shorten(oneLine(title), 200),
        used: own.length,
        share: `${Math.round((100 * own.length) / looked)} %`,
        servers: own.slice(0, most),
        more: Math.max(0, own.length - most),
      },
    ];
  });
  return views.sort((a, b) => b.used - a.used || (a.rule < b.rule ? -1 : 1));
}

/**
 * A letter for each feature of the report: `u` used, `s` not seen, a dot if it does not exist in the server's revision
 * or transport. Empty for a server that was not checked.
 */
export function featureLetters({ features: listed = [] }: FleetReport, { features, unseen }: FleetServer): string {
  if (features === undefined) return '';
  const [used, not] = [new Set(features), unseen === undefined ? undefined : new Set(unseen)];
  return listed.map(({ id }) => (used.has(id) ? 'u' : not?.has(id) === false ? '.' : 's')).join('');
}
