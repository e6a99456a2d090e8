/**
 * Arguments that set how long a tool works, or how much it does: little, where its schema allows that. A fraction of a
 * second is enough if only the answer matters; a tool that does not accept fractions gets whole seconds.
 */
import { fitOf, isMisfit } from '../../core/json-schema/schema-fit.ts';
import { isObject } from '../../core/model/json.ts';
import { isAmount } from '../../core/permission/careful-arguments.ts';

type Json = Record<string, unknown>;

/**
 * Requested milliseconds of a tool whose answer is awaited: long enough to be seen at work, and short enough to delay
 * nothing.
 * @param quick a user waits for the whole check
 */
export function briefTime(quick = false): number {
  return quick ? 50 : 200;
}

/** Where it is to be interrupted: less than the second that a late answer is waited for, so that no chance decides which of both ends sooner. */
export const workMs = 800;

/**
 * The values of such arguments, by their names.
 * @param inputSchema as the server lists it; not trusted
 * @param ms requested duration of the tool; absent: a second
 */
export function reportedTimes(inputSchema: unknown, ms?: number): Json {
  const properties: unknown = isObject(inputSchema) ? inputSchema.properties : undefined;
  const reported: Json = {};
  for (const [name, property] of Object.entries(isObject(properties) ? properties : {})) {
    if (!isObject(property) || (property.type !== 'number' && property.type !== 'integer') || isAmount(name)) continue;
    const value = wantedOf(name, property, ms).find(
      (one) => typeof one === 'number' && !isMisfit(fitOf(property, one)),
    );
    if (value !== undefined) reported[name] = value;
  }
  return reported;
}

/** Values to try, the preferred ones first. */
function wantedOf(name: string, { type, minimum, maximum }: Json, wantedMs: number | undefined): unknown[] {
  // A time after which work is given up would make it fail.
  const ms = /time-?_?out/i.test(name) ? undefined : wantedMs;
  if (/^ms$|millis|Ms$/.test(name)) return [ms, workMs, minimum, maximum];
  if (/duration|seconds|delay|timeout|wait/i.test(name))
    return [...(type === 'number' && ms !== undefined ? [ms / 1000] : []), 1, minimum, maximum];
  // Small steps: a call that is cancelled at the first one has most of its work before it.
  if (/steps|iterations/i.test(name)) return [10, minimum, maximum];
  return /count/i.test(name) ? [3, minimum, maximum] : [];
}

/**
 * The same arguments with at least a second.
 * @param ms requested duration
 * @returns undefined if no shorter one was requested
 */
export function withMoreTime(inputSchema: unknown, given: Json, ms: number): Json | undefined {
  const [less, more] = [reportedTimes(inputSchema, ms), reportedTimes(inputSchema)];
  const longer = Object.fromEntries(
    Object.entries(more).filter(([name, value]) => given[name] === less[name] && given[name] !== value),
  );
  return Object.keys(longer).length === 0 ? undefined : { ...given, ...longer };
}
