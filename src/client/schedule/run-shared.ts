/** Runs the shared probes, on one session or divided among several; a lost session is replaced for the probes left. */
import { takePreferred } from '../../core/model/lists.ts';
import type { Step } from '../../core/model/rules/rule.ts';
import type { Peer } from '../peer/peer.ts';
import { listenAlong } from '../steps/kinds/http-steps.ts';
import { runSteps } from '../steps/step-runner.ts';
import type { StepContext } from '../steps/support/step-scope.ts';
import { traitsOfSteps } from '../steps/table.ts';
import { commonBeginning, groupsByBeginning } from './plan/beginnings.ts';
import type { Probe } from './plan/probe.ts';

/** After so many ends of the server the remaining shared probes are left out. */
const mostRestarts = 3;

export interface SharedRun {
  context: StepContext;
  open(): Promise<Peer>;
  stopped(): boolean;
  /** True if probes would only wait for another connection now. */
  waits(probes: readonly Probe[]): boolean;
  begins(probe: Probe, peer: Peer): void;
  finished(): void;
  incomplete(why: string): void;
}

/** The probes that several sessions take from, those with a common beginning together. */
export interface SharedQueue {
  /** @param waits for which probes others come first */
  take(waits: (probes: readonly Probe[]) => boolean): Probe[] | undefined;
  left(): number;
  /** Ends of the server so far, other than of a session. */
  restarts: number;
}

export function sharedQueue(probes: readonly Probe[]): SharedQueue {
  const groups = groupsByBeginning(probes);
  return {
    take: (waits) => takePreferred(groups, (group) => !waits(group)),
    left: () => groups.flat().length,
    restarts: 0,
  };
}

export function waitsForTask({ steps }: Probe): boolean {
  return traitsOfSteps(steps).waitsForTask === true;
}

/**
 * Runs probes from the queue until it is empty.
 * @param peer a session whose handshake is done
 * @returns the session on which the last probe ran
 */
export async function runShared(peer: Peer, queue: SharedQueue, run: SharedRun): Promise<Peer> {
  let now = peer;
  listenAlong(now);
  for (let group = queue.take(run.waits); group !== undefined; group = queue.take(run.waits)) {
    let before: { peer: Peer; steps: readonly Step[] } | undefined;
    for (const [index, probe] of group.entries()) {
      if (run.stopped()) return now;
      if (!now.alive) {
        const left = group.length - index + queue.left();
        if (!mayRestart(now, queue, left, run)) return now;
        await now.close();
        now = await run.open();
        await now.handshake();
        listenAlong(now);
      }
      run.begins(probe, now);
      const done = before?.peer === now ? commonBeginning(before.steps, probe.steps) : 0;
      await runSteps(probe.steps.slice(done), now, run.context);
      before = { peer: now, steps: probe.steps };
      run.finished();
    }
  }
  return now;
}

/** A session may end at any time, and each end costs one probe at least; a server that keeps ending is given up. */
function mayRestart(peer: Peer, queue: SharedQueue, left: number, run: SharedRun): boolean {
  if (peer.sessionEnded) return true;
  if (queue.restarts >= mostRestarts) {
    run.incomplete(`the server went away ${queue.restarts + 1} times; ${left} probes were left out`);
    return false;
  }
  queue.restarts += 1;
  return true;
}

/**
 * Runs probes that wait for tasks of the server. They wait at the same time, except those that make the server ask the
 * client: these go first, one after another, so that it is clear for which task the server asks.
 */
export async function runTaskProbes(probes: readonly Probe[], peer: Peer, run: SharedRun): Promise<void> {
  const one = async (probe: Probe): Promise<void> => {
    await runSteps(probe.steps, peer, run.context);
    run.finished();
  };
  const asking = probes.filter(({ steps }) => traitsOfSteps(steps).asksClient === true);
  for (const probe of asking) await one(probe);
  await Promise.all(probes.filter((probe) => !asking.includes(probe)).map(one));
}
