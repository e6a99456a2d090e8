/** True if task ids are predictable. Pure functions, no state. */

/** Ids whose numbers lie closer together than this are as good as counted. */
const nearby = 1_000_000;

/**
 * Ids that can be guessed from the one given out before: nothing but one run of digits differs, and by little.
 * Random digits of any length that matters do not come so close.
 */
export function foreseeable(ids: readonly string[]): string[] {
  return ids.filter((id, index) => index > 0 && followsFrom(ids[index - 1]!, id));
}

function followsFrom(before: string, id: string): boolean {
  const skeleton = (text: string): string => text.replace(/\d+/g, '0');
  if (before === id || skeleton(before) !== skeleton(id)) return false;
  const [left, right] = [before.match(/\d+/g) ?? [], id.match(/\d+/g) ?? []];
  const changed = left.flatMap((run, place) =>
    run === right[place] ? [] : [Math.abs(Number(run) - Number(right[place]))],
  );
  return changed.length === 1 && changed[0]! < nearby;
}
