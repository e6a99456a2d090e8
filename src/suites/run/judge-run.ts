/** The use case `run --recording`: judges the cases of suites by a kept run, without any server. */
import { largest } from '../../core/model/lists.ts';
import type { SuiteCaseReport, SuiteReport, SuiteTrial } from '../../core/model/reports/suite-report.ts';
import type { TraceEvent } from '../../core/model/trace.ts';
import { usageError } from '../../core/model/errors.ts';
import type { SuiteCase } from '../language/model.ts';
import { createCaseRecord } from '../language/judge/case-record.ts';
import type { CaseMark } from '../language/judge/case-record.ts';
import { judgeRecord } from '../language/judge/judge-case.ts';
import { prepareCases } from '../language/judge/prepare.ts';
import { readTrace } from '../../files/traces/jsonl-reader.ts';
import { trialOf } from './traffic/case-report.ts';
import { caseReport, suiteReport, trialsOf } from './report-parts.ts';
import { withTraffic } from './traffic/judge-traffic.ts';
import type { ConformanceChoice } from './traffic/judge-traffic.ts';
import type { SuiteSnapshots } from './snapshot/stored.ts';
import { skipReason } from '../language/skip.ts';
import { createRedactor } from '../../core/trace/redaction/redact.ts';
import { secretsOf } from './connect/known-secrets.ts';
import type { ServerOverride } from './connect/override.ts';

export interface JudgeRunOptions {
  cases: readonly SuiteCase[];
  suites: readonly string[];
  all: boolean;
  env: NodeJS.ProcessEnv;
  toolVersion: string;
  notices: readonly string[];
  rerun(one: SuiteCase): string;
  conformance: ConformanceChoice;
  /** The run ended after so many failures. */
  bail?: number;
  /** Replacement for the servers of the files. */
  override?: ServerOverride;
  /** Values of flags that must not be written anywhere. */
  secrets: readonly string[];
  /** Stored answers, for the expectation `snapshot`. */
  snapshots?: SuiteSnapshots;
  onCase?(one: SuiteCaseReport): void;
}

/** @throws McpcError usage when the file is no trace, or not of a run of suites */
export async function judgeRun(file: string, options: JudgeRunOptions): Promise<SuiteReport> {
  await prepareCases(options.cases);
  const began = performance.now();
  const reading = await readTrace(file);
  // The suite itself may hold what the environment says is secret.
  const clean = createRedactor(secretsOf(options.cases, options).known).text;
  const wanted = new Map(options.cases.map((one) => [one.id, one]));
  const trials = new Map<string, SuiteTrial[]>();
  let events: TraceEvent[] | undefined;
  const notices = [...options.notices];
  let marks = 0;
  for await (const event of reading.events) {
    const mark = event.kind === 'case' ? (event.detail as CaseMark) : undefined;
    if (mark !== undefined) marks += 1;
    if (mark?.mark === 'told') notices.push(mark.words ?? '');
    if (mark?.mark === 'begin') events = [];
    events?.push(event);
    if (mark?.mark !== 'end' || events === undefined) continue;
    const one = wanted.get(mark.case ?? '');
    if (one)
      trials.set(
        one.id,
        withTrial(
          trials.get(one.id) ?? [],
          await withTraffic(
            judgeTrial(one, events, mark, { ...options, clean }),
            one,
            { header: reading.header, events, all: options.all, clean },
            options.conformance,
          ),
        ),
      );
    events = undefined;
  }
  if (marks === 0)
    throw usageError(`${file} holds no run of suites.`, 'Name a trace that "mcpc run --trace FILE" has written.');
  if (trials.size === 0 && options.cases.some((one) => unseen(one, options.env, 1)[0]!.status === 'undecided'))
    throw usageError(
      `${file} holds none of the cases that were chosen.`,
      'Name the trace of a run of these suites, by the paths they had then.',
    );
  const times = largest([
    1,
    ...[...trials.values()].map((all) => all.filter(({ repeated }) => repeated !== true).length),
  ]);
  const cases: SuiteCaseReport[] = [];
  for (const one of options.cases) {
    const seen = trials.get(one.id);
    // The run was asked to end here.
    if (
      seen === undefined &&
      options.bail !== undefined &&
      cases.filter(({ status }) => status === 'fail').length >= options.bail
    )
      continue;
    const report = caseReport(one, seen ?? unseen(one, options.env, times), options.rerun(one));
    options.onCase?.(report);
    cases.push(report);
  }
  const footer = reading.footer();
  return suiteReport(cases, {
    ...options,
    startedAt: reading.header.startedAt ?? new Date().toISOString(),
    durationMs: performance.now() - began,
    notices,
    trials: trialsOf(cases),
    incomplete:
      footer === undefined
        ? 'the recording was cut off'
        : footer.complete
          ? null
          : (footer.reason ?? 'the recording is not complete'),
  });
}

/** A trial that comes again was repeated: the last one counts. */
function withTrial(before: readonly SuiteTrial[], next: SuiteTrial): SuiteTrial[] {
  return [...before.map((one): SuiteTrial => (one.trial === next.trial ? { ...one, repeated: true } : one)), next];
}

function judgeTrial(
  one: SuiteCase,
  events: readonly TraceEvent[],
  end: CaseMark,
  options: JudgeRunOptions & { clean(text: string): string },
): SuiteTrial {
  const snapshots = options.snapshots?.(one, (message) => message);
  const how = { all: options.all, snapshots };
  const record = createCaseRecord();
  for (const event of events) record.push(event);
  const verdict = judgeRecord(one, record, how);
  const trial = (events[0]!.detail as CaseMark).trial ?? 1;
  const judged = trialOf(one, trial, { verdict, record, events, redacted: false }, { ...how, clean: options.clean });
  const changed = new Set(end.redacted?.map((seq) => seq + events[0]!.seq));
  // A redacted value cannot be judged: only a failure that does not depend on one counts.
  const doubtful =
    verdict.failures.length > 0 && verdict.failures.every(({ seqs }) => seqs.some((seq) => changed.has(seq)));
  return doubtful
    ? { ...judged, status: 'undecided', detail: `secrets were taken out of what is judged: ${judged.detail}` }
    : judged;
}

/** A case that is missing in the recording; a skipped one is always skipped. */
function unseen(one: SuiteCase, env: NodeJS.ProcessEnv, times: number): SuiteTrial[] {
  const skipped =
    skipReason(one, env) ??
    (one.skipUnlessEnv === undefined ? undefined : `environment variable ${one.skipUnlessEnv} was not set`);
  if (skipped === undefined)
    return [
      {
        trial: 1,
        status: 'undecided',
        durationMs: 0,
        detail: 'the recording does not hold this case',
        failures: [],
        stderr: [],
      },
    ];
  return Array.from({ length: times }, (_none, index) => ({
    trial: index + 1,
    status: 'skip',
    durationMs: 0,
    detail: skipped,
    failures: [],
    stderr: [],
  }));
}
