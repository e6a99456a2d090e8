/**
 * Regular expressions out of a target's schemas, run by an engine whose time grows with the length of the text
 * alone. Where that engine and ECMAScript could differ, no answer is given: `PatternUndecided` is thrown.
 */
import { RE2JS } from 're2js';

/** Thrown while a value is validated, where nobody can be sure whether a pattern matches. */
export class PatternUndecided extends Error {}

export interface SafePattern {
  test(text: string): boolean;
  toString(): string;
}

/** On these characters the engines read a dot, a class or a word boundary differently. */
const contested = /[\r\v\f\u0080-\uffff]/;
const shorthand = /\\[sSwWdDbB]|\./;

/** @throws Error for an expression that the engine does not know, such as one that looks around */
export function safePattern(source: string): SafePattern {
  const compiled = RE2JS.compile(RE2JS.translateRegExp(source));
  const isContested = shorthand.test(source);
  return {
    test(text) {
      if (isContested && contested.test(text)) throw new PatternUndecided();
      return compiled.matcher(text).find();
    },
    // The validator tells expressions apart by this text.
    toString: () => `/${source}/`,
  };
}
