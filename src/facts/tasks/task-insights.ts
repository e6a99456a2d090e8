/**
 * What can be computed from the times and ids of tasks: whether a creation time stays the same, how long a task
 * outlives its time, whether ids can be foreseen. Pure functions, no state.
 */
import { largest, smallest } from '../../model/lists.ts';

/** Milliseconds between the earliest and the latest of the times that can be read; undefined with fewer than two. */
export function spreadOf(times: readonly unknown[]): number | undefined {
  const read = times.map(readTime).filter((time) => time !== undefined);
  return read.length < 2 ? undefined : largest(read) - smallest(read);
}

/** The largest step back from one time to the next in milliseconds, 0 when they never fall; undefined with fewer than two. */
export function stepBackOf(times: readonly unknown[]): number | undefined {
  const read = times.map(readTime).filter((time) => time !== undefined);
  if (read.length < 2) return undefined;
  return Math.max(0, largest(read.slice(1).map((time, index) => read[index]! - time)));
}

function readTime(value: unknown): number | undefined {
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

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
  const changed = left.flatMap((run, place) => (run === right[place] ? [] : [Math.abs(Number(run) - Number(right[place]))]));
  return changed.length === 1 && changed[0]! < nearby;
}
