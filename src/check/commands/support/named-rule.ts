/** The rule that a user names, by its id or by a requirement. */
import { usageError } from '../../../core/model/errors.ts';
import type { CompiledRule } from '../../../core/model/rules/rule.ts';
import { nearest } from './error-text.ts';

/** @throws McpcError usage when there is none, with the id that was perhaps meant */
export function namedRule(rules: readonly CompiledRule[], name: string): CompiledRule {
  const rule = rules.find((one) => one.id === name || one.requirements.includes(name));
  if (rule !== undefined) return rule;
  const near = nearest(
    name,
    rules.map((one) => one.id),
  );
  throw usageError(
    `There is no rule "${name}".`,
    `${near ? `Did you mean ${near}? ` : ''}"mcpc rules list" shows all.`,
  );
}
