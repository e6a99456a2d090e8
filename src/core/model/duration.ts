/** Durations as people write them. */

const units: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };
const part = /(\d+(?:\.\d+)?|\.\d+)(ms|s|m|h)/g;

/** Milliseconds from `500ms`, `10s`, `1.5m`, `1m30s`, `1h`; undefined for anything else, and for what no timer can hold. */
export function durationOf(text: string): number | undefined {
  const whole = text.trim();
  if (!new RegExp(`^(?:${part.source})+$`).test(whole)) return undefined;
  const value = Math.round(
    [...whole.matchAll(part)].reduce((sum, [, amount, unit]) => sum + Number(amount) * units[unit!]!, 0),
  );
  // Timers of Node take no more than 31 bits.
  return value >= 1 && value <= 2_147_483_647 ? value : undefined;
}
