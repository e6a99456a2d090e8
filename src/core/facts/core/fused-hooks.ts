/**
 * Calls the hooks of one name in a function made for them. Millions of events meet some twenty hooks each: in a loop V8
 * sees one call of ever other functions and can make none of them fast, in a function of their own it knows each.
 */
import type { Given } from './plugin.ts';

/** A feature, and whether it has thrown. */
export interface Owner {
  name: string;
  /** Names of its facts, by kind of subject. */
  declared: ReadonlyMap<string, ReadonlySet<string>>;
  broken: boolean;
}

/** A hook of a feature. */
export interface Bound<F> {
  owner: Owner;
  hooks: object;
  call: F;
}

/**
 * Calls all of them in order, but those of features that threw before.
 *
 * @param take told what each gives, if it gives anything
 * @param ends told of what a hook, or `take`, throws
 */
export type Fused<A, B> = (
  first: A,
  second: B,
  take: (owner: Owner, given: Given) => void,
  ends: (owner: Owner, error: unknown) => void,
) => void;

export function fuse<A, B>(bound: readonly Bound<unknown>[]): Fused<A, B> {
  const each = bound.map((_, at) => ({
    names: `const { owner: owner${at}, hooks: hooks${at}, call: call${at} } = bound[${at}];`,
    call: `if (!owner${at}.broken) try { const given = call${at}.call(hooks${at}, first, second); if (given !== undefined) take(owner${at}, given); } catch (error) { ends(owner${at}, error); }`,
  }));
  // oxlint-disable-next-line typescript/no-implied-eval -- of numbers alone
  const make = new Function(
    'bound',
    `"use strict"; ${each.map(({ names }) => names).join(' ')} return (first, second, take, ends) => { ${each.map(({ call }) => call).join(' ')} };`,
  );
  return (make as (bound: readonly Bound<unknown>[]) => Fused<A, B>)(bound);
}
