/** A rule as lists of rules show it to programs. */
import type { CompiledRule } from '../../core/model/rules/rule.ts';

export interface ListedRule {
  id: string;
  title: string;
  requirements: string[];
  transports: string[];
  /** Of level MAY: it reports use, and gives no verdict. */
  feature?: true;
  /** Level by revision. */
  levels: Record<string, string>;
}

export function listedRule(rule: CompiledRule): ListedRule {
  const levels = Object.fromEntries(Object.entries(rule.at).map(([revision, place]) => [revision, place.level]));
  return {
    id: rule.id,
    title: rule.title,
    requirements: rule.requirements,
    transports: rule.transports,
    ...(rule.feature === true ? { feature: true } : {}),
    levels,
  };
}
