/**
 * Regular expressions out of a target's schemas, run by an engine whose time grows with the length of the text
 * alone. Where that engine and ECMAScript could differ, no answer is given: `PatternUndecided` is thrown.
 */
import { RE2JS } from 're2js';

/** Thrown during validation if a pattern match is uncertain. */
export class PatternUndecided extends Error {}

export interface SafePattern {
  test(text: string): boolean;
  toString(): string;
}

/** On these characters the engines read a dot, a class or a word boundary differently. */
const contested = /[\r\v\f\u0080-\uffff]/;
const shorthand = /\\[sSwWdDbB]|\./;

/** Cost of patterns. Each method throws where no more may be spent. */
export interface PatternCosts {
  /** A pattern is about to be compiled. */
  compiling(): void;
  /** A pattern was compiled to so many instructions: `(ab){1000}` takes two thousand of them. */
  compiled(instructions: number): void;
  /** A text is about to be searched: so many instructions, each on so many characters at worst. */
  searched(instructions: number, characters: number): void;
}

/** @throws Error for an expression that the engine does not support, such as look-around, and the error of the cost */
export function safePattern(source: string, costs: PatternCosts): SafePattern {
  costs.compiling();
  const compiled = RE2JS.compile(RE2JS.translateRegExp(source));
  const instructions = compiled.programSize();
  costs.compiled(instructions);
  const isContested = shorthand.test(source);
  return {
    test(text) {
      if (isContested && contested.test(text)) throw new PatternUndecided();
      costs.searched(instructions, text.length);
      return compiled.matcher(text).find();
    },
    // The validator identifies expressions by this text.
    toString: () => `/${source}/`,
  };
}
