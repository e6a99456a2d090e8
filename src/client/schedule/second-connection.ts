/** Finds out, before anything else is asked, whether a target serves two connections, and how fast. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Peer } from '../peer/peer.ts';
import { askSentinel } from '../steps/support/step-scope.ts';
import type { RequestRate } from '../load/request-rate.ts';
import { graceFor, type Timing } from '../target/timing.ts';
import { verySlowReplyMs, type SecondConnection } from './capacity.ts';
import { isPlainOpening, openingIn } from './plan/openings.ts';
import type { Chain, ProbePlan } from './plan/probe.ts';

/** A second connection that works beside the first. */
export interface Second extends SecondConnection {
  /** It is open, and its handshake is done. */
  peer: Peer;
  /** The chain that begins with this handshake; absent where the connection is for shared probes. */
  chain?: Chain;
}

interface TrialOptions {
  plan: ProbePlan;
  first: Peer;
  jobs: number;
  timing: Timing;
  rate?: RequestRate;
  signal?: AbortSignal;
}

/** A machine on which timers are later than this, in milliseconds, is too busy to measure a target. */
const busyMs = 40;

/**
 * Opens a second connection while the first is open, and sends a request on both. A server for a single client shows
 * itself here: replies go to the wrong connection, the first process ends, or the port is taken.
 * @returns `fails` when the two do not work together, with both closed; undefined when the plan needs one connection only
 */
export async function trySecondConnection(
  options: TrialOptions,
  open: () => Promise<Peer>,
): Promise<Second | 'fails' | undefined> {
  const { plan, first } = options;
  const chain =
    plan.chains.find(([head]) => head!.steps[0] === 'handshake') ??
    plan.chains.find(([head]) => isPlainOpening(head!.steps));
  if (!(await isNeeded(options, chain))) return undefined;
  // Its process may have ended meanwhile, as when another one was asked for the stateless era.
  if (!first.alive) return first.transport === 'stdio' ? 'fails' : undefined;
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  let peer: Peer | undefined;
  try {
    const began = performance.now();
    // A server for a single client may break here, which is legal.
    first.onTrial = true;
    peer = await open();
    // A process that waits until the first one has ended answers nothing.
    const deadlineMs = Math.min(
      options.timing.startMs,
      Math.max(options.timing.answerMs, graceFor(await first.opened)),
    );
    const answer = await peer.handshake({ ...(chain && openingIn(chain[0]!.steps)), deadlineMs });
    const refused = answer.kind === 'timeout' || options.rate?.sessions.lacks(peer.session) === true;
    const times = refused ? undefined : await measure(first, peer, performance.now() - began);
    if (times !== undefined) {
      const busy = delay.percentile(90) / 1e6 > busyMs;
      return { ...(busy ? { openedMs: 0, besideMs: times.besideMs } : times), peer, ...(chain ? { chain } : {}) };
    }
  } catch {
    // A connection that cannot be opened while another one is shows as much.
  } finally {
    delay.disable();
  }
  await Promise.all([first.close(), peer?.close()]);
  return 'fails';
}

async function isNeeded({ plan, first, jobs, signal }: TrialOptions, chain: Chain | undefined): Promise<boolean> {
  if (jobs < 2 || signal?.aborted === true) return false;
  if (plan.chains.length + Math.min(plan.shared.length, 1) > 1)
    // Whether a second process can run matters even where no chain has a handshake of its own.
    return chain !== undefined || first.transport === 'stdio';
  return plan.chains.length === 0 && (await isVerySlow(first));
}

/** Whether a second session is worth its handshake for nothing but a share of the work. */
async function isVerySlow(peer: Peer): Promise<boolean> {
  if (peer.transport !== 'http' || (await peer.opened) < verySlowReplyMs) return false;
  return ((await replyTime([peer])) ?? 0) >= verySlowReplyMs;
}

/** @returns undefined where one of the connections does not answer */
async function measure(first: Peer, second: Peer, openedMs: number): Promise<SecondConnection | undefined> {
  const replyMs = await replyTime([second]);
  const besideMs = await replyTime([first, second]);
  if (replyMs === undefined || besideMs === undefined) return undefined;
  first.onTrial = second.onTrial = false;
  return { openedMs, replyMs, besideMs };
}

/** Milliseconds until all have answered a request that is sent on all at once; undefined where one does not. */
async function replyTime(peers: readonly Peer[]): Promise<number | undefined> {
  const began = performance.now();
  const answers = await Promise.all(peers.map((peer) => askSentinel(peer)));
  return answers.every(({ kind }) => kind === 'response') && peers.every(({ alive }) => alive)
    ? performance.now() - began
    : undefined;
}
