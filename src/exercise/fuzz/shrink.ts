/** Finds the smallest arguments that still fail: fewer members first, then smaller values as fast-check shrinks them. */
import fc from 'fast-check';
import { isObject } from '../../model/json.ts';

/** Candidates that are tried for each value. */
const mostOfValue = 16;

/**
 * @param fails whether the arguments fail in the same way
 * @param mostTries candidates in all
 * @returns the smallest ones that were found to fail
 */
export async function shrunk(start: unknown, mostTries: number, fails: (given: unknown) => Promise<boolean>): Promise<unknown> {
  let best = start;
  const tried = new Set([keyOf(start)]);
  for (let tries = 0, smaller = true; smaller && tries < mostTries; ) {
    smaller = false;
    for (const candidate of candidates(best)) {
      const key = keyOf(candidate);
      if (tried.has(key) || sizeOf(candidate) > sizeOf(best)) continue;
      tried.add(key);
      tries += 1;
      if (tries > mostTries) break;
      if (!(await fails(candidate))) continue;
      best = candidate;
      smaller = true;
      break;
    }
  }
  return best;
}

function keyOf(value: unknown): string {
  return JSON.stringify(value) ?? '';
}

function sizeOf(value: unknown): number {
  return keyOf(value).length;
}

function* candidates(given: unknown): Generator<unknown> {
  if (!isObject(given)) {
    yield {};
    return;
  }
  yield {};
  const entries = Object.entries(given);
  if (entries.length > 1) for (const [name, value] of entries) yield { [name]: value };
  if (entries.length > 2) for (const [name] of entries) yield Object.fromEntries(entries.filter(([other]) => other !== name));
  for (const [name, value] of entries) for (const smaller of smallerThan(value)) yield { ...given, [name]: smaller };
}

function* smallerThan(value: unknown): Generator<unknown> {
  if (typeof value === 'string') yield* some(fc.string({ unit: 'binary', maxLength: 100_000, size: 'max' }), value);
  else if (typeof value === 'number' && Number.isInteger(value)) yield* some(fc.maxSafeInteger(), value);
  else if (Array.isArray(value)) {
    yield [];
    if (value.length > 1) {
      yield value.slice(0, Math.ceil(value.length / 2));
      yield value.slice(Math.floor(value.length / 2));
      yield value.slice(0, -1);
    }
    for (const [index, item] of value.slice(0, 3).entries()) for (const smaller of smallerThan(item)) yield value.with(index, smaller);
  } else if (isObject(value)) yield* candidates(value);
}

function* some<T>(arbitrary: fc.Arbitrary<T>, value: T): Generator<T> {
  if (arbitrary.canShrinkWithoutContext(value)) for (const smaller of arbitrary.shrink(value, undefined).take(mostOfValue)) yield smaller.value;
}
