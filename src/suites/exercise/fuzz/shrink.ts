/** Finds the smallest arguments that still fail: fewer members first, then smaller values as fast-check shrinks them. */
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { isObject } from '../../../core/model/json.ts';

/** Candidates that are tried for each value. */
const mostOfValue = 16;
/** Longer texts are cut first: fast-check takes a text apart into its characters for each candidate. */
const longText = 200;

/**
 * @param fails true if the arguments fail in the same way
 * @param mostTries maximum number of candidates
 * @returns the smallest failing ones
 */
export async function shrunk(
  start: unknown,
  mostTries: number,
  fails: (given: unknown) => Promise<boolean>,
): Promise<unknown> {
  let best = start;
  const tried = new Set([markOf(keyOf(start))]);
  for (let tries = 0, smaller = true; smaller && tries < mostTries; ) {
    smaller = false;
    const size = keyOf(best).length;
    for (const candidate of candidates(best)) {
      const key = keyOf(candidate);
      const mark = markOf(key);
      if (tried.has(mark) || key.length > size) continue;
      tried.add(mark);
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

/** Long texts would be kept for as long as is shrunk. */
function markOf(key: string): string {
  return key.length <= longText ? key : createHash('sha256').update(key).digest('base64');
}

function* candidates(given: unknown): Generator<unknown> {
  if (!isObject(given)) {
    yield {};
    return;
  }
  yield {};
  const entries = Object.entries(given);
  if (entries.length > 1) for (const [name, value] of entries) yield { [name]: value };
  if (entries.length > 2)
    for (const [name] of entries) yield Object.fromEntries(entries.filter(([other]) => other !== name));
  for (const [name, value] of entries) for (const smaller of smallerThan(value)) yield { ...given, [name]: smaller };
}

function* smallerThan(value: unknown): Generator<unknown> {
  if (typeof value === 'string')
    yield* value.length > longText
      ? cut(value)
      : some(fc.string({ unit: 'binary', maxLength: longText, size: 'max' }), value);
  else if (typeof value === 'number' && Number.isInteger(value)) yield* some(fc.maxSafeInteger(), value);
  else if (Array.isArray(value)) {
    yield [];
    if (value.length > 1) {
      yield value.slice(0, Math.ceil(value.length / 2));
      yield value.slice(Math.floor(value.length / 2));
      yield value.slice(0, -1);
    }
    for (const [index, item] of value.slice(0, 3).entries())
      for (const smaller of smallerThan(item)) yield value.with(index, smaller);
  } else if (isObject(value)) yield* candidates(value);
}

/** Nothing, its halves, and all but its last quarter, eighth and so on: so the shortest text that fails is found by halving. */
function* cut(text: string): Generator<string> {
  yield '';
  for (let left = Math.ceil(text.length / 2); left >= 1; left = Math.floor(left / 2)) {
    yield text.slice(0, boundary(text, text.length - left));
    if (left === Math.ceil(text.length / 2)) yield text.slice(boundary(text, left));
  }
}

/** A place that parts no pair of surrogates. */
function boundary(text: string, at: number): number {
  return (text.codePointAt(at - 1) ?? 0) > 0xff_ff ? at - 1 : at;
}

function* some<T>(arbitrary: fc.Arbitrary<T>, value: T): Generator<T> {
  if (arbitrary.canShrinkWithoutContext(value))
    for (const smaller of arbitrary.shrink(value, undefined).take(mostOfValue)) yield smaller.value;
}
