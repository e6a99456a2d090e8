/**
 * The quick profile: what a well-behaved client decides on one connection, without waiting for anything but answers.
 * What needs another connection, tools that take their time, or a look out for what ought not to come is left out.
 */
import type { CompiledRule } from '../../../core/model/rules/rule.ts';
import { traitsOfSteps } from '../../steps/table.ts';

/** Whether a check of the quick profile asks what the rule wants asked; true of a rule that wants nothing asked. */
export function isQuick({ isolated, stimulus }: Pick<CompiledRule, 'isolated' | 'stimulus'>): boolean {
  if (stimulus === undefined) return true;
  if (isolated || stimulus[0] !== 'handshake') return false;
  const { waits, waitsForTask, opensAnother } = traitsOfSteps(stimulus);
  return waits !== true && waitsForTask !== true && opensAnother !== true;
}
