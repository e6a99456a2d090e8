/** Which steps of a case have a snapshot, and by which names they stand in its file. Pure. */
import { snapshotExpectations } from './snapshot.ts';
import type { Demand, Step, SuiteCase } from '../model.ts';
import type { Kept } from './answer-text.ts';

export interface SnapshotStep {
  step: Step;
  /** Its title; of several equal ones `title (2)`. */
  key: string;
  kept: Kept;
}

/** The steps whose answers a snapshot keeps, those of parallel steps included, by their ids. */
export function snapshotSteps(one: SuiteCase): Map<string, SnapshotStep> {
  const found = new Map<string, SnapshotStep>();
  const times = new Map<string, number>();
  const look = (steps: readonly Step[]): void => {
    for (const step of steps) {
      if (step.act.kind === 'parallel') look(step.act.steps);
      const kept = keptOf(step);
      if (kept === undefined) continue;
      const count = (times.get(step.title) ?? 0) + 1;
      times.set(step.title, count);
      found.set(step.id, { step, key: count === 1 ? step.title : `${step.title} (${count})`, kept });
    }
  };
  look(one.steps);
  return found;
}

function keptOf({ act }: Step): Kept | undefined {
  if (act.kind === 'request' || act.kind === 'handshake') return 'answer';
  if (act.kind !== 'observe') return undefined;
  return act.logs === true ? 'log' : 'notifications';
}

/** True if an expectation of the case needs stored snapshots. */
export function readsSnapshots(one: SuiteCase): boolean {
  const within = (steps: readonly Step[]): boolean =>
    steps.some(
      ({ demands, act }) =>
        demands.some(({ expectation, option }) => expectation.name === 'snapshot' && option === true) ||
        (act.kind === 'parallel' && within(act.steps)),
    );
  return within(one.steps);
}

/**
 * The case with nothing expected but its snapshots: of each of its main steps, and of others that ask for it. What a
 * step repeats until it holds is repeated until it held.
 */
export function snapshotsAlone(one: SuiteCase): SuiteCase {
  const keys = snapshotSteps(one);
  const bare = (step: Step): Step => {
    const { unchanged: _unchanged, again: _again, ...rest } = step;
    const act = step.act.kind === 'parallel' ? { ...step.act, steps: step.act.steps.map(bare) } : step.act;
    const kept = keys.get(step.id)?.kept;
    const asked = step.demands.some(({ expectation }) => expectation.name === 'snapshot');
    const own: Demand[] =
      kept !== undefined && (step.phase === 'main' || asked)
        ? [{ expectation: snapshotExpectations[kept], option: true, scope: 'none', place: step.place }]
        : [];
    const until =
      step.eventuallyMs === undefined ? [] : step.demands.filter(({ expectation }) => expectation.name !== 'snapshot');
    return { ...rest, act, demands: [...until, ...own] };
  };
  return { ...one, steps: one.steps.map(bare) };
}
