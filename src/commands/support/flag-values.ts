/** Flags whose values have a form of their own: durations, numbers within bounds, lists. */
import { Flags } from '@oclif/core';
import { usageError } from '../../model/errors.ts';

const units: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** Milliseconds from `500ms`, `10s`, `1.5m`, `1h`. @throws McpcError usage */
export function parseDuration(text: string, flag: string): number {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(text.trim());
  const value = match ? Math.round(Number(match[1]) * units[match[2]!]!) : Number.NaN;
  // Timers of Node take no more than 31 bits.
  if (!(value >= 1 && value <= 2_147_483_647)) throw usageError(`--${flag} takes a duration, not "${text}".`, 'For example 500ms, 10s or 1m.');
  return value;
}

export function durationFlag(name: string, options: { summary: string; helpGroup: string }) {
  return Flags.custom<number>({ ...options, helpValue: '10s', parse: async (input) => parseDuration(input, name) })();
}

export function numberFlag(name: string, options: { summary: string; helpGroup?: string; helpValue: string; min: number; max: number; whole?: boolean; char?: 'j' }) {
  const { min, max, whole, ...rest } = options;
  return Flags.custom<number>({
    ...rest,
    parse: async (input) => {
      const value = input.trim() === '' ? Number.NaN : Number(input);
      if (!(value >= min && value <= max) || (whole === true && !Number.isInteger(value))) {
        throw usageError(`--${name} takes a ${whole === true ? 'whole ' : ''}number from ${min} to ${max}, not "${input}".`);
      }
      return value;
    },
  })();
}

/** A text flag that repeats; each takes one word, so that it never swallows what follows. */
export function repeatedFlag(options: { summary: string; helpGroup: string; helpValue: string; char?: 'H' | 'e' }) {
  return Flags.string({ ...options, multiple: true, multipleNonGreedy: true });
}

/** Values of a repeated flag, split at commas outside of braces: `ping,{tools,prompts}/*` are two. */
export function splitList(values: readonly string[] = []): string[] {
  return values.flatMap((value) => value.split(/,(?![^{]*\})/)).map((value) => value.trim()).filter((value) => value !== '');
}
