/**
 * Runs the probes of a plan against a target: the shared ones on one session, the isolated ones each on their
 * own, several at a time. A connection that is lost is opened again for the probes behind it. All that happens
 * goes to the recorder; nothing is judged here.
 */
import pLimit from 'p-limit';
import type { EventSink } from '../model/trace.ts';
import type { Peer } from './peer.ts';
import type { Probe, ProbePlan } from './planner.ts';
import { runSteps, type StepSurroundings } from './step-runner.ts';
import { surveyTarget, type Listing, type Skipped } from './survey.ts';
import type { Timing } from './timing.ts';

export interface ProbeRunOptions {
  plan: ProbePlan;
  /** The session that detection left open, after its handshake. */
  first: Peer;
  open(): Promise<Peer>;
  sink: EventSink;
  timing: Timing;
  /** Isolated probes at a time. */
  jobs: number;
  allowDestructive: boolean;
  recordListening(session: string): void;
  /** Stops before the next probe when aborted. */
  signal?: AbortSignal;
  onProgress?: (done: number, total: number) => void;
}

export interface ProbeRunResult {
  skipped: Skipped[];
  /** Why probes were left out, if any were. */
  incomplete?: string;
}

const mostRestarts = 3;

export async function runProbes(options: ProbeRunOptions): Promise<ProbeRunResult> {
  const { plan, timing, sink } = options;
  const skipped = new Map<string, Skipped>();
  const total = plan.shared.length + plan.isolated.length;
  let done = 0;
  let incomplete: string | undefined;
  let listing: Promise<Listing> | undefined;
  const closings: Promise<void>[] = [];

  const around: StepSurroundings = {
    timing,
    sink,
    allowDestructive: options.allowDestructive,
    open: options.open,
    listing: (peer) => (listing ??= surveyTarget(peer)),
    skip: (one) => skipped.set(one.what, one),
    recordListening: options.recordListening,
  };

  function finished(): void {
    done += 1;
    options.onProgress?.(done, total);
  }

  async function runShared(): Promise<void> {
    let peer = options.first;
    let restarts = 0;
    for (const probe of plan.shared) {
      if (options.signal?.aborted) break;
      if (!peer.alive) {
        if (restarts >= mostRestarts) {
          incomplete ??= `the server went away ${restarts + 1} times; ${plan.shared.length - plan.shared.indexOf(probe)} probes were left out`;
          break;
        }
        restarts += 1;
        await peer.close();
        peer = await options.open();
        await peer.handshake();
      }
      await runSteps(probe.steps, peer, around);
      finished();
    }
    await peer.close();
  }

  async function runIsolated(probe: Probe): Promise<void> {
    if (options.signal?.aborted) return;
    const peer = await options.open();
    try {
      await runSteps(probe.steps, peer, around);
    } finally {
      // The next probe need not wait for this process to end.
      closings.push(peer.close());
    }
    finished();
  }

  const limit = pLimit(Math.max(1, options.jobs));
  const work = [limit(runShared), ...plan.isolated.map((probe) => limit(() => runIsolated(probe)))];
  const outcomes = await Promise.allSettled(work);
  await Promise.all(closings);
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected') incomplete ??= outcome.reason instanceof Error ? outcome.reason.message : String(outcome.reason);
  }
  if (options.signal?.aborted) incomplete ??= 'interrupted';
  return { skipped: [...skipped.values()], ...(incomplete === undefined ? {} : { incomplete }) };
}
