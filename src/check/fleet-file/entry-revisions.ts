/**
 * Entries of a server that is checked by several revisions. They are known before the start, so that journal, --resume,
 * shards, queue and comparisons work per server and revision. Pure.
 */
import type { FleetEntry } from '../settings/fleet-entry.ts';
import type { EntrySpec } from '../settings/check-rows.ts';
import type { Revision } from '../../core/model/rules/requirement.ts';
import { eraOf, revisions } from '../../core/spec/revisions.ts';

/**
 * Returns the entry itself for one revision or `auto`; else an entry named `name@revision` for each, newest first
 * without a given order.
 * @param entry one without several revisions
 */
export function entriesBySpec(entry: FleetEntry, spec: EntrySpec): FleetEntry[] {
  if (spec === 'auto' || (typeof spec === 'string' && spec !== 'each')) return [{ ...entry, spec }];
  // HTTP+SSE is a transport of the stateful era, and for clients of the first revision alone.
  const wanted =
    spec === 'each' ? [...revisions].reverse().filter((revision) => isOn(entry, revision)) : [...new Set(spec)];
  const base = { id: entry.id, name: entry.name, revisions: wanted.length };
  return wanted.map((revision) => ({
    ...entry,
    spec: revision,
    id: `${entry.id}@${revision}`,
    name: `${entry.name}@${revision}`,
    base,
  }));
}

function isOn({ transport, client }: FleetEntry, revision: Revision): boolean {
  const oldest = revisions[0];
  if (client !== undefined)
    return client.transport === 'stdio' || (client.transport === 'sse') === (revision === oldest);
  return transport !== 'sse' || eraOf(revision) === 'stateful';
}

/** The entries, checked by what `spec` says in place of what they say themselves. */
export function respecified(entries: readonly FleetEntry[], spec: EntrySpec): FleetEntry[] {
  const servers = new Map<string, FleetEntry>();
  for (const { base, ...entry } of entries) {
    const whole = base === undefined ? entry : { ...entry, id: base.id, name: base.name };
    if (!servers.has(whole.id)) servers.set(whole.id, whole);
  }
  return [...servers.values()].flatMap((entry) => entriesBySpec(entry, spec));
}

/** The same for all revisions of one server. */
export function serverIdOf({ id, base }: Pick<FleetEntry, 'id' | 'base'>): string {
  return base?.id ?? id;
}
