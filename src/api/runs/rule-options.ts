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
  /** Runs the code that your own rules bring (`<rule>.facts.mjs`), in this process; false when absent. */
  rulesCode?: boolean;
}

export function selectionOf({
  only,
  skip,
  level,
  set,
  rules,
  requirements,
  facts,
  rulesCode,
}: RuleOptions): RuleSelection {
  return {
    only: [...(only ?? [])],
    skip: [...(skip ?? [])],
    houseRules: [...(rules ?? [])],
    houseRequirements: [...(requirements ?? [])],
    houseFacts: [...(facts ?? [])],
    rulesCode: rulesCode === true,
    ...(level === undefined ? {} : { level }),
    ...(set === undefined ? {} : { set }),
  };
}
