/**
 * Carries out one case: opens its server, does its steps one after another and notes in the trace where each begins.
 * Whether to go on is asked of the judge, which reads the trace.
 */
import type { Hints } from '../../core/model/rules/hints.ts';
import type { Era } from '../../core/model/rules/requirement.ts';
import type { TraceEvent } from '../../core/model/trace.ts';
import type { Recorder } from '../../core/trace/recorder.ts';
import type { MethodTables } from '../../files/package/method-tables.ts';
import type { Step, SuiteCase } from '../language/model.ts';
import { createCaseRecord } from '../language/judge/case-record.ts';
import type { CaseMark, CaseRecord, StepMark } from '../language/judge/case-record.ts';
import { createCaseJudge } from '../language/judge/judge-case.ts';
import type { CaseVerdict, SnapshotsOfCase } from '../language/judge/judge-case.ts';
import type { Connection, OpenOptions } from './connect/connection.ts';
import { checkServer } from './steps/check-server.ts';
import { doStep } from './steps/do-step.ts';
import type { StepSetting } from './steps/step-setting.ts';

/** Maximum time for stderr after an answer that fails a case; the first line of it ends the wait. */
const stderrMs = 40;

/** Least time for all steps that clean up together. */
const teardownMs = 5_000;

export interface CarryOptions {
  connection: Connection;
  trial: number;
  /** Folder with the files of the case. */
  fixture: string | undefined;
  budgetMs: number;
  all: boolean;
  snapshots?: SnapshotsOfCase;
  methods: MethodTables;
  /** Information from the user about the server. */
  hints?: Hints;
  open: Omit<OpenOptions, 'server' | 'fixture' | 'budgetMs'>;
  /** Called as soon as the server has been opened, or could not be. */
  onOpened?(era: Era | undefined): void;
  signal: AbortSignal;
}

export interface Carried {
  verdict: CaseVerdict;
  record: CaseRecord;
  /** The events of the case, without secrets. */
  events: TraceEvent[];
  /** Secrets were taken out of some event. */
  redacted: boolean;
}

export async function carryOut(one: SuiteCase, options: CarryOptions): Promise<Carried> {
  const { connection, budgetMs, fixture } = options;
  const { recorder } = connection;
  const record = createCaseRecord();
  const events: TraceEvent[] = [];
  const raw = new Map<number, unknown>();
  const redacted: number[] = [];
  const unsubscribe = [
    recorder.subscribe((event) => {
      record.push(event);
      raw.set(event.seq, secretPart(event));
    }),
    recorder.subscribe(
      (event) => {
        events.push(event);
        if (raw.get(event.seq) !== secretPart(event)) redacted.push(event.seq - events[0]!.seq);
        raw.delete(event.seq);
      },
      { redacted: true },
    ),
  ];
  const began = performance.now();
  let timedOut = false;
  let cleaning = false;
  const cleaners = one.steps.filter(({ phase }) => phase === 'teardown');
  /** The teardown needs the connection; waiting steps have their own deadlines. */
  const giveUp = (): void => {
    if (cleaners.length === 0 || connection.opened === undefined) connection.abandon();
  };
  let timer = setTimeout(() => {
    timedOut = true;
    giveUp();
  }, budgetMs + 20);
  let interrupted: () => void = () => {};
  const interruption = new Promise<void>((resolve) => (interrupted = resolve));
  const onAbort = (): void => {
    if (!cleaning) giveUp();
    interrupted();
  };
  options.signal.addEventListener('abort', onAbort, { once: true });
  const judge = createCaseJudge(one, record, {
    all: options.all,
    snapshots: options.snapshots,
  });
  const setting: StepSetting = {
    connection,
    remaining: () => Math.max(1, Math.ceil(budgetMs - (performance.now() - began))),
    overdue: () => `context deadline exceeded (timed out after ${budgetMs} ms)`,
    timedOut: () => timedOut || performance.now() - began >= budgetMs,
    methods: options.methods,
    check: (what) =>
      checkServer(what, {
        server: one.server,
        fixture,
        open: options.open,
        hints: options.hints,
        signal: AbortSignal.any([options.signal, AbortSignal.timeout(setting.remaining())]),
      }),
    mark: (detail) => mark('step', detail),
    sink: (kind, detail) => void recorder.sink({ session: session(), from: 'harness', kind, detail }),
  };

  const session = (): string => connection.opened?.peer.session ?? 's1';
  const mark = (kind: 'case' | 'step', detail: CaseMark | StepMark): void =>
    void recorder.sink({ session: session(), from: 'harness', kind, detail });

  async function start(): Promise<boolean> {
    if (
      one.server === undefined ||
      connection.opened?.peer.alive === true ||
      !one.steps.some(({ act }) => act.kind !== 'impossible')
    )
      return true;
    const failed = await connection.open({
      ...options.open,
      server: one.server,
      fixture,
      budgetMs: setting.remaining(),
    });
    options.onOpened?.(connection.opened?.era);
    if (failed === undefined) return true;
    mark('case', {
      mark: 'stopped',
      words: setting.timedOut() ? `${failed.words}; ${setting.overdue()}` : failed.words,
    });
    return false;
  }

  /** Does what cleans up, whatever came of the case, on its connection as long as there is one. */
  async function cleanUp(steps: readonly Step[]): Promise<void> {
    cleaning = true;
    clearTimeout(timer);
    const until = performance.now() + Math.max(teardownMs, setting.remaining());
    const remaining = (): number => Math.max(1, Math.ceil(until - performance.now()));
    timer = setTimeout(() => connection.abandon(), remaining() + 20);
    for (const step of steps) {
      await doStep(step, { ...setting, timedOut: () => performance.now() >= until, remaining }, judge);
      judge.settle(step);
    }
  }

  try {
    mark('case', { mark: 'begin', case: one.id, trial: options.trial, fixture });
    const started = await start();
    if (started) {
      if (listens(one)) await connection.listen(setting.remaining());
      for (const step of one.steps) {
        if (step.phase === 'teardown') continue;
        if (options.signal.aborted) break;
        await Promise.race([doStep(step, setting, judge), interruption]);
        if (options.signal.aborted) break;
        if (judge.settle(step)) continue;
        // Earlier stderr output of the server may arrive after its answer.
        if (connection.opened !== undefined) await lineOfStderr(recorder);
        break;
      }
    }
    // Where no server could be reached there is nothing to ask of it.
    await cleanUp(started ? cleaners : cleaners.filter(({ act }) => act.kind === 'run'));
    if (timedOut || options.signal.aborted) connection.abandon();
    mark('case', { mark: 'end', case: one.id, ...(redacted.length === 0 ? {} : { redacted }) });
    return { verdict: judge.verdict(), record, events, redacted: redacted.length > 0 };
  } finally {
    clearTimeout(timer);
    options.signal.removeEventListener('abort', onAbort);
    for (const stop of unsubscribe) stop();
  }
}

/** Waits until the next line on stderr was recorded, and no longer than it may take. */
function lineOfStderr(recorder: Recorder): Promise<void> {
  return new Promise((resolve) => {
    const over = (): void => {
      clearTimeout(longest);
      stop();
      resolve();
    };
    const longest = setTimeout(over, stderrMs);
    const stop = recorder.subscribe(({ kind }) => {
      if (kind === 'stderr') over();
    });
  });
}

/** Data of an event for judging, which identifies a changed one. */
function secretPart({ message, raw, detail }: TraceEvent): unknown {
  return message ?? raw ?? (detail as { content?: unknown } | undefined)?.content;
}

/** True if the server must be able to send messages by itself. */
function listens({ server, steps }: SuiteCase): boolean {
  return (
    server?.features !== undefined ||
    steps.some(
      ({ act }) =>
        act.kind === 'observe' ||
        act.kind === 'await-notice' ||
        (act.kind === 'request' && act.method === 'resources/subscribe'),
    )
  );
}
