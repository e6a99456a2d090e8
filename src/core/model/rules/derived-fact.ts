/** Facts that follow from other facts, as rules/language/facts.json says them and as conditions carry them. Shapes only. */

export const derivations = [
  'exists',
  'count',
  'length',
  'first',
  'last',
  'min',
  'max',
  'distinct',
  'repeated',
  'spread',
  'time',
  'type',
] as const;
export type Derivation = (typeof derivations)[number];

/** An entry of a file of derived facts. */
export interface DerivedFactEntry {
  /** `<kind>.<name>`, `session.<name>` for a fact of the connection or of session subjects, `house.<name>` in a user's own file. */
  name: string;
  of: string;
  path?: string;
  do?: Derivation;
  says: string;
  /** Facts of code (`--rules-code`): the function, and the digest of its file. */
  read?: (value: unknown) => unknown;
  code?: string;
}

export interface DerivationStep {
  path?: string;
  do?: Derivation;
  /** Code of a house rule. What it throws makes an error of the rule. */
  read?: (value: unknown) => unknown;
  code?: string;
}

/** Derivation of a fact: the fact of code, and the operations on it, in order. */
export interface DerivedFact {
  /** As in conditions: `subject.x` or `session.x`. */
  of: string;
  steps: DerivationStep[];
}
