/**
 * Runs the probes of a plan against a target: the shared ones on the first session, each chain on a connection of its
 * own, as many at a time as the target serves. Everything that happens goes to the recorder; nothing is judged here.
 */
import type { Hints } from '../../core/model/rules/hints.ts';
import type { Permission } from '../../core/permission/decide.ts';
import type { EventSink } from '../../core/model/trace.ts';
import type { RequestRate } from '../load/request-rate.ts';
import { createToolTurns } from '../load/tool-turns.ts';
import { leftOut } from '../offers/choose-tools.ts';
import { hintedSteps } from '../offers/hinted.ts';
import { createSharedListing } from '../offers/shared-listing.ts';
import { endlessPages, surveyTarget, type Listing, type Skipped } from '../offers/survey.ts';
import type { Peer } from '../peer/peer.ts';
import type { StepContext, StepWatch } from '../steps/support/step-scope.ts';
import type { Timing } from '../target/timing.ts';
import type { Exit } from '../transport/process/stdio-process.ts';
import { createCapacity } from './capacity.ts';
import { hasTrait } from './plan/chains.ts';
import { phasesOf } from './plan/phases.ts';
import { everyProbe, type Chain, type Probe, type ProbePlan } from './plan/probe.ts';
import { isReady, runChain } from './run-chain.ts';
import { createRunFolder } from './run-folder.ts';
import { runPhases } from './run-phases.ts';
import { runShared, runTaskProbes, sharedQueue, waitsForTask } from './run-shared.ts';
import { trySecondConnection } from './second-connection.ts';
import { watchForSilence } from './unresponsive.ts';

/** Callbacks that measure a run. */
export interface ProbeWatch extends StepWatch {
  /** A probe begins on a connection; `rules` asked for it. */
  probe(session: string, rules: readonly string[]): void;
}

export interface ProbeRunOptions {
  plan: ProbePlan;
  /** The session that detection left open, after its handshake. */
  first: Peer;
  open(how?: { trial: true }): Promise<Peer>;
  /** Closes all connections, which ends every wait. */
  closeAll(): Promise<void>;
  sink: EventSink;
  timing: Timing;
  /** Connections at a time. */
  jobs: number;
  /** The same for a target that spends its time waiting. */
  mostJobs?: number;
  /** The quick profile: what takes long is used once. */
  quick?: boolean;
  /** Which tools may be called. */
  permission: Permission;
  /** What the user wrote about the target. */
  hints?: Hints;
  recordListening(session: string): void;
  /** Starts a server that mcpc started again, if its process has ended. @param wasRefused the last connection was refused @returns whether it was started */
  revive?(wasRefused: boolean): Promise<boolean>;
  /** Ends a server that mcpc started. @param ms how long that may take */
  shutDown?(ms: number): Promise<Exit>;
  /** How fast requests go out; where the server asks for no more of them, the remaining probes are left out. */
  rate?: RequestRate;
  /** Stops before the next probe when aborted; a reason that is a text is reported. */
  signal?: AbortSignal;
  onProgress?: (done: number, total: number) => void;
  /** Receives what the target lists, once. */
  onListed?: (found: Listing) => void;
  watch?: ProbeWatch;
}

export interface ProbeRunResult {
  skipped: Skipped[];
  /** What the target lists; absent when no probe needed it. */
  listing?: Listing;
  /** Why probes were left out, if any were. */
  incomplete?: string;
}

/** @returns why probes were left out, if any were; it rejects for nothing that a server does */
export async function runProbes(options: ProbeRunOptions): Promise<ProbeRunResult> {
  const run = new ProbeRun(options);
  return run.run();
}

/** One run: its connections, its progress, and what is remembered between probes. */
class ProbeRun {
  private readonly options: ProbeRunOptions;
  private readonly plan: ProbePlan;
  private readonly first: Peer;
  private readonly silence: ReturnType<typeof watchForSilence>;
  private readonly capacity: ReturnType<typeof createCapacity>;
  private readonly lists: ReturnType<typeof createSharedListing>;
  private readonly places = createRunFolder();
  private readonly skipped = new Map<string, Skipped>();
  private readonly context: StepContext;
  /** Closes that need not be waited for before the next probe. */
  private readonly closing: Promise<void>[] = [];
  /** Processes whose cancelled requests may still be answered, until the phase is over. */
  private readonly listening: Peer[] = [];
  private newest: Peer | undefined;
  private total: number;
  private done = 0;
  private incomplete: string | undefined;

  constructor(options: ProbeRunOptions) {
    this.options = options;
    const { timing, rate, jobs, mostJobs = jobs } = options;
    this.silence = watchForSilence(() => void options.closeAll(), timing.startMs);
    this.first = this.silence.watched(options.first, true);
    this.plan = withHints(options);
    this.total = everyProbe(this.plan).length;
    this.capacity = createCapacity({ transport: this.first.transport, jobs, mostJobs, room: rate?.sessions });
    this.lists = createSharedListing(this.plan.shared.length > 0 ? this.first : undefined, (found) => {
      for (const one of leftOut(found.tools, options.permission)) this.skip(one);
      options.onListed?.(found);
      return { ...found, hints: options.hints };
    });
    this.context = this.createContext();
  }

  async run(): Promise<ProbeRunResult> {
    const { options, capacity } = this;
    const second = await trySecondConnection({ ...options, plan: this.plan, first: this.first }, () =>
      this.open({ trial: true }),
    );
    capacity.observe(second);
    const begun = typeof second === 'object' ? second : undefined;
    const phases = phasesOf(this.plan, {
      watchesWork: Object.values(options.hints?.tools ?? {}).some(({ seenIn }) => seenIn !== undefined),
      // Over stdio each connection has a process with lists of its own.
      comparesLists: this.first.transport === 'http' && !capacity.oneAtATime,
      mayEndServer: options.shutDown !== undefined,
    });
    const isOwn = phases.some(({ chains }) => begun?.chain !== undefined && chains.includes(begun.chain));
    let spare = isOwn ? undefined : begun?.peer;
    if (capacity.sharing === 1) await spare?.close();
    const queue = sharedQueue(this.plan.shared.filter((probe) => !waitsForTask(probe)));
    const results = await runPhases(phases, {
      capacity,
      chain: (chain) => this.runOwn(chain, chain === begun?.chain ? begun.peer : undefined),
      shared: async ({ ending }, index) => {
        if (index === 0) return this.runFirst(queue, ending);
        const peer = spare;
        spare = undefined;
        return this.runFurther(queue, peer);
      },
      waits: (chain) => this.waits(chain),
      settle: () => this.settle(),
    });
    this.places.remove();
    return this.result(results);
  }

  private async runFirst(queue: ReturnType<typeof sharedQueue>, ending: Chain | undefined): Promise<void> {
    const tasks = this.plan.shared.filter(waitsForTask);
    // Task probes spend their time waiting. Meanwhile a second session starts with the others: a tenth of a check of the example server.
    const isWaiting = tasks.length > 0 && this.first.serverCapabilities?.tasks !== undefined && queue.left() > 0;
    const onFirst = async () => {
      await runTaskProbes(tasks, this.first, this.sharedRun());
      return runShared(this.first, queue, this.sharedRun());
    };
    const [peer] = await Promise.all([
      onFirst(),
      ...(isWaiting && !this.capacity.oneAtATime ? [this.runFurther(queue)] : []),
    ]);
    if (peer === this.first) await this.lists.leaveUsual();
    const goesOn = ending !== undefined && !this.stopped() && (await isReady(peer, ending[0]!));
    if (goesOn) peer.answerIn('usual');
    else await peer.close();
    if (ending !== undefined) await this.runOwn(ending, goesOn ? peer : undefined);
  }

  /** One more session for shared probes. It sees the lists itself, because what is used on a session is judged by what it listed. */
  private async runFurther(queue: ReturnType<typeof sharedQueue>, begun?: Peer): Promise<void> {
    const peer = begun ?? (await this.open());
    if (!begun) await peer.handshake();
    await surveyTarget(peer);
    await (await runShared(peer, queue, this.sharedRun())).close();
  }

  private runOwn(chain: Chain, begun?: Peer): Promise<void> {
    return runChain(
      chain,
      {
        ...this.sharedRun(),
        negotiated: this.first.negotiated,
        added: () => void (this.total += 1),
        leave: async (peer, done) => {
          if (this.capacity.oneAtATime) await peer.close();
          else if (peer.transport === 'stdio' && hasTrait(done, 'cancels')) this.listening.push(peer);
          else this.closing.push(peer.close());
        },
      },
      begun,
    );
  }

  private sharedRun() {
    return {
      context: this.context,
      open: () => this.open(),
      stopped: () => this.stopped(),
      waits: (probes: readonly Probe[]) => this.waits(probes),
      begins: ({ rules }: Probe, peer: Peer) => this.options.watch?.probe(peer.session, rules),
      finished: () => {
        this.done += 1;
        this.options.onProgress?.(this.done, this.total);
      },
      incomplete: (why: string) => void (this.incomplete ??= why),
    };
  }

  private async open(how?: { trial: true }): Promise<Peer> {
    const wasRefused = this.newest?.alive === false && this.newest.heard === 'nothing';
    if (await this.options.revive?.(wasRefused))
      this.incomplete ??= 'the server ended by itself and was started again; what it was being asked may be undecided';
    this.newest = this.silence.watched(await this.options.open(how));
    return this.newest;
  }

  private stopped(): boolean {
    const { signal, rate } = this.options;
    return signal?.aborted === true || this.silence.gaveUp !== undefined || rate?.givenUp !== undefined;
  }

  private waits(probes: readonly Probe[]): boolean {
    return this.context.turns.quiet && hasTrait(probes, 'callsTools');
  }

  private async settle(): Promise<void> {
    for (const peer of this.listening.splice(0)) this.closing.push(peer.close());
    await Promise.all(this.closing.splice(0));
  }

  private skip(one: Skipped): void {
    this.skipped.set(one.what, one);
  }

  private async result(results: readonly PromiseSettledResult<void>[]): Promise<ProbeRunResult> {
    const { signal, rate } = this.options;
    const { gaveUp } = this.silence;
    const left = this.total - this.done;
    // What fails while everything is torn down is no reason of its own.
    if (signal?.aborted === true) this.incomplete = typeof signal.reason === 'string' ? signal.reason : 'interrupted';
    else if (gaveUp !== undefined)
      this.incomplete = `${gaveUp}${left > 0 ? `; ${left} of ${this.total} probes were left out` : ''}`;
    this.incomplete ??= rate?.givenUp;
    for (const result of results) {
      if (result.status === 'rejected')
        this.incomplete ??= result.reason instanceof Error ? result.reason.message : String(result.reason);
    }
    const listing = await this.lists.known();
    for (const method of listing?.cut ?? []) this.skip({ what: method, why: endlessPages });
    return { skipped: [...this.skipped.values()], listing, incomplete: this.incomplete };
  }

  private createContext(): StepContext {
    const { options, capacity } = this;
    return {
      timing: options.timing,
      quick: options.quick === true,
      sink: options.sink,
      watch: options.watch,
      permission: options.permission,
      places: this.places,
      open: () => this.open(),
      oneAtATime: () => capacity.oneAtATime,
      atOnce: () => capacity.uses,
      listing: this.lists.of,
      skip: (one) => this.skip(one),
      unanswered: new Set(),
      slow: new Map(),
      heldBack: { streams: 0 },
      brief: new Map(),
      spent: { ms: 0 },
      turns: createToolTurns(options.timing.answerMs, (over) => capacity.lend(over)),
      tasked: new Set(),
      ownTools: new WeakMap(),
      recordListening: options.recordListening,
      shutDown: options.shutDown,
    };
  }
}

/** The plan, with the steps that hints add to the shared probes. */
function withHints({ plan, hints }: ProbeRunOptions): ProbePlan {
  const steps = hints === undefined || plan.shared.length === 0 ? undefined : hintedSteps(hints);
  return steps === undefined ? plan : { ...plan, shared: [...plan.shared, { steps, rules: [] }] };
}
