/** Flags whose values have a form of their own: durations, numbers within bounds, lists. */
import { Flags } from '@oclif/core';
import { durationOf } from '../../../../core/model/duration.ts';
import { usageError } from '../../../../core/model/errors.ts';

/** Milliseconds from `500ms`, `10s`, `1.5m`, `1h`. @throws McpcError usage */
export function parseDuration(text: string, flag: string): number {
  const value = durationOf(text);
  if (value === undefined)
    throw usageError(`--${flag} takes a duration, not "${text}".`, 'For example 500ms, 10s or 1m.');
  return value;
}

export function durationFlag(name: string, options: { summary: string; helpGroup?: string }) {
  return Flags.custom<number>({
    ...options,
    helpValue: 'DURATION',
    parse: async (input) => parseDuration(input, name),
  })();
}

export function numberFlag(
  name: string,
  options: {
    summary: string;
    helpGroup?: string;
    helpValue: string;
    min: number;
    max: number;
    whole?: boolean;
    char?: 'j';
  },
) {
  const { min, max, whole, ...rest } = options;
  return Flags.custom<number>({
    ...rest,
    parse: async (input) => parseNumber(input, { name, min, max, whole: whole === true }),
  })();
}

/** Parallelism: a number, or `auto`, the default. */
export function jobsFlag({ max, ...rest }: { summary: string; helpGroup: string; max: number; char: 'j' }) {
  return Flags.custom<number | 'auto'>({
    ...rest,
    helpValue: 'auto|N',
    default: 'auto',
    parse: async (input) =>
      input === 'auto' ? input : parseNumber(input, { name: 'jobs', min: 1, max, whole: true, words: 'auto or ' }),
  })();
}

function parseNumber(
  input: string,
  { name, min, max, whole, words = '' }: { name: string; min: number; max: number; whole: boolean; words?: string },
): number {
  const value = input.trim() === '' ? Number.NaN : Number(input);
  if (value >= min && value <= max && (!whole || Number.isInteger(value))) return value;
  throw usageError(`--${name} takes ${words}a ${whole ? 'whole ' : ''}number from ${min} to ${max}, not "${input}".`);
}

/** A text flag that repeats; each takes one word, so that it never swallows what follows. */
export function repeatedFlag(options: {
  summary: string;
  helpGroup: string;
  helpValue: string;
  char?: 'H' | 'e' | 'f' | 'o';
  aliases?: string[];
}) {
  return Flags.string({ ...options, multiple: true, multipleNonGreedy: true });
}

/** Values of a repeated flag, split at commas outside of braces: `ping,{tools,prompts}/*` are two. */
export function splitList(values: readonly string[] = []): string[] {
  return values
    .flatMap((value) => value.split(/,(?![^{]*\})/))
    .map((value) => value.trim())
    .filter((value) => value !== '');
}
