/** Compiles conditions that a test case holds its own traffic against: a rule without a requirement, in every revision. */
import type { CompiledRule, RuleFile } from '../model/rules/rule.ts';
import { revisions } from '../spec/revisions.ts';
import { compileGiven } from './compile-given.ts';
import { allTransports, checkedCondition, type ConditionContext } from './compile-rule.ts';

/** The members of a rule that a case may give. */
export type CaseRule = Pick<RuleFile, 'given' | 'when' | 'expect'>;

export interface CaseProblem {
  /** Place in the rule, as `expect.all[0].operator`. */
  path: string;
  message: string;
}

/** Refers to the schema of a rule, which must be known in the same engine. */
export const caseRuleSchema = {
  type: 'object',
  properties: {
    given: { $ref: 'rule.schema.json#/properties/given' },
    when: { $ref: 'rule.schema.json#/$defs/condition' },
    expect: { $ref: 'rule.schema.json#/$defs/condition' },
  },
  required: ['given', 'expect'],
  additionalProperties: false,
};

/** @param written fits the schema above */
export function compileCaseRule(
  id: string,
  written: CaseRule,
  context: ConditionContext,
): { rule: CompiledRule } | { problems: CaseProblem[] } {
  const problems: CaseProblem[] = [];
  const report = (path: string, message: string): void => void problems.push({ path, message });
  const texts = { message: '', fix: '' };
  const { kind, filter, selection } = compileGiven(
    { ...written, ...texts, role: 'server', title: '', requirement: [], examples: [] },
    report,
  );
  const about = {
    kind,
    sessionOnly: false,
    collected: selection?.kind === 'group' ? selection.values.map(([name]) => name) : [],
  };
  const when = written.when === undefined ? undefined : checkedCondition(written.when, 'when', about, context, report);
  const expect = checkedCondition(written.expect, 'expect', about, context, report);
  if (problems.length > 0 || expect === undefined) return { problems };
  return {
    rule: {
      id,
      area: 'suite',
      title: '',
      requirements: [],
      role: 'server',
      transports: allTransports,
      at: Object.fromEntries(
        revisions.map((revision) => [
          revision,
          { level: 'MUST', severity: 'error', statement: '', ref: '', link: null },
        ]),
      ),
      isolated: false,
      kind,
      filter,
      ...(selection ? { selection } : {}),
      ...(when ? { when } : {}),
      expect,
      advice: [],
      ...texts,
    },
  };
}
