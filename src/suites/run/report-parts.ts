/** The report of a case from its trials, and the sums over all cases. Pure. */
import { largest } from '../../core/model/lists.ts';
import type {
  CaseStatus,
  SuiteCaseReport,
  SuiteReport,
  SuiteTimes,
  SuiteTrial,
} from '../../core/model/reports/suite-report.ts';
import { nothingAsserted } from '../language/asserts-nothing.ts';
import type { SuiteCase } from '../language/model.ts';

export function caseReport(one: SuiteCase, carried: SuiteTrial[], rerun: string): SuiteCaseReport {
  const trials = one.empty === undefined ? carried : carried.map((trial) => withoutAssertion(one, trial));
  const counting = trials.filter(({ repeated }) => repeated !== true);
  const statuses = new Set(counting.map(({ status }) => status));
  const status: CaseStatus = statuses.has('fail')
    ? 'fail'
    : statuses.has('undecided')
      ? 'undecided'
      : statuses.has('pass')
        ? 'pass'
        : statuses.has('empty')
          ? 'empty'
          : 'skip';
  return {
    id: one.id,
    name: one.name,
    file: one.file,
    line: one.place.line,
    form: one.form,
    block: one.block,
    about: one.about ?? null,
    tags: one.tags,
    status,
    durationMs: Math.round(trials.reduce((sum, { durationMs }) => sum + durationMs, 0) * 1000) / 1000,
    detail: counting.find((trial) => trial.status === status)?.detail ?? '',
    flaky: statuses.has('pass') && trials.some((trial) => trial.status === 'fail'),
    trials,
    ...timesOf(counting),
    rerun,
    ...(one.language === undefined ? {} : { language: one.language }),
  };
}

/** A trial of a case that asserts nothing: it did not pass, whatever the server answered. */
function withoutAssertion({ name, place, empty }: SuiteCase, trial: SuiteTrial): SuiteTrial {
  if (trial.status !== 'pass') return trial;
  if (empty === 'counted') return { ...trial, status: 'empty', detail: nothingAsserted };
  const failure = {
    step: '',
    title: name,
    expectation: null,
    detail: nothingAsserted,
    expected: null,
    actual: null,
    line: place.line,
    column: place.column,
    evidence: [],
  };
  return { ...trial, status: 'fail', detail: nothingAsserted, failures: [failure] };
}

/** Median and 95th percentile (the nearest rank) of trials that were carried out; nothing of fewer than two. */
function timesOf(trials: readonly SuiteTrial[]): { times?: SuiteTimes } {
  const times = trials
    .filter(({ status }) => status !== 'skip')
    .map(({ durationMs }) => durationMs)
    .toSorted((a, b) => a - b);
  if (times.length < 2) return {};
  const rounded = (ms: number): number => Math.round(ms * 1000) / 1000;
  const middle = Math.floor(times.length / 2);
  const medianMs = times.length % 2 === 1 ? times[middle]! : (times[middle - 1]! + times[middle]!) / 2;
  return { times: { medianMs: rounded(medianMs), p95Ms: rounded(times[Math.ceil(times.length * 0.95) - 1]!) } };
}

/** Maximum number of trials of a case, without repetitions. */
export function trialsOf(cases: readonly SuiteCaseReport[]): number {
  return largest([1, ...cases.map((one) => one.trials.filter(({ repeated }) => repeated !== true).length)]);
}

export interface ReportFrame {
  toolVersion: string;
  suites: readonly string[];
  startedAt: string;
  durationMs: number;
  trials: number;
  notices: readonly string[];
  incomplete: string | null;
}

export function suiteReport(cases: SuiteCaseReport[], frame: ReportFrame): SuiteReport {
  return {
    format: 'mcpc-suite-report',
    version: 1,
    tool: { name: 'mcpc', version: frame.toolVersion },
    suites: [...frame.suites],
    startedAt: frame.startedAt,
    durationMs: Math.round(frame.durationMs),
    counts: countsOf(cases),
    reliability: frame.trials > 1 ? reliabilityOf(cases, frame.trials) : null,
    cases,
    baseline: null,
    notices: [...frame.notices],
    incomplete: frame.incomplete,
  };
}

function countsOf(cases: readonly SuiteCaseReport[]): SuiteReport['counts'] {
  const count = (status: CaseStatus): number => cases.filter((one) => one.status === status).length;
  return {
    total: cases.length,
    passed: count('pass'),
    failed: count('fail'),
    skipped: count('skip'),
    undecided: count('undecided'),
    empty: count('empty'),
    flaky: cases.filter(({ flaky }) => flaky).length,
  };
}

/** By name: passed at least once, and every time. */
function reliabilityOf(cases: readonly SuiteCaseReport[], trials: number): NonNullable<SuiteReport['reliability']> {
  const byName = new Map<string, CaseStatus[]>();
  for (const { name, trials: all } of cases)
    byName.set(name, [
      ...(byName.get(name) ?? []),
      ...all.filter(({ repeated }) => repeated !== true).map(({ status }) => status),
    ]);
  const groups = [...byName.values()];
  const flaky = cases.filter((one) => one.flaky).map(({ name }) => name);
  const counting = cases.flatMap((one) => one.trials).filter(({ repeated }) => repeated !== true);
  return {
    trials,
    cases: groups.length,
    capable: groups.filter((all) => all.includes('pass')).length,
    reliable: groups.filter((all) => all.every((status) => status === 'pass')).length,
    flaky,
    ...timesOf(counting),
  };
}
