/** The use case `check`: reach a target, probe it, judge the trace while it grows, report. */
import { withDefaults } from '../core/model/defaults.ts';
import { McpcError } from '../core/model/errors.ts';
import type { RunReport } from '../core/model/reports/run-report.ts';
import type { TraceFooter, TraceHeader } from '../core/model/trace.ts';
import { permissionOf } from '../client/offers/choose-tools.ts';
import { AnsweredOtherwise, NotSpoken, type Spoken } from '../client/target/answered-otherwise.ts';
import type { Detected } from '../client/reach/detected.ts';
import { unknownHintNames } from '../client/offers/hinted.ts';
import type { Listing } from '../client/offers/survey.ts';
import { unlistedTool } from '../core/permission/unlisted.ts';
import { probesFor } from '../client/schedule/plan/planner.ts';
import { isQuick } from '../client/schedule/plan/quick.ts';
import { runProbes, type ProbeRunResult } from '../client/schedule/run-probes.ts';
import { eraOf } from '../core/spec/revisions.ts';
import { sdkOfCommand, watchForSdk } from './target/find-sdk.ts';
import type { NamedSdk } from './target/sdk-fixes.ts';
import { startServed, type ServedProcess } from './target/serve.ts';
import { createJsonlWriter } from '../files/traces/jsonl-writer.ts';
import { createEventStore, type EventStore } from '../core/trace/event-store.ts';
import { createRecorder, type Recorder } from '../core/trace/recorder.ts';
import type { Redactor } from '../core/trace/redaction/redact.ts';
import { listeningAddresses } from '../client/transport/process/listening.ts';
import { endLeftBehind } from '../client/transport/process/left-behind.ts';
import { marked, partMark, type MarkedProcess } from '../client/transport/process/run-mark.ts';
import type { CheckOptions } from './check-options.ts';
import { connect, timingOf, type OpenSession } from './connect.ts';
import { createEarlyJudging, type EarlyJudging } from './judge/early-judging.ts';
import { startJudging, type Judged, type JudgeFeed } from './judge/judge-feed.ts';
import { leisurely } from './judge/leisurely-feed.ts';
import { withLogin } from './login/with-login.ts';
import { createLimitNotes } from './limit-notes.ts';
import { startPartials } from './partial-reports.ts';
import { loadPlanInParallel, type SelectedPlan } from './plan.ts';
import { assembleReport } from './assemble-report.ts';
import { createStopwatch, type Stopwatch } from './reporting/stopwatch.ts';
import { shownCommands } from './reporting/left-behind.ts';
import { startUpOf } from './reporting/start-up.ts';
import { wireEntry } from './reporting/wire-log.ts';
import { redactorOf } from './run-redactor.ts';
import { asText } from '../core/model/json.ts';

/** Limit of texts in a check; far beyond it there is only a flood. */
const checkLimits = { maxBytes: 128 * 1024 * 1024 };

/** Facts about the target, for the header of the trace. */
type Found = Spoken & Partial<Pick<Detected, 'serverInfo' | 'capabilities' | 'otherRevision'>>;

/**
 * Checks a target. A target that answers in another form than MCP's gets a report of its messages.
 * @throws NotSpoken with `onlyIfSpoken`; McpcError usage for wrong selections and house files, target when it cannot be
 * reached or sends nothing
 */
export async function runCheck(given: CheckOptions): Promise<RunReport> {
  // A trace that is full ends the run: nothing that happens afterwards would be seen.
  const full = new AbortController();
  const signalled = { ...given, signal: AbortSignal.any([full.signal, ...(given.signal ? [given.signal] : [])]) };
  const began = performance.now();
  const watch = given.timings === true ? createStopwatch() : undefined;
  const mark = partMark();
  const options = withMark(signalled, mark);
  const { plan: loading } = await loadPlanInParallel(options.selection);
  const redactor = redactorOf(options);
  const store = createEventStore(options.readyEvents);
  const recorder = createRecorder({ store, redactor, limits: withDefaults(checkLimits, options.traceLimits) });
  const writer = options.traceFile === undefined ? undefined : createJsonlWriter(options.traceFile);
  if (writer) recorder.writeTo(writer);
  const limits = createLimitNotes();
  /** Forms of the server that were read leniently: a few, each reported once. */
  const assumed: string[] = [];
  recorder.subscribe((event) => {
    watch?.see(event);
    limits.see(event);
    if (recorder.limited) full.abort('the rest was left out');
    if (event.kind === 'assumed') assumed.push(event.reason ?? '');
  });
  if (options.onStderr) forwardStderr(recorder, options.onStderr);
  const started = sdkOfCommand(...commandOf(options));
  const worded = watchForSdk();
  if (!started) recorder.subscribe(worded.see, { redacted: true });
  let served: ServedProcess | undefined;
  let closeAll: () => Promise<void> = async () => {};
  let swept = !startsProcesses(options);
  const sweep = async (): Promise<MarkedProcess[]> => {
    if (swept) return [];
    swept = true;
    return endLeftBehind(mark);
  };
  const reportOf = async (footer: TraceFooter, judged: Judged): Promise<RunReport> =>
    assembleReport({
      header: recorder.header!,
      footer,
      cited: store.find,
      judged,
      plan: await loading,
      toolVersion: options.toolVersion,
      trace: options.traceFile ?? null,
      // As a saved trace contains it.
      durationMs:
        typeof footer['durationMs'] === 'number' ? footer['durationMs'] : Math.round(performance.now() - began),
    });
  let stopPartials = (): void => {};
  let mistaken: McpcError | undefined;
  try {
    watch?.stage('detecting');
    served =
      options.serve &&
      (await startServed(options.serve, options.target, recorder.sink, timingOf(options), options.signal));
    const judging = createEarlyJudging(async (header) =>
      startJudging(
        (await loading).rules,
        header,
        options.evaluator === undefined ? {} : { evaluator: options.evaluator },
      ),
    );
    // A revision that is only asked about is prepared for when it turns out to be spoken.
    if (options.spec !== 'auto' && options.onlyIfSpoken === undefined) judging.expect(headerOf(options, undefined));
    const session = await reach(
      await withLogin(options, { recorder, redactor, timing: timingOf(options) }),
      recorder,
      (likely) => judging.expect(headerOf(options, likely)),
    );
    closeAll = session.closeAll;
    const plan = await loading;
    const feed = await beginTrace(headerOf(options, session.detected), recorder, store, judging, watch);
    watch?.stage('probing');
    options.onHeader?.(recorder.header!);
    if (options.onPartial)
      stopPartials = startPartials(async () => reportOf(partialFooter(recorder), await feed.peek()), options.onPartial);
    const probed =
      'why' in session
        ? { skipped: [], incomplete: redactor.text(session.why) }
        : await probe(options, session, recorder, plan, {
            served,
            assumed,
            watch,
            onListed({ tools, missing }) {
              if (options.namedTools !== true || missing?.some((one) => one.startsWith('tools/list ')) === true) return;
              mistaken = unlistedTool(tools, options);
              if (mistaken !== undefined) full.abort(mistaken.message);
            },
          });
    if (mistaken !== undefined) throw mistaken;
    if (options.hints && probed.listing)
      for (const line of unknownHintNames(options.hints, probed.listing)) options.onNotice?.(line);
    options.onProgress?.({ stage: 'judging', done: 1, total: 1 });
    stopPartials();
    watch?.stage('closing');
    await closeAll();
    await served?.stop();
    const left = shownCommands(await sweep(), redactor);
    const footer = finishTrace(
      recorder,
      { ...probed, skipped: [...probed.skipped, ...limits.entries()] },
      {
        durationMs: Math.round(performance.now() - began),
        startUpMs: startUpOf(store.all()),
        left,
        sdk: started ?? worded.found,
      },
    );
    watch?.stage('judging');
    const judged = await feed.finish();
    await writer?.close();
    watch?.stage('reporting');
    const report = await reportOf(footer, judged);
    return watch ? { ...report, timings: watch.result() } : report;
  } catch (error) {
    if (recorder.header === undefined) recorder.setHeader(headerOf(options, undefined));
    recorder.finish({ complete: false, reason: redactor.text(error instanceof Error ? error.message : asText(error)) });
    await writer?.close().catch(() => {});
    throw withoutSecrets(error instanceof NotSpoken ? shownBy(error, store) : error, redactor);
  } finally {
    stopPartials();
    await closeAll();
    await served?.stop();
    await sweep();
  }
}

/** As if the check were ended now. */
function partialFooter({ count }: Recorder): TraceFooter {
  return { footer: true, events: count, complete: false, reason: 'the check was ended before it was through' };
}

/** The options with the mark of this check in the environment of what it starts. */
function withMark(options: CheckOptions, mark: string): CheckOptions {
  const { target, serve } = options;
  return {
    ...options,
    target: target.kind === 'stdio' ? marked(target, mark) : target,
    ...(serve === undefined ? {} : { serve: marked(serve, mark) }),
  };
}

function startsProcesses({ target, serve }: CheckOptions): boolean {
  return target.kind === 'stdio' || serve !== undefined;
}

/** Evidence if a check ended because the target does not speak the revision (`onlyIfSpoken`). */
export function whyNotSpoken(error: unknown): string | undefined {
  return error instanceof NotSpoken ? error.why : undefined;
}

/** Messages that show that a revision is not spoken; the question and its answer are the first of them. */
const mostShown = 4;
const telling: ReadonlySet<string> = new Set(['message', 'unparsable', 'http-response', 'exit']);

/** The error with the messages that show it; their trace is not kept. */
function shownBy({ revision, why }: NotSpoken, store: EventStore): NotSpoken {
  const shown = [...store.all()].filter(({ kind }) => telling.has(kind)).slice(0, mostShown);
  const answer = shown.findIndex(({ from, kind }) => from === 'server' && kind === 'message');
  if (answer >= 0) shown.length = answer + 1;
  return new NotSpoken(revision, why, shown.map(wireEntry));
}

/** An error as it may be shown: messages name the command and the address, which may hold secrets. */
export function withoutSecrets(error: unknown, redactor: Redactor): unknown {
  if (error instanceof NotSpoken) return new NotSpoken(error.revision, redactor.text(error.why), error.wire);
  if (!(error instanceof McpcError)) return error;
  const reported = redactor.text(error.message);
  const remedy = error.remedy === undefined ? undefined : redactor.text(error.remedy);
  if (reported === error.message && remedy === error.remedy) return error;
  return new McpcError(error.stage, reported, { remedy, cause: error.cause });
}

/** The words that start the target, and where; none for a server that runs already. */
function commandOf({ target, serve }: CheckOptions): [words: string[], cwd?: string] {
  const started = target.kind === 'stdio' ? target : serve;
  if (started === undefined) return [[]];
  const words = [started.command, ...started.args];
  return started.cwd === undefined ? [words] : [words, started.cwd];
}

/** A target that answered, but led no conversation. */
interface Answered extends Pick<OpenSession, 'closeAll'> {
  detected: Spoken;
  /** Why nothing more was asked of it. */
  why: string;
}

/** @throws McpcError target when it cannot be reached or sends nothing */
async function reach(
  options: CheckOptions,
  recorder: Recorder,
  onLikely: (likely: Spoken) => void,
): Promise<OpenSession | Answered> {
  try {
    return await connect(options, recorder, onLikely);
  } catch (error) {
    // A full trace ends the run with a reason; an interruption has none.
    const interrupted = options.signal?.aborted === true && typeof options.signal.reason !== 'string';
    if (!(error instanceof AnsweredOtherwise) || interrupted || options.onlyIfSpoken !== undefined) throw error;
    return {
      detected: error.spoken,
      why: [error.message, error.remedy ?? ''].join(' ').trim(),
      closeAll: async () => {},
    };
  }
}

async function beginTrace(
  header: TraceHeader,
  recorder: Recorder,
  store: EventStore,
  judging: EarlyJudging,
  watch: Stopwatch | undefined,
): Promise<JudgeFeed> {
  const feed = leisurely(await judging.begin(header), watch?.judging);
  // Judged is what a saved trace would show, so that judging that trace gives the same verdicts.
  for (const event of store.all()) feed.push(event);
  recorder.subscribe(feed.push, { redacted: true });
  recorder.setHeader(header);
  return feed;
}

function headerOf(options: CheckOptions, detected: Found | undefined): TraceHeader {
  const target = detected?.target ?? options.target;
  return {
    format: 'mcpc-trace',
    version: 1,
    origin: 'live',
    transport: target.kind,
    ...revisionOf(options, detected),
    ...(options.profile === 'quick' ? { profile: 'quick' } : {}),
    ...(options.run === undefined ? {} : { run: options.run }),
    target: {
      name: options.name,
      ...(target.kind === 'stdio' ? { command: [target.command, ...target.args] } : { url: target.url }),
      ...(detected?.serverInfo ? { serverInfo: detected.serverInfo } : {}),
      ...(detected?.capabilities ? { capabilities: detected.capabilities } : {}),
      ...(detected?.otherRevision === undefined ? {} : { speaks: detected.otherRevision }),
    },
    startedAt: new Date().toISOString(),
  };
}

/** The detected revision; for a target that never answered, the user's. */
function revisionOf({ spec }: CheckOptions, detected: Found | undefined): Pick<TraceHeader, 'revision' | 'era'> {
  if (detected) return { revision: detected.revision, era: detected.era };
  return spec === 'auto' ? {} : { revision: spec, era: eraOf(spec) };
}

async function probe(
  options: CheckOptions,
  session: OpenSession,
  recorder: Recorder,
  plan: SelectedPlan,
  {
    served,
    assumed,
    watch,
    onListed,
  }: {
    served: ServedProcess | undefined;
    assumed: readonly string[];
    watch: Stopwatch | undefined;
    onListed: (found: Listing) => void;
  },
): Promise<ProbeRunResult> {
  const { detected } = session;
  if (detected.assumed !== undefined)
    recorder.sink({ session: detected.peer.session, from: 'harness', kind: 'assumed', reason: detected.assumed });
  const probed = await runProbes({
    plan: probesFor(options.profile === 'quick' ? plan.rules.filter(isQuick) : plan.rules, detected, {
      asked: detected.peer.revision,
    }),
    first: detected.peer,
    open: session.open,
    closeAll: session.closeAll,
    rate: session.rate,
    sink: recorder.sink,
    timing: timingOf(options),
    jobs: options.jobs,
    mostJobs: options.mostJobs ?? Math.max(options.jobs, 12),
    quick: options.profile === 'quick',
    permission: permissionOf(options),
    ...(options.hints ? { hints: options.hints } : {}),
    ...(watch ? { watch } : {}),
    ...(served
      ? { revive: (wasRefused: boolean) => served.revive(wasRefused), shutDown: (ms) => served.shutDown(ms) }
      : {}),
    recordListening: (name) => recordListening(name, recorder, served, options),
    ...(options.signal ? { signal: options.signal } : {}),
    onProgress: (done, total) => options.onProgress?.({ stage: 'probing', done, total }),
    onListed,
  });
  const why =
    detected.otherRevision === undefined
      ? detected.locked
      : `the server speaks ${detected.otherRevision}, not ${detected.revision}: use --spec ${detected.otherRevision}, or --spec auto`;
  const reasons = [probed.incomplete ?? why, ...assumed].filter((one) => one !== undefined);
  return reasons.length === 0 ? probed : { ...probed, incomplete: reasons.join('; ') };
}

function recordListening(
  session: string,
  recorder: Recorder,
  served: ServedProcess | undefined,
  options: CheckOptions,
): void {
  if (!served || !options.serve) return;
  const addresses = listeningAddresses(served.pid, options.serve.port);
  if (addresses && addresses.length > 0)
    recorder.sink({ session, from: 'harness', kind: 'listening', detail: addresses });
}

/** The footer has the report's other inputs, so that a saved trace gives the same report. */
function finishTrace(
  recorder: Recorder,
  probed: ProbeRunResult,
  {
    durationMs,
    startUpMs,
    left,
    sdk,
  }: { durationMs: number; startUpMs: number | undefined; left: string[]; sdk: NamedSdk | undefined },
): TraceFooter {
  return recorder.finish({
    complete: probed.incomplete === undefined,
    reason: probed.incomplete,
    more: {
      durationMs,
      startUpMs,
      ...(probed.skipped.length > 0 ? { skipped: probed.skipped } : {}),
      ...(left.length > 0 ? { leftBehind: left } : {}),
      sdk,
    },
  });
}

/** Passes on what the target writes to stderr, without secrets. */
export function forwardStderr(recorder: Recorder, tell: (line: string) => void): void {
  recorder.subscribe(
    (event) => {
      if (event.kind === 'stderr' && event.raw !== undefined) tell(event.raw);
    },
    { redacted: true },
  );
}
