/** Which rules a program chooses. */
import type { RuleSelection } from '../../check/check-options.ts';

/** As the flags of the same names of `mcpc check` and `mcpc judge`. */
export interface RuleOptions {
  /** Areas, ids of rules, globs over them, or ids of requirements; all when absent. */
  only?: readonly string[];
  skip?: readonly string[];
  /** Lowest level of the requirements that are judged. */
  level?: 'must' | 'should' | 'may';
  /** A frozen set of requirements. */
  set?: string;
  /** Paths or globs of rule files of your own, of requirements, and of derived facts. */
  rules?: readonly string[];
  requirements?: readonly string[];
  facts?: readonly string[];
}

export function selectionOf({ only, skip, level, set, rules, requirements, facts }: RuleOptions): RuleSelection {
  return {
    only: [...(only ?? [])],
    skip: [...(skip ?? [])],
    houseRules: [...(rules ?? [])],
    houseRequirements: [...(requirements ?? [])],
    houseFacts: [...(facts ?? [])],
    ...(level === undefined ? {} : { level }),
    ...(set === undefined ? {} : { set }),
  };
}
