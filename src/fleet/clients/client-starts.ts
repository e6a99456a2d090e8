/** The starts that the check of a client takes. */
import { everything, loadPlan } from '../../check/plan.ts';
import type { FleetEntry } from '../../check/settings/fleet-entry.ts';
import { revisions } from '../../core/spec/revisions.ts';
import { planStarts } from '../../stage/scene/start-plan.ts';

/**
 * Counts the starts by all rules. Without a revision it is the highest count of all revisions, and a client that does not
 * log in takes fewer.
 */
export async function countStarts(): Promise<(entry: FleetEntry) => number> {
  const { rules } = await loadPlan(everything);
  return ({ client, spec }) => {
    let most = 0;
    for (const revision of spec === 'auto' ? revisions : [spec])
      most = Math.max(most, planStarts(rules, { transport: client!.transport, revision }).length);
    return most;
  };
}
