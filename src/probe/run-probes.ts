/**
 * Runs the probes of a plan against a target: the shared ones on one session, the isolated ones each on their
 * own, several at a time. A target that cannot bear two connections gets one at a time, so that what befalls
 * one of them is not held against what was sent on another. A connection that is lost is opened again for the
 * probes behind it. All that happens goes to the recorder; nothing is judged here.
 */
import pLimit from 'p-limit';
import type { EventSink } from '../model/trace.ts';
import type { Peer } from './peer.ts';
import type { Probe, ProbePlan } from './planner.ts';
import { runSteps } from './step-runner.ts';
import { askSentinel, type StepSurroundings } from './step-scope.ts';
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
  /** Starts a server of the checker's own again, if its process has ended by itself; tells whether it had to. */
  revive?(): Promise<boolean>;
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

  let oneAtATime = false;

  const around: StepSurroundings = {
    timing,
    sink,
    allowDestructive: options.allowDestructive,
    open,
    oneAtATime: () => oneAtATime,
    listing: (peer) => (listing ??= surveyTarget(peer)),
    skip: (one) => skipped.set(one.what, one),
    recordListening: options.recordListening,
  };

  async function open(): Promise<Peer> {
    if (await options.revive?.()) incomplete ??= 'the server ended by itself and was started again; what it was being asked may be undecided';
    return options.open();
  }

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
        peer = await open();
        await peer.handshake();
      }
      await runSteps(probe.steps, peer, around);
      finished();
    }
    await peer.close();
  }

  /** @param begun a connection on which the handshake was done already */
  async function runIsolated(probe: Probe, begun?: Peer): Promise<void> {
    if (options.signal?.aborted) return;
    const peer = begun ?? (await open());
    try {
      await runSteps(begun ? probe.steps.slice(1) : probe.steps, peer, around);
    } finally {
      const closing = peer.close();
      // The next probe need not wait for this process to end, unless it must be alone.
      if (oneAtATime) await closing;
      else closings.push(closing);
    }
    finished();
  }

  const trial = await tryTwo(options, open);
  oneAtATime = trial === 'fails';
  const begun = typeof trial === 'object' ? trial : undefined;
  const limit = pLimit(oneAtATime ? 1 : Math.max(1, options.jobs));
  const shared = limit(runShared);
  const isolated = plan.isolated.map((probe) => limit(() => (probe === begun?.probe ? runIsolated(probe, begun.peer) : runIsolated(probe))));
  const outcomes = await Promise.allSettled([shared, ...isolated]);
  await Promise.all(closings);
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected') incomplete ??= outcome.reason instanceof Error ? outcome.reason.message : String(outcome.reason);
  }
  if (options.signal?.aborted) incomplete ??= 'interrupted';
  return { skipped: [...skipped.values()], ...(incomplete === undefined ? {} : { incomplete }) };
}

interface Begun {
  probe: Probe;
  peer: Peer;
}

/**
 * Opens a second connection beside the first, and asks on both whether anybody is there. Single-client servers
 * show it here: answers go astray, the first process is ended by the second, or the port is taken.
 * @returns the second connection with the probe that goes on with it; `fails` when the two do not go together,
 *   with both closed; `unneeded` when all probes can do with one connection
 */
async function tryTwo(options: ProbeRunOptions, open: () => Promise<Peer>): Promise<Begun | 'fails' | 'unneeded'> {
  const { plan, first } = options;
  const several = plan.isolated.length + Math.min(plan.shared.length, 1) > 1;
  const probe = plan.isolated.find(({ steps }) => steps[0] === 'handshake');
  if (!several || options.jobs < 2 || !probe || !first.alive || options.signal?.aborted) return 'unneeded';
  let second: Peer | undefined;
  try {
    second = await open();
    await second.handshake();
    if (await bothAnswer(first, second)) return { probe, peer: second };
  } catch {
    // A connection that cannot even be opened beside the other one is an answer, too.
  }
  await Promise.all([first.close(), second?.close()]);
  return 'fails';
}

async function bothAnswer(...peers: Peer[]): Promise<boolean> {
  const answers = await Promise.all(peers.map(askSentinel));
  return answers.every(({ kind }) => kind === 'response') && peers.every(({ alive }) => alive);
}
