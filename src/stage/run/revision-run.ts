/** The starts of a client by one revision, or by whichever it asks for: one trace, one report. */
import { targetError } from '../../core/model/errors.ts';
import type { AskedRevision } from '../../core/model/reports/run-parts.ts';
import type { RunReport } from '../../core/model/reports/run-report.ts';
import type { Revision } from '../../core/model/rules/requirement.ts';
import { eraOf } from '../../core/spec/revisions.ts';
import type { Redactor } from '../../core/trace/redaction/redact.ts';
import type { SelectedPlan } from '../../check/plan.ts';
import { withoutLogin } from '../../check/reporting/undecided/client-acts.ts';
import { wireEntry } from '../../check/reporting/wire-log.ts';
import { nameOfAct } from '../drive/task.ts';
import { planStarts, type PlannedStart } from '../scene/start-plan.ts';
import type { ClientOptions } from './client-options.ts';
import { openRecording, type Recording } from './recording.ts';
import { playStart, type Played } from './play-start.ts';
import { servedBy, traceHeaderOf } from './served.ts';
import { playSeveral } from './several-starts.ts';
import { followSpeech, type ClientSpeech } from './spoken.ts';

export interface RevisionRun {
  /** A pinned revision, an older revision that the client may accept, or `auto`. */
  spec: Revision | 'auto';
  /** A trial: the client may accept the revision or not. */
  offered: boolean;
  plan: SelectedPlan;
  redactor: Redactor;
  traceFile: string | undefined;
  env: NodeJS.ProcessEnv;
  /** Ends the run, by a person or by its time limit. */
  signal: AbortSignal;
  /** Why the signal was given. */
  whyEnded(): string;
  /** Marks the traces of one run. */
  run: string | undefined;
  /** Where an earlier run found that the client does not log in. */
  loginless?: string | undefined;
}

export interface RevisionResult {
  report?: RunReport;
  /** The client does not accept the revision. */
  unspoken?: AskedRevision;
  /** The revision of the client's own request, or the pinned one. */
  revision: Revision | undefined;
  starts: number;
  /** Where the client did not try to log in. */
  loginless: string | undefined;
}

/** @throws McpcError target when the client cannot be started or never connects; usage for the trace file */
export async function runRevision(one: RevisionRun, options: ClientOptions): Promise<RevisionResult> {
  const { spec, plan, redactor } = one;
  const { transport, jobs = 1, driver, quick = false } = options;
  const recording = await openRecording({
    header: traceHeaderOf({ ...options, spec, quick, run: one.run }),
    plan,
    redactor,
    traceFile: one.traceFile,
    toolVersion: options.toolVersion,
    otherwise: spec === 'auto' ? undefined : spec,
    inTurn: jobs > 1 && driver.parallel,
    evaluator: options.evaluator,
  });
  const speech = followSpeech();
  recording.onEvent((event) => speech.see(event));
  const starts = new Starts(one, options, recording);
  try {
    const planned = planStarts(plan.rules, { transport, revision: spec === 'auto' ? undefined : spec });
    const kept = planned.filter((start) => options.leaveOut?.(start) !== true);
    const first = await starts.first(kept[0]!);
    const stopped = one.signal.aborted;
    if (first.requests === 0 && !options.signal.aborted && (!one.offered || options.onlyIfAccepted === true))
      throw neverConnected(first, options);
    if (one.offered && !stopped && speech.agreed() !== spec) {
      await recording.abandon('the client does not accept the revision');
      return {
        unspoken: declined(spec as Revision, speech),
        revision: undefined,
        starts: starts.played,
        loginless: undefined,
      };
    }
    const revision = spec === 'auto' ? speech.agreed() : spec;
    const further = spec === 'auto' && revision !== undefined ? heldIn(kept, plan, revision) : kept;
    await starts.further(quick ? [] : further.slice(1));
    const report = await recording.conclude({ incomplete: starts.incomplete, skipped: starts.skipped });
    const spoken =
      revision === undefined || one.run === undefined
        ? {}
        : { spoken: [{ revision, era: eraOf(revision), evidence: speech.evidence() }] };
    return { report: { ...report, ...spoken }, revision, starts: starts.played, loginless: starts.loginless };
  } catch (error) {
    await recording.abandon(error instanceof Error ? redactor.text(error.message) : 'it failed');
    throw error;
  } finally {
    recording.dispose();
  }
}

/** Starts that are for a rule of the revision, the ordinary one first. */
function heldIn(starts: readonly PlannedStart[], { rules }: SelectedPlan, revision: Revision): PlannedStart[] {
  const held = new Set(rules.filter(({ at }) => Object.hasOwn(at, revision)).map(({ id }) => id));
  return starts.filter((start, index) => index === 0 || start.rules.some((rule) => held.has(rule)));
}

/** The starts of one recording, and what of them is missing. */
class Starts {
  readonly skipped: RunReport['skipped'] = [];
  incomplete: string | undefined;
  played = 0;
  private of: number | undefined;
  /** Where the client did not try to log in. */
  loginless: string | undefined;
  private guardsPlayed = 0;
  private readonly one: RevisionRun;
  private readonly options: ClientOptions;
  private readonly recording: Recording;

  constructor(one: RevisionRun, options: ClientOptions, recording: Recording) {
    this.one = one;
    this.options = options;
    this.recording = recording;
    this.loginless = one.loginless;
  }

  async first(start: PlannedStart): Promise<Played> {
    this.lacking([start]);
    return this.play(start);
  }

  async further(starts: readonly PlannedStart[]): Promise<void> {
    const { signal } = this.one;
    const { driver, jobs = 1 } = this.options;
    this.lacking(starts);
    this.of = 1 + starts.length;
    let begun = 0;
    await playSeveral(starts, {
      jobs: driver.parallel ? jobs : 1,
      signal,
      play: async (start) => {
        begun += 1;
        const why = this.unplayable(start);
        if (why === undefined) await this.play(start);
        else this.skipped.push({ what: `start ${start.name}`, why });
      },
    });
    if (signal.aborted) this.incomplete ??= `${this.one.whyEnded()} after start ${begun + 1} of ${this.of}`;
    this.skipped.sort((a, b) => orderOf(a.what) - orderOf(b.what));
  }

  /** Why a start would show nothing of the client. */
  private unplayable({ situation }: PlannedStart): string | undefined {
    const { cursorsByCommand } = this.options.driver;
    if (this.loginless !== undefined && situation.guard !== undefined) return `${withoutLogin} (${this.loginless})`;
    if (cursorsByCommand && situation.answers?.some(({ emptyCursor }) => emptyCursor === true))
      return 'for a command an empty cursor is none';
    if (cursorsByCommand && situation.process?.exitsDuring !== undefined)
      return 'each command starts a server of its own, whatever became of the one before';
    return undefined;
  }

  private async play(start: PlannedStart): Promise<Played> {
    const { one, options } = this;
    const { spec } = one;
    this.played += 1;
    options.onStart?.({
      number: Number(start.name.slice(1)),
      ...(this.of === undefined ? {} : { of: this.of }),
      title: start.title,
      ...(one.offered ? { revision: spec } : {}),
    });
    const played = await playStart(start, this.recording, {
      driver: options.driver,
      env: one.env,
      transport: options.transport,
      revisions: servedBy(options.transport, spec),
      ...(spec === 'auto' || one.offered ? {} : { pinned: spec }),
      startMs: options.startMs,
      signal: one.signal,
      print: (line) => options.onPrint?.(one.redactor.text(line)),
    });
    if (start.situation.guard !== undefined) {
      if (this.guardsPlayed === 0 && played.authorization === 0) this.loginless = `start ${start.name}`;
      this.guardsPlayed += 1;
    }
    const why = shortfall(start, played);
    if (why !== undefined) this.skipped.push({ what: `start ${start.name}`, why });
    return played;
  }

  /** Notes acts that the driver cannot have done, each once. */
  private lacking(starts: readonly PlannedStart[]): void {
    const known = new Set(this.skipped.map(({ what }) => what));
    for (const act of starts.flatMap(({ situation }) => situation.drive ?? [])) {
      const why = this.options.driver.lacks(act);
      const what = `act ${nameOfAct(act)}`;
      if (why === undefined || known.has(what)) continue;
      known.add(what);
      this.skipped.push({ what, why });
    }
  }
}

/** Acts first, then starts by their number. */
function orderOf(what: string): number {
  const before = 'start c';
  return what.startsWith(before) ? Number(what.slice(before.length)) : 0;
}

function declined(revision: Revision, speech: ClientSpeech): AskedRevision {
  return {
    revision,
    era: eraOf(revision),
    why: speech.otherwise(revision),
    events: [],
    wire: speech.shown().map(wireEntry),
  };
}

function neverConnected({ end, tail }: Played, { startMs, transport }: ClientOptions): Error {
  const how =
    end.ended === undefined
      ? `It ended with ${end.code === null ? `signal ${end.signal}` : `exit code ${end.code}`}`
      : `It was ended: ${end.ended}`;
  return targetError(
    `The client never connected. ${how}.${tail.length === 0 ? '' : `\nIt printed:\n  ${tail.slice(-6).join('\n  ')}`}`,
    `${placeholder(transport)} It gets ${Math.round(startMs / 1000)} seconds (--start-timeout).`,
  );
}

function placeholder(transport: ClientOptions['transport']): string {
  return transport === 'stdio'
    ? 'Put {{command}} where the client takes the command of its server, or {{config}} for a file of mcpServers.'
    : 'Put {{url}} where the client takes the address of its server.';
}

/** The missing part of a start. */
function shortfall({ situation }: PlannedStart, { authorization, requests, end }: Played): string | undefined {
  if (requests === 0) return 'the client did not connect';
  if (situation.guard !== undefined && authorization === 0) return withoutLogin;
  return end.ended === undefined || end.ended.startsWith('nothing came') ? undefined : end.ended;
}
