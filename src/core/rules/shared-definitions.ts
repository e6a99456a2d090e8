/** The named conditions and step lists of rules/language/shared.json, and their expansion in rules. */
import type { DerivedFact } from '../model/rules/derived-fact.ts';
import type { CompiledRule, Condition, Step } from '../model/rules/rule.ts';

export interface SharedDefinitions {
  conditions: Record<string, Condition>;
  steps: Record<string, Step[]>;
}

/** Condition with every name replaced by what it stands for. @throws Error for unknown or circular names */
export function expandCondition(condition: Condition, shared: SharedDefinitions, within: string[] = []): Condition {
  if ('condition' in condition) {
    const name = condition.condition;
    const found = shared.conditions[name];
    if (!found) throw new Error(`no condition named "${name}" in rules/language/shared.json`);
    if (within.includes(name)) throw new Error(`condition "${name}" refers to itself`);
    return expandCondition(found, shared, [...within, name]);
  }
  if ('all' in condition) return { all: condition.all.map((one) => expandCondition(one, shared, within)) };
  if ('any' in condition) return { any: condition.any.map((one) => expandCondition(one, shared, within)) };
  if ('not' in condition) return { not: expandCondition(condition.not, shared, within) };
  return condition;
}

/** Steps with every `use:name` replaced by the list it stands for. @throws Error for unknown or circular names */
export function expandSteps(steps: readonly Step[], shared: SharedDefinitions, within: string[] = []): Step[] {
  return steps.flatMap((step): Step[] => {
    if (typeof step === 'string') {
      if (!step.startsWith('use:')) return [step];
      const name = step.slice(4);
      const found = shared.steps[name];
      if (!found) throw new Error(`no step list named "${name}" in rules/language/shared.json`);
      if (within.includes(name)) throw new Error(`step list "${name}" refers to itself`);
      return expandSteps(found, shared, [...within, name]);
    }
    return [expandNested(step, shared, within)];
  });
}

function expandNested(step: Record<string, unknown>, shared: SharedDefinitions, within: string[]): Step {
  const expanded = { ...step };
  for (const member of ['then', 'steps', 'forEachList', 'ifChallenged', 'newSession', 'quietly']) {
    if (Array.isArray(step[member])) expanded[member] = expandSteps(step[member] as Step[], shared, within);
  }
  if (Array.isArray(step.parallel)) {
    expanded.parallel = (step.parallel as Step[][]).map((branch) => expandSteps(branch, shared, within));
  }
  return expanded;
}

/** All conditions of a rule, in the order in which they are asked. */
export function conditionsOf({
  applies,
  when,
  expect,
  advice,
}: Pick<CompiledRule, 'applies' | 'when' | 'expect' | 'advice'>): Condition[] {
  return [applies, when, expect, ...advice.map((one) => one.when)].filter((one) => one !== undefined);
}

/** Leaves of an expanded condition, each with its place. */
export function leavesOf(
  condition: Condition,
  path: string,
): { leaf: Extract<Condition, { fact: string }>; path: string }[] {
  if ('fact' in condition) return [{ leaf: condition, path }];
  if ('all' in condition) return condition.all.flatMap((one, index) => leavesOf(one, `${path}.all[${index}]`));
  if ('any' in condition) return condition.any.flatMap((one, index) => leavesOf(one, `${path}.any[${index}]`));
  if ('not' in condition) return leavesOf(condition.not, `${path}.not`);
  return [];
}

/** A value that is taken from another fact. */
export function otherFact(value: unknown): { fact: string; path?: string; derived?: DerivedFact } | undefined {
  const named = typeof value === 'object' && value !== null && 'fact' in value && typeof value.fact === 'string';
  return named ? (value as { fact: string; path?: string; derived?: DerivedFact }) : undefined;
}
