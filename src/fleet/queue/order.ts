/** In which order checks are begun, so that a run of several at a time is over soon. Verdicts do not depend on it. */
import type { FleetEntry } from '../../check/settings/fleet-entry.ts';

/** A check this many times longer than the median starts first: otherwise it would run alone at the end. */
const longTimes = 2;

/**
 * Checks that took long in an earlier run come first, the longest ahead. The others keep the order of the file, but
 * servers over HTTP are spread evenly among those on stdio. A check over HTTP mostly waits for answers, and one over
 * stdio keeps processors busy.
 *
 * @param lastedMs milliseconds that checks took in an earlier run, by id
 */
export function inGoodOrder(entries: readonly FleetEntry[], lastedMs: ReadonlyMap<string, number>): FleetEntry[] {
  const lasted = ({ id }: FleetEntry): number => lastedMs.get(id) ?? 0;
  const known = entries
    .filter(({ id }) => lastedMs.has(id))
    .map(lasted)
    .sort((a, b) => a - b);
  const longMs = longTimes * (known[Math.floor(known.length / 2)] ?? 0);
  const isLong = (entry: FleetEntry): boolean => lasted(entry) > longMs;
  const others = entries.filter((entry) => !isLong(entry));
  const isAddressed = ({ reach }: FleetEntry): boolean => reach.url !== undefined;
  return [
    ...entries.filter(isLong).sort((a, b) => lasted(b) - lasted(a)),
    ...evenly(
      others.filter(isAddressed),
      others.filter((entry) => !isAddressed(entry)),
    ),
  ];
}

/** One list of two, in which each is spread over the whole length; both keep their order. */
function evenly<Item>(one: readonly Item[], other: readonly Item[]): Item[] {
  const placed = [one, other].flatMap((list) =>
    list.map((item, index) => ({ item, place: (index + 0.5) / list.length })),
  );
  return placed.sort((a, b) => a.place - b.place).map(({ item }) => item);
}
