/**
 * Facts that are read when they are asked for: a subject has dozens, and most rules ask for few. An object of facts
 * represents its source with its current values; to keep it longer, settle it.
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
    readonly #from: S;
    constructor(from: S) {
      this.#from = from;
    }
    static from(one: Reading): S {
      return one.#from;
    }
  }
  for (const [feature, definitions] of sets) {
    for (const [name, { read }] of Object.entries(definitions)) {
      if (!read) continue;
      const get = function (this: Reading): unknown {
        try {
          return read(Reading.from(this));
        } catch (error) {
          throw new FactError(feature, `at ${name}`, error);
        }
      };
      Object.defineProperty(Reading.prototype, name, { enumerable: true, get });
    }
  }
  return (from) => new Reading(from) as unknown as Facts;
}

/** The current facts in a plain object; an unreadable one throws when it is read. */
export function settled(facts: Readonly<Facts>): Facts {
  const plain: Facts = {};
  // Including inherited members: those are the ones to read.
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
