/** Durations as people write them. */

const units: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** Milliseconds from `500ms`, `10s`, `1.5m`, `1h`; undefined for anything else, and for what no timer can hold. */
export function durationOf(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(text.trim());
  const value = match ? Math.round(Number(match[1]) * units[match[2]!]!) : Number.NaN;
  // Timers of Node take no more than 31 bits.
  return value >= 1 && value <= 2_147_483_647 ? value : undefined;
}
