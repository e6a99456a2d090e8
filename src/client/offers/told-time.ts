/**
 * Arguments that tell a tool how long to work, or how much to do: little, where its schema allows that. A fraction of a
 * second is enough where the answer is waited for and nothing else; a tool that takes none is told whole seconds.
 */
import { fitOf, isMisfit } from '../../core/json-schema/schema-fit.ts';
import { isObject } from '../../core/model/json.ts';
import { isAmount } from '../../core/permission/careful-arguments.ts';

type Json = Record<string, unknown>;

/** Milliseconds that a tool is told to work where its answer is waited for: to be seen at work, and not to hold anybody up. @param quick somebody waits for the whole check */
export function briefTime(quick = false): number {
  return quick ? 50 : 200;
}

/** Where it is to be interrupted: less than the second that a late answer is waited for, so that no chance decides which of both ends sooner. */
export const workMs = 800;

/**
 * The values of such arguments, by their names.
 * @param inputSchema as the server lists it; not trusted
 * @param ms how long the tool is to work; absent: a second
 */
export function toldTimes(inputSchema: unknown, ms?: number): Json {
  const properties: unknown = isObject(inputSchema) ? inputSchema.properties : undefined;
  const told: Json = {};
  for (const [name, property] of Object.entries(isObject(properties) ? properties : {})) {
    if (!isObject(property) || (property.type !== 'number' && property.type !== 'integer') || isAmount(name)) continue;
    const value = wantedOf(name, property, ms).find(
      (one) => typeof one === 'number' && !isMisfit(fitOf(property, one)),
    );
    if (value !== undefined) told[name] = value;
  }
  return told;
}

/** The values to try, those that are wanted most first. */
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
 * The same arguments with a second in place of what is less.
 * @param ms what the tool was told
 * @returns undefined where it was told nothing less
 */
export function withMoreTime(inputSchema: unknown, given: Json, ms: number): Json | undefined {
  const [less, more] = [toldTimes(inputSchema, ms), toldTimes(inputSchema)];
  const longer = Object.fromEntries(
    Object.entries(more).filter(([name, value]) => given[name] === less[name] && given[name] !== value),
  );
  return Object.keys(longer).length === 0 ? undefined : { ...given, ...longer };
}
