/**
 * Runs the probes of a plan against a target: the shared ones on one session, the isolated ones each on their
 * own, several at a time. A target that cannot bear two connections gets one at a time, so that what befalls
 * one of them is not held against what was sent on another. A connection that is lost is opened again for the
 * probes behind it. All that happens goes to the recorder; nothing is judged here.
 */
import type { Hints } from '../../core/model/rules/hints.ts';
import type { Step } from '../../core/model/rules/rule.ts';
import type { Permission } from '../../core/permission/decide.ts';
import { append } from '../../core/model/lists.ts';
import type { EventSink } from '../../core/model/trace.ts';
import type { Exit } from '../transport/process/stdio-process.ts';
import { leftOut } from '../offers/choose-tools.ts';
import type { Peer } from '../peer/peer.ts';
import { hintedSteps } from '../offers/hinted.ts';
import { lanesFor, mostBeside, servesInTurn, usesAtOnce } from './pace.ts';
import { createPatience } from './patience.ts';
import { runTaskProbes, waitsForTask, withTaskProbes } from './task-probes.ts';
import { startInOrder, withQuiet } from './plan/in-quiet.ts';
import { commonBeginning } from './plan/beginnings.ts';
import { cancelsWork, splitLast } from './plan/last.ts';
import { everyProbe, type Probe, type ProbePlan } from './plan/probe.ts';
import { shareOut, withPingsApart, type Shares } from './plan/share-out.ts';
import { createRunFolder } from './run-folder.ts';
import { listenAlong } from '../steps/kinds/http-steps.ts';
import { isReady, putAgain } from './plan/in-order.ts';
import { openingIn } from './plan/openings.ts';
import { createSlots } from './slots.ts';
import { startsInTurn } from './starts-in-turn.ts';
import { runSteps } from '../steps/step-runner.ts';
import type { StepContext, StepWatch } from '../steps/support/step-scope.ts';
import type { RequestRate } from '../load/request-rate.ts';
import { beginsOnSpare, lookBeside } from './second-connection.ts';
import { createSharedListing } from '../offers/shared-listing.ts';
import { endlessPages, surveyTarget, type Listing, type Skipped } from '../offers/survey.ts';
import { createToolTurns } from '../load/tool-turns.ts';
import type { Timing } from '../target/timing.ts';

/** Told of what is being done, for those who measure it. */
export interface ProbeWatch extends StepWatch {
  /** A probe begins on a connection; `rules` asked for it. */
  probe(session: string, rules: readonly string[]): void;
}

export interface ProbeRunOptions {
  plan: ProbePlan;
  /** The session that detection left open, after its handshake. */
  first: Peer;
  /** A connection without a handshake yet, on which a session can begin; the server may not bear that. */
  spare?: Peer;
  open(how?: { trial: true }): Promise<Peer>;
  /** Closes all that was opened, so that nobody waits any longer. */
  closeAll(): Promise<void>;
  sink: EventSink;
  timing: Timing;
  /** Isolated probes at a time, to begin with. */
  jobs: number;
  /** The same, where the target takes long to open and bears it. */
  mostJobs?: number;
  /** Somebody waits for it: what takes long is used once. */
  quick?: boolean;
  /** Which tools may be called. */
  permission: Permission;
  /** What the user told of the target. */
  hints?: Hints;
  recordListening(session: string): void;
  /** Starts a server of the checker's own again, if its process has ended by itself; tells whether it had to. @param wasRefused nobody took the last connection */
  revive?(wasRefused: boolean): Promise<boolean>;
  /** Asks a server of the checker's own to end; the probes that do so come last. @param ms how long it may take */
  shutDown?(ms: number): Promise<Exit>;
  /** How fast requests go out; a server that asks to be left alone is, and the rest of the probes left out. */
  rate?: RequestRate;
  /** Stops before the next probe when aborted; a reason that is a text is told. */
  signal?: AbortSignal;
  onProgress?: (done: number, total: number) => void;
  /** What the target lists, once it was walked. */
  onListed?: (found: Listing) => void;
  watch?: ProbeWatch;
}

export interface ProbeRunResult {
  skipped: Skipped[];
  /** What the lists were seen to hold; absent when nobody looked. */
  listing?: Listing;
  /** Why probes were left out, if any were. */
  incomplete?: string;
}

const mostRestarts = 3;

export async function runProbes(given: ProbeRunOptions): Promise<ProbeRunResult> {
  const { timing, sink } = given;
  const patience = createPatience((why) => {
    givenUp = why;
    void given.closeAll();
  }, timing.startMs);
  const options = { ...given, first: patience.watched(given.first, true) };
  const stopped = (): boolean =>
    options.signal?.aborted === true || patience.lost || options.rate?.givenUp !== undefined;
  const { plan, last } = splitLast(withHints(options), options.shutDown !== undefined);
  const skipped = new Map<string, Skipped>();
  let total = everyProbe(plan).length + last.length;
  let done = 0;
  let incomplete: string | undefined;
  let givenUp: string | undefined;
  const lists = createSharedListing(plan.shared.length > 0 ? options.first : undefined, (found) => {
    for (const one of leftOut(found.tools, options.permission)) skipped.set(one.what, one);
    options.onListed?.(found);
    return { ...found, ...(options.hints ? { hints: options.hints } : {}) };
  });
  const closings: Promise<void>[] = [];
  /** Connections that have done all that was wanted of them, and are listened to while others go on. */
  const stillOpen: Peer[] = [];
  const places = createRunFolder();
  let oneAtATime = false;
  let atOnce = 1;
  /** The connection that was opened last. */
  let newest: Peer | undefined;

  const context: StepContext = {
    timing,
    quick: options.quick === true,
    sink,
    ...(options.watch ? { watch: options.watch } : {}),
    permission: options.permission,
    places,
    open,
    oneAtATime: () => oneAtATime,
    listing: lists.of,
    skip: (one) => skipped.set(one.what, one),
    unanswered: new Set(),
    slow: new Map(),
    heldBack: { streams: 0 },
    brief: new Map(),
    spent: { ms: 0 },
    turns: createToolTurns(timing.answerMs),
    tasked: new Set(),
    ownTools: new WeakMap(),
    atOnce: () => atOnce,
    recordListening: options.recordListening,
    aside: (wait) => slots.aside(wait),
    ...(options.shutDown ? { shutDown: options.shutDown } : {}),
  };

  async function open(how?: { trial: true }): Promise<Peer> {
    const wasRefused = newest?.alive === false && newest.heard === 'nothing';
    if (await options.revive?.(wasRefused))
      incomplete ??= 'the server ended by itself and was started again; what it was being asked may be undecided';
    newest = patience.watched(await options.open(how));
    return newest;
  }

  function finished(): void {
    done += 1;
    options.onProgress?.(done, total);
  }

  let restarts = 0;

  /** Takes what is left of the shared probes, one after another, on one session; those that begin alike together, and what ends it last. */
  async function runShared(begun: Peer, shares: Shares, ending?: Probe): Promise<void> {
    let peer = begun;
    listenAlong(peer);
    let before: { peer: Peer; steps: readonly Step[] } | undefined;
    const next = shares.take();
    for (let probe = next(); probe !== undefined; probe = next()) {
      if (stopped()) break;
      if (!peer.alive) {
        // A session may end at any time, and each costs one probe at least; a server that goes away is given up.
        if (!peer.sessionEnded && restarts >= mostRestarts) {
          incomplete ??= `the server went away ${restarts + 1} times; ${shares.left() + 1} probes were left out`;
          break;
        }
        restarts += peer.sessionEnded ? 0 : 1;
        await peer.close();
        peer = await open();
        await peer.handshake();
        listenAlong(peer);
      }
      options.watch?.probe(peer.session, probe.rules);
      await runSteps(
        before?.peer === peer ? probe.steps.slice(commonBeginning(before.steps, probe.steps)) : probe.steps,
        peer,
        context,
      );
      before = { peer, steps: probe.steps };
      finished();
    }
    if (begun === options.first) await lists.leaveUsual();
    const onThis = ending !== undefined && !stopped() && (await isReady(peer, ending));
    if (onThis) {
      peer.answerIn('usual');
      return runIsolated(ending, peer);
    }
    await peer.close();
    if (ending !== undefined) await runIsolated(ending);
  }

  /** One more session for the shared probes. It sees the lists itself: what is used on it is judged beside them. */
  async function runLane(shares: Shares, begun?: Peer): Promise<void> {
    const peer = begun ?? (await open());
    if (!begun) await peer.handshake();
    await surveyTarget(peer);
    await runShared(peer, shares);
  }

  /** Runs a probe on its connection, with those that go on beside each other there. It sees the lists itself: what is used on it is judged beside them. */
  async function runOn(peer: Peer, { rules, beside }: Probe, steps: readonly Step[]): Promise<void> {
    options.watch?.probe(peer.session, rules);
    await runSteps(steps, peer, context);
    if (beside === undefined) return finished();
    await surveyTarget(peer);
    await runTaskProbes(beside, peer, context, finished);
  }

  /** Opens a session where the server was asked for another era before; one that does not bear it is asked elsewhere. */
  async function runOnSpare(probe: Probe, peer: Peer): Promise<void> {
    if (stopped()) return;
    options.watch?.probe(peer.session, probe.rules);
    const begins = await beginsOnSpare(peer, openingIn(probe.steps));
    closings.push(peer.close());
    if (begins) finished();
    else await slots.take(() => runIsolated(probe));
  }

  /**
   * Runs a probe, and those that follow it on its connection; what is left when that one is out of order, on a new one.
   * @param begun a connection on which the handshake was done already
   */
  async function runIsolated(probe: Probe, begun?: Peer): Promise<void> {
    if (stopped()) return;
    const peer = begun ?? (await openOwn());
    if (!begun) void peer.opened.then(slots.opened);
    const following = [...(probe.then ?? [])];
    try {
      await runOn(peer, probe, begun ? probe.steps.slice(1) : probe.steps);
      if (begun) total += putAgain(peer, probe, following);
      while (
        following.length > 0 &&
        !stopped() &&
        peer.negotiated === options.first.negotiated &&
        (await isReady(peer, probe))
      ) {
        const one = following.shift()!;
        peer.answerIn('usual');
        await runOn(peer, one, one.steps.slice(1));
        total += putAgain(peer, one, following);
      }
    } finally {
      // The next probe need not wait for this process to end, unless it must be alone.
      if (oneAtATime) await peer.close();
      else if (peer.transport === 'stdio' && jobs > 1 && cancelsWork(probe)) stillOpen.push(peer);
      else closings.push(peer.close());
    }
    const [next, ...then] = following;
    if (next) await runIsolated({ ...next, then });
  }

  async function closeAllOpen(): Promise<void> {
    for (const peer of stillOpen.splice(0)) closings.push(peer.close());
    await Promise.all(closings);
  }

  const {
    begun,
    shown,
    onSpare,
    oneAtATime: isAlone,
  } = await lookBeside({ ...options, plan }, () => open({ trial: true }));
  oneAtATime = isAlone;
  const openOwn = options.first.transport === 'stdio' ? startsInTurn(open, begun?.openedMs) : open;
  if (shown) {
    finished();
    closings.push(options.spare!.close());
  }
  const isolated = plan.isolated.filter((probe) => probe !== shown);
  const lanes = begun === undefined ? 1 : lanesFor(begun.replyMs, begun.besideMs);
  atOnce = usesAtOnce(lanes, options.first.transport);
  const apart = !oneAtATime && options.first.serverCapabilities?.tasks !== undefined;
  const patient = apart ? plan.shared.filter(waitsForTask) : [];
  const together = plan.shared.filter((probe) => !patient.includes(probe));
  const sharable = lanes > 1 ? withPingsApart(together) : together;
  total += sharable.length - together.length;
  const shares = shareOut(sharable);
  const besides = patient.length > 0 && sharable.length > 0 ? 1 : 0;
  const own = { quiet: plan.quiet, others: besides === 1 ? withTaskProbes(isolated, patient) : isolated };
  const inTurn = oneAtATime || servesInTurn(begun?.replyMs, begun?.besideMs);
  const jobs = inTurn ? 1 : Math.max(1, options.jobs) + lanes - 1 + besides;
  const slots = createSlots({
    jobs,
    most: inTurn ? 1 : mostBeside(lanes, Math.max(jobs, options.mostJobs ?? jobs), options.first.transport),
    alone: begun?.openedMs,
    transport: options.first.transport,
    room: options.rate?.sessions,
  });
  const runFirst = async (): Promise<void> => {
    if (besides === 0) await runTaskProbes(patient, options.first, context, finished);
    await runShared(options.first, shares, plan.ending);
  };
  const ready = begun?.probe === undefined ? begun?.peer : undefined;
  if (lanes === 1) await ready?.close();
  const shared = [
    runFirst,
    ...Array.from({ length: lanes - 1 }, (_, index) => () => runLane(shares, index === 0 ? ready : undefined)),
  ].map((run) => () => slots.take(run));
  const start = (probe: Probe): Promise<void> => {
    if (options.spare !== undefined && probe === onSpare) return runOnSpare(probe, options.spare);
    return slots.take(() => runIsolated(probe, probe === begun?.probe ? begun.peer : undefined));
  };
  // On stdio each connection has a process with lists of its own; where one connection is borne there is nothing to compare.
  const inOrder = options.first.transport === 'http' && !oneAtATime;
  const outcomes = await Promise.allSettled(startInOrder(shared, own, start, inOrder));
  await closeAllOpen();
  for (const probe of last) append(outcomes, await Promise.allSettled([runIsolated(probe)]));
  await closeAllOpen();
  places.remove();
  // What goes wrong while everything is being torn down is no reason of its own.
  if (options.signal?.aborted)
    incomplete = typeof options.signal.reason === 'string' ? options.signal.reason : 'interrupted';
  else if (givenUp !== undefined)
    incomplete = `${givenUp}${done < total ? `; ${total - done} of ${total} probes were left out` : ''}`;
  incomplete ??= options.rate?.givenUp;
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected')
      incomplete ??= outcome.reason instanceof Error ? outcome.reason.message : String(outcome.reason);
  }
  const found = await lists.known();
  for (const method of found?.cut ?? []) context.skip({ what: method, why: endlessPages });
  return {
    skipped: [...skipped.values()],
    listing: found,
    incomplete,
  };
}

/** The plan, with what hints make worth asking. */
function withHints({ plan, hints }: ProbeRunOptions): ProbePlan {
  if (hints === undefined) return plan;
  const steps = plan.shared.length > 0 ? hintedSteps(hints) : undefined;
  return withQuiet(steps === undefined ? plan : { ...plan, shared: [...plan.shared, { steps, rules: [] }] }, hints);
}
