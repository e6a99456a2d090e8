/**
 * Facts that are read when they are asked for: a subject has dozens, and most rules ask for few. An object of facts
 * stands for its source, whose values are those of the moment; whoever keeps it beyond that moment settles it.
 */
import type { Definitions, Facts } from './plugin.ts';
import { asText } from '../../model/json.ts';

/** A feature failed to read a fact, or threw in a hook. */
export class FactError extends Error {
  constructor(feature: string, what: string, cause: unknown) {
    super(`the facts of ${feature} failed ${what}: ${cause instanceof Error ? cause.message : asText(cause)}`, {
      cause,
    });
    this.name = 'FactError';
  }
}

/** Members of such objects: what the values are read from, and the functions that read them, by name; whoever reads millions of times calls those. */
export const source = Symbol('source');
export const reads = Symbol('reads');

export type Reads = ReadonlyMap<string, (from: unknown) => unknown>;

/** The functions that read these facts; undefined for plain objects. */
export function readsOf(facts: Readonly<Facts>): Reads | undefined {
  return (facts as { [reads]?: Reads })[reads];
}

/**
 * Makes objects of facts that read their values from a source.
 *
 * @param sets definitions with the feature that has them, for errors
 * @returns reading throws FactError where a definition does
 */
export function factsFrom<S>(
  sets: readonly (readonly [feature: string, definitions: Definitions<S>])[],
): (from: S) => Facts {
  class Reading {
    readonly [source]: S;
    declare readonly [reads]: Reads;
    constructor(from: S) {
      this[source] = from;
    }
  }
  const functions = new Map<string, (from: unknown) => unknown>();
  Object.defineProperty(Reading.prototype, reads, { value: functions });
  for (const [feature, definitions] of sets) {
    for (const [name, { read }] of Object.entries(definitions)) {
      if (!read) continue;
      functions.set(name, read as (from: unknown) => unknown);
      const get = function (this: Reading): unknown {
        try {
          return read(this[source]);
        } catch (error) {
          throw new FactError(feature, `at ${name}`, error);
        }
      };
      Object.defineProperty(Reading.prototype, name, { enumerable: true, get });
    }
  }
  return (from) => new Reading(from) as unknown as Facts;
}

/**
 * Reads one fact of objects of whatever sort; the commonest are met without their getters.
 *
 * @returns reading throws FactError where a definition does
 */
export function readerOf(name: string): (facts: Readonly<Facts>) => unknown {
  let known: Reads | undefined;
  let read: ((from: unknown) => unknown) | undefined;
  return (facts) => {
    const functions = readsOf(facts);
    if (functions === undefined) return facts[name];
    if (functions !== known) {
      known = functions;
      read = functions.get(name);
    }
    // What hooks add stands beside what is read.
    if (read === undefined) return facts[name];
    try {
      return read((facts as { [source]?: unknown })[source]);
    } catch {
      return facts[name];
    }
  };
}

/** The facts as they are now, in a plain object; one that cannot be read fails when it is asked for. */
export function settled(facts: Readonly<Facts>): Facts {
  const plain: Facts = {};
  // With inherited members: those are the ones that are read.
  for (const name in facts) {
    try {
      plain[name] = facts[name];
    } catch (error) {
      Object.defineProperty(plain, name, {
        get() {
          throw error;
        },
      });
    }
  }
  return plain;
}
