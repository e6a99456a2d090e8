/** Whether a target bears two connections, and how long one takes to open: told by opening the second one. */
import type { Peer } from './client/peer.ts';
import { slowOpening, verySlowReplyMs, watchOwnDelay } from './pace.ts';
import { isPlainOpening, openingIn } from './plan/openings.ts';
import type { Probe, ProbePlan } from './plan/probe.ts';
import { askSentinel } from './steps/step-scope.ts';

export interface Begun {
  /** Absent where none needs a connection of its own, and the second one is for shared ones. */
  probe?: Probe;
  peer: Peer;
  /** Milliseconds that its opening took; 0 where the machine was too busy to tell. */
  openedMs: number;
  /** Milliseconds that an answer took after that; absent where this machine was too busy to tell, and where processes start fast. */
  replyMs?: number;
  /** Milliseconds until both connections had answered a request that was sent on both at once. */
  besideMs: number;
}

/**
 * Opens a second connection beside the first, and asks on both whether anybody is there. Single-client servers
 * show it here: answers go astray, the first process is ended by the second, or the port is taken.
 * @returns the second connection, and the probe that goes on with it if any is to have its own; `fails` when the two do not go together,
 *   with both closed; `unneeded` when all probes can do with one connection
 */
export async function tryTwo(options: { plan: ProbePlan; first: Peer; jobs: number; signal?: AbortSignal }, open: () => Promise<Peer>): Promise<Begun | 'fails' | 'unneeded'> {
  const { plan, first } = options;
  const several = plan.isolated.length + Math.min(plan.shared.length, 1) > 1;
  const probe = plan.isolated.find(({ steps }) => steps[0] === 'handshake') ?? plan.isolated.find(({ steps }) => isPlainOpening(steps));
  // Of a process it must be known whether a second one can live beside it, whatever comes on that.
  const isNeeded = several ? probe !== undefined || first.transport === 'stdio' : plan.isolated.length === 0 && (await isVerySlow(first));
  if (!isNeeded || options.jobs < 2 || !first.alive || options.signal?.aborted) return 'unneeded';
  let second: Peer | undefined;
  const own = watchOwnDelay();
  try {
    const began = performance.now();
    // A server that bears one client only may break down here, and is legal.
    first.onTrial = true;
    second = await open();
    await second.handshake(probe && openingIn(probe.steps));
    const opened = performance.now();
    const openedMs = opened - began;
    // Over HTTP the handshake is one answer at most: where it takes long no other one is waited for.
    const isTold = first.transport === 'http' && openedMs >= verySlowReplyMs;
    const isMeasured = first.transport !== 'stdio' || openedMs >= slowOpening('stdio');
    if (isMeasured && !isTold) await askSentinel(second);
    const asked = performance.now();
    const both = await bothAnswer(first, second);
    first.onTrial = second.onTrial = false;
    const besideMs = performance.now() - asked;
    const replyMs = isTold ? openedMs : asked - opened;
    if (both) return { ...(probe === undefined ? {} : { probe }), peer: second, openedMs: own.busy() ? 0 : openedMs, besideMs, ...(isMeasured && own.outweighed(replyMs) ? { replyMs } : {}) };
  } catch {
    // A connection that cannot even be opened beside the other one is an answer, too.
  } finally {
    own.stop();
  }
  await Promise.all([first.close(), second?.close()]);
  return 'fails';
}

/** Whether a second session is worth its handshake for nothing but a share of the work. */
async function isVerySlow(peer: Peer): Promise<boolean> {
  if (peer.transport !== 'http' || (await peer.opened) < verySlowReplyMs) return false;
  const began = performance.now();
  await askSentinel(peer);
  return performance.now() - began >= verySlowReplyMs;
}

async function bothAnswer(...peers: Peer[]): Promise<boolean> {
  const answers = await Promise.all(peers.map(askSentinel));
  return answers.every(({ kind }) => kind === 'response') && peers.every(({ alive }) => alive);
}
