/** Refuses entries of `disable` that name no rule. */
import { usageError } from '../../core/model/errors.ts';
import type { DisabledRule } from '../../core/model/reports/fleet.ts';
import { suggestion } from '../../core/model/suggestion.ts';
import type { RuleSelection } from '../check-options.ts';
import { loadPlan } from '../plan.ts';

/** @param selection whose house rules are known, too @throws McpcError usage, naming file and line of each */
export async function refuseUnknownRules(disabled: readonly DisabledRule[], selection: RuleSelection): Promise<void> {
  if (disabled.length === 0) return;
  const { rules } = await loadPlan({ ...selection, only: [], skip: [], level: 'may', set: undefined });
  const ids = rules.map(({ id }) => id);
  const unknown = disabled.filter(({ rule }) => !ids.includes(rule));
  if (unknown.length === 0) return;
  throw usageError(
    unknown
      .slice(0, 8)
      .map(({ rule, from }) => `${from}: disable: there is no rule "${rule}".${suggestion(rule, ids)}`)
      .join('\n'),
    '`mcpc rules list` shows every rule.',
  );
}
