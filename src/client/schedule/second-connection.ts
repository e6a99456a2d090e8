/** Whether a target bears two connections, and how long one takes to open: told by a second one. */
import type { HandshakeOptions, Peer } from '../peer/peer.ts';
import { lanesFor, slowOpening, verySlowReplyMs, watchOwnDelay } from './pace.ts';
import { isOpening, isPlainOpening, openingIn } from './plan/openings.ts';
import type { Probe, ProbePlan } from './plan/probe.ts';
import type { RequestRate } from '../load/request-rate.ts';
import { askSentinel } from '../steps/support/step-scope.ts';
import { graceFor, type Timing } from '../target/timing.ts';

/** What two connections told that bear each other. */
interface Told {
  /** Milliseconds that opening the second one took; 0 where the machine was too busy to tell. */
  openedMs: number;
  /** Milliseconds that an answer took after that; absent where this machine was too busy to tell, and where processes start fast. */
  replyMs?: number;
  /** Milliseconds until both connections had answered a request that was sent on both at once. */
  besideMs: number;
}

interface Begun extends Told {
  /** Absent where none needs a connection of its own, and the second one is for shared ones. */
  probe?: Probe;
  /** Absent where the second connection serves for nothing else. */
  peer?: Peer;
}

/** What is known of several connections before anything else is asked. */
export interface Beside {
  /** The target cannot bear two connections. */
  oneAtATime: boolean;
  /** It bears them: what the second one told, and the connection itself where it goes on. */
  begun?: Begun;
  /** The probe that was carried out on the spare process, which is still there. */
  shown?: Probe;
  /** The one that can be carried out there, beside others; without it the process has ended. */
  onSpare?: Probe;
}

interface LookOptions {
  plan: ProbePlan;
  first: Peer;
  spare?: Peer;
  jobs: number;
  timing: Timing;
  rate?: RequestRate;
  signal?: AbortSignal;
}

/** Finds out whether the target bears two connections, by what is there already or by another one. */
export async function lookBeside(options: LookOptions, open: () => Promise<Peer>): Promise<Beside> {
  const { plan, first, spare, jobs } = options;
  const opening =
    spare?.alive === true ? plan.isolated.find(({ steps, then }) => isOpening(steps) && then === undefined) : undefined;
  const told =
    spare !== undefined && opening !== undefined ? await trySpare(first, spare, openingIn(opening.steps)) : undefined;
  const trial = told ?? (await tryTwo(options, open));
  const oneAtATime = trial === 'fails';
  const isWaiting = opening !== undefined && told === undefined && !oneAtATime && spare?.alive === true;
  if (!isWaiting && typeof told !== 'object') await spare?.close();
  return {
    oneAtATime,
    ...(typeof trial === 'object' && jobs > 1 ? { begun: trial } : {}),
    ...(opening !== undefined && typeof told === 'object' ? { shown: opening } : {}),
    ...(isWaiting ? { onSpare: opening } : {}),
  };
}

/**
 * Opens a second connection beside the first, and asks on both whether anybody is there. Single-client servers
 * show it here: answers go astray, the first process is ended by the second, or the port is taken.
 * @returns the second connection, and the probe that goes on with it if any is to have its own; `fails` when the two do not go together,
 *   with both closed; `unneeded` when all probes can do with one connection
 */
async function tryTwo(options: LookOptions, open: () => Promise<Peer>): Promise<Begun | 'fails' | 'unneeded'> {
  const { plan, first } = options;
  const several = plan.isolated.length + Math.min(plan.shared.length, 1) > 1;
  const probe =
    plan.isolated.find(({ steps }) => steps[0] === 'handshake') ??
    plan.isolated.find(({ steps }) => isPlainOpening(steps));
  // Of a process it must be known whether a second one can live beside it, whatever comes on that.
  const isNeeded = several
    ? probe !== undefined || first.transport === 'stdio'
    : plan.isolated.length === 0 && (await isVerySlow(first));
  if (!isNeeded || options.jobs < 2 || options.signal?.aborted) return 'unneeded';
  // Ended meanwhile, as by the process that was asked for another era.
  if (!first.alive) return first.transport === 'stdio' ? 'fails' : 'unneeded';
  let second: Peer | undefined;
  const own = watchOwnDelay();
  try {
    const began = performance.now();
    // A server that bears one client only may break down here, and is legal.
    first.onTrial = true;
    second = await open();
    // One that waits until the first process has ended answers nothing.
    const deadlineMs = Math.min(
      options.timing.startMs,
      Math.max(options.timing.answerMs, graceFor(await first.opened)),
    );
    const answer = await second.handshake({ ...(probe && openingIn(probe.steps)), deadlineMs });
    const isVain = answer.kind === 'timeout' || options.rate?.sessions.lacks(second.session) === true;
    const told = isVain ? undefined : await askBoth(first, second, performance.now() - began, own);
    if (told !== undefined) return { probe, peer: second, ...told };
  } catch {
    // A connection that cannot even be opened beside the other one is an answer, too.
  } finally {
    own.stop();
  }
  await Promise.all([first.close(), second?.close()]);
  return 'fails';
}

/**
 * The same by a process that is there already, since it was asked for another era. What starts fast is no time saved,
 * but work for the machine: a session begins there beside all others then, and not ahead of them.
 * @returns `fails` when the two do not go together, with both closed; undefined where nothing is told, since processes
 *   start fast or no session begins on the spare one, which is closed then
 */
async function trySpare(first: Peer, spare: Peer, opening: HandshakeOptions): Promise<Told | 'fails' | undefined> {
  const openedMs = Math.min(await first.opened, await spare.opened);
  if (openedMs < slowOpening('stdio')) return undefined;
  const own = watchOwnDelay();
  try {
    first.onTrial = true;
    if (!(await beginsOnSpare(spare, opening)) && first.alive) {
      first.onTrial = false;
      await spare.close();
      return undefined;
    }
    const told = await askBoth(first, spare, openedMs, own);
    if (told !== undefined) return told;
  } finally {
    own.stop();
  }
  await Promise.all([first.close(), spare.close()]);
  return 'fails';
}

/** Begins a session where the server was asked for another era before; not every server bears that. */
export async function beginsOnSpare(spare: Peer, opening: HandshakeOptions): Promise<boolean> {
  spare.onTrial = true;
  const answer = await spare.handshake({ ...opening, deadlineMs: graceFor(await spare.opened) });
  return answer.kind === 'response' && 'result' in answer.message;
}

/** Asks on both connections; a trial is over when both answer. */
async function askBoth(
  first: Peer,
  second: Peer,
  openedMs: number,
  own: ReturnType<typeof watchOwnDelay>,
): Promise<Told | undefined> {
  const opened = performance.now();
  // Over HTTP the handshake is one answer at most: where it takes long no other one is waited for.
  const isTold = first.transport === 'http' && openedMs >= verySlowReplyMs;
  const isMeasured = first.transport !== 'stdio' || openedMs >= slowOpening('stdio');
  if (isMeasured && !isTold) await askSentinel(second);
  const asked = performance.now();
  const besideMs = await bothAnswer(first, second);
  if (besideMs === undefined) return undefined;
  first.onTrial = second.onTrial = false;
  const replyMs = isTold ? openedMs : asked - opened;
  // The answers may have waited for a busy machine; what is told here costs time at every later answer, so that a second look is worth its own.
  const isDoubtful = replyMs >= verySlowReplyMs && lanesFor(replyMs, besideMs) === 1;
  const againMs = (isDoubtful ? await bothAnswer(first, second) : undefined) ?? besideMs;
  return {
    openedMs: own.busy() ? 0 : openedMs,
    besideMs: Math.min(besideMs, againMs),
    ...(isMeasured && own.outweighed(replyMs) ? { replyMs } : {}),
  };
}

/** Whether a second session is worth its handshake for nothing but a share of the work. */
async function isVerySlow(peer: Peer): Promise<boolean> {
  if (peer.transport !== 'http' || (await peer.opened) < verySlowReplyMs) return false;
  const began = performance.now();
  await askSentinel(peer);
  return performance.now() - began >= verySlowReplyMs;
}

/** Milliseconds until all have answered a request that is sent on all at once; undefined where one does not. */
async function bothAnswer(...peers: Peer[]): Promise<number | undefined> {
  const asked = performance.now();
  const answers = await Promise.all(peers.map((peer) => askSentinel(peer)));
  return answers.every(({ kind }) => kind === 'response') && peers.every(({ alive }) => alive)
    ? performance.now() - asked
    : undefined;
}
