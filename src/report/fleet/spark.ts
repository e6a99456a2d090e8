/** Small line charts: values over runs as points of an SVG polyline, and the same in words. */
import { largest, smallest } from '../../core/model/lists.ts';

export interface Spark {
  /** Lines without a gap, each as the `points` of a polyline in a box of 100 by 24. */
  lines: string[];
  /** The last value as a point. */
  x: number;
  y: number;
  label: string;
}

export const sparkBox = { width: 100, height: 24 } as const;
/** Room for the width of the line. */
const margin = 2;

/**
 * Null when fewer than two values are known: there is no trend. The scale is that of the values, though never
 * finer than ten points, so that a change of a tenth does not look like a fall.
 */
export function sparkOf(values: readonly (number | null)[]): Spark | null {
  const known = values.flatMap((value, index) => (value === null ? [] : [{ value, index }]));
  if (known.length < 2) return null;
  const highest = largest(known.map(({ value }) => value));
  const lowest = Math.min(smallest(known.map(({ value }) => value)), highest - 10);
  const x = (index: number): number => round(margin + (index * (sparkBox.width - 2 * margin)) / (values.length - 1));
  const y = (value: number): number =>
    round(margin + ((highest - value) * (sparkBox.height - 2 * margin)) / (highest - lowest));
  const lines: string[][] = [];
  for (const [at, { value, index }] of known.entries()) {
    if (at === 0 || known[at - 1]!.index !== index - 1) lines.push([]);
    lines.at(-1)!.push(`${x(index)},${y(value)}`);
  }
  const last = known.at(-1)!;
  const first = known[0]!;
  return {
    lines: lines.filter((line) => line.length > 1).map((line) => line.join(' ')),
    x: x(last.index),
    y: y(last.value),
    label: `From ${first.value.toFixed(1)} to ${last.value.toFixed(1)} in ${values.length} runs`,
  };
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
