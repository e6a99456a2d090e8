/** The faults that are known to be missed, by name, with the reason. */
import known from '../../faults/known-missed.json' with { type: 'json' };

/** The entry that a fault stands under. */
export function knownMiss(id: string): string | undefined {
  return known.missed.find(({ id: pattern }) => isLike(pattern, id))?.id;
}

export const knownMisses: readonly string[] = known.missed.map(({ id }) => id);

/** Whether the parts between the stars stand in the text, in their order, the first at its begin and the last at its end. */
export function isLike(pattern: string, text: string): boolean {
  const parts = pattern.split('*');
  let at = 0;
  for (const [index, part] of parts.entries()) {
    const found = index === parts.length - 1 ? text.length - part.length : text.indexOf(part, at);
    if (found < at || (index === 0 && found !== 0) || !text.startsWith(part, found)) return false;
    at = found + part.length;
  }
  return parts.length > 1 || text === pattern;
}
