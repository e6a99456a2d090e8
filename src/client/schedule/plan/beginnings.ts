/**
 * Shared probes that begin with the same steps: these are carried out once for all of them, and each goes on from there.
 * A quarter to a third of all shared steps are such beginnings, since many rules want the tour of what the server offers first.
 */
import { canonical } from '../../../core/model/json.ts';
import type { Step } from '../../../core/model/rules/rule.ts';
import { objectStep } from '../../steps/table.ts';
import type { Probe } from './probe.ts';

/** Steps that leave nothing behind: no later step uses what they named, or goes on with what they left open. */
const selfContained: ReadonlySet<string> = new Set([
  'survey',
  'sentinel',
  'request',
  'callTool',
  'getPrompt',
  'readResource',
  'roundTrip',
]);

function isSelfContained(step: Step): boolean {
  if (typeof step === 'string') return selfContained.has(step);
  return (
    selfContained.has(objectStep(step).name) && step.as === undefined && step.wait !== false && step.then === undefined
  );
}

/** How many steps at the beginning of both need to be carried out only once. */
export function commonBeginning(one: readonly Step[], other: readonly Step[]): number {
  let count = 0;
  while (
    count < one.length &&
    count < other.length &&
    isSelfContained(one[count]!) &&
    canonical(one[count]) === canonical(other[count])
  )
    count += 1;
  return count;
}

/** Of each probe the steps that are carried out when they run one after another on one connection. */
export function carriedOut(probes: readonly Probe[]): readonly (readonly Step[])[] {
  return probes.map(({ steps }, index) =>
    steps.slice(index === 0 ? 0 : commonBeginning(probes[index - 1]!.steps, steps)),
  );
}

/** The probes, those with a common beginning one after another, in the order in which the first of each came. */
export function besideTheirLike<P extends Probe>(probes: readonly P[], at = 0): P[] {
  const groups = new Map<string, P[]>();
  for (const [index, probe] of probes.entries()) {
    const step = probe.steps[at];
    const key = step === undefined || !isSelfContained(step) ? String(index) : canonical(step);
    const group = groups.get(key);
    if (group) group.push(probe);
    else groups.set(key, [probe]);
  }
  return [...groups.values()].flatMap((group) => (group.length === 1 ? group : besideTheirLike(group, at + 1)));
}

/** Neighbours with a common beginning together. */
export function groupsByBeginning(probes: readonly Probe[]): Probe[][] {
  const groups: Probe[][] = [];
  for (const probe of probes) {
    const last = groups.at(-1);
    if (last !== undefined && commonBeginning(last[0]!.steps, probe.steps) > 0) last.push(probe);
    else groups.push([probe]);
  }
  return groups;
}
