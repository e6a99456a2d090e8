/** Data for templates of suite reports: visible text, words for states, the exchange of each failure. */
import type { CaseStatus, SuiteCaseReport, SuiteFailure, SuiteReport } from '../../core/model/reports/suite-report.ts';
import { coverageLine } from './coverage.ts';
import { badgeWith } from '../check/ci-views.ts';
import type { Badge } from '../check/ci-views.ts';
import { formatDuration, formatTime, oneLine, plural, visible, webLink } from '../text.ts';
import { wireOf } from '../wire-view.ts';
import type { WireView } from '../wire-view.ts';

export interface FailureView extends Omit<SuiteFailure, 'step' | 'evidence'> {
  wire: WireView[];
  moreWire: string | null;
  /** An expected or actual text may be empty. */
  hasExpected: boolean;
  hasActual: boolean;
}

export interface CaseView {
  /** For links within a page. */
  anchor: string;
  name: string;
  file: string;
  line: number;
  block: string;
  about: string | null;
  tags: string;
  /** Class of the templates of verdicts, for equal colours. */
  tone: string;
  symbol: string;
  label: string;
  open: boolean;
  passed: boolean;
  failed: boolean;
  skipped: boolean;
  undecided: boolean;
  /** It asserts nothing. */
  empty: boolean;
  flaky: boolean;
  detail: string;
  duration: string;
  durationMs: number;
  seconds: string;
  rerun: string;
  stderr: string;
  stderrLines: string[];
  failures: FailureView[];
  /** Where it failed first; the case itself when it did not. */
  failedAt: { line: number; column: number };
  /** Evidence of the failures as plain text: places, expected and actual, exchanges, stderr, the command. */
  story: string;
  /** Rules of the specification that the traffic breaks. */
  violations: { level: string; rule: string; message: string; link: string | null; counts: boolean }[];
  /** As `3 of 5 trials passed`; null with one trial. */
  trials: string | null;
  /** A sentence about a flaky case. */
  flakyMessage: string;
  /** For JUnit: the tool, else the file. */
  className: string;
  /** For GitHub, SARIF and CTRF: the path from the folder of the run; null for one outside of it. */
  artifact: string | null;
  /** From 1. */
  number: number;
  message: string;
}

export interface SuiteView {
  tool: { name: string; version: string };
  suites: string;
  startedAt: string;
  startedAtIso: string;
  startedAtMs: number;
  endedAtMs: number;
  seconds: string;
  duration: string;
  headline: string;
  good: boolean;
  /** `other`: neither passed nor failed nor skipped. */
  counts: SuiteReport['counts'] & { run: number; other: number };
  summary: string;
  /** Pages lay out at most `pieces` at a time: a browser skips invisible ones. */
  groups: { tone: string; heading: string; count: number; cases: CaseView[]; pieces: CaseView[][] }[];
  cases: CaseView[];
  failing: CaseView[];
  /** Cases that both passed and failed, independent of the final result. */
  /** Cases without an assertion. */
  empty: CaseView[];
  flaky: CaseView[];
  files: string[];
  tags: string[];
  reliability: {
    capable: string;
    reliable: string;
    trials: number;
    flaky: string[];
    median: string | null;
    p95: string | null;
  } | null;
  regressions: { name: string; was: string; is: string }[];
  gone: string[];
  mended: string[];
  /** In one line, where it was counted. */
  coverage: string | null;
  notices: string[];
  incomplete: string | null;
  /** Rules that the traffic of cases breaks and that count, each once, whatever came of the cases. */
  broken: { level: string; rule: string; message: string; link: string | null; cases: string; first: CaseView }[];
  badge: Badge;
}

const states: Record<CaseStatus, { tone: string; symbol: string; label: string; heading: string }> = {
  fail: { tone: 'violation', symbol: '✗', label: 'Failed', heading: 'Failed' },
  undecided: { tone: 'warning', symbol: '?', label: 'Undecided', heading: 'Undecided' },
  empty: { tone: 'advice', symbol: '∅', label: 'Asserts nothing', heading: 'Asserts nothing' },
  pass: { tone: 'pass', symbol: '✓', label: 'Passed', heading: 'Passed' },
  skip: { tone: 'not-exercised', symbol: '○', label: 'Skipped', heading: 'Skipped' },
};

const mostInPiece = 40;

function piecesOf(cases: readonly CaseView[]): CaseView[][] {
  return Array.from({ length: Math.ceil(cases.length / mostInPiece) }, (_none, index) =>
    cases.slice(index * mostInPiece, (index + 1) * mostInPiece),
  );
}

export function suiteView(report: SuiteReport): SuiteView {
  const cases = report.cases.map(caseView);
  const { counts, reliability, baseline } = report;
  const started = Date.parse(report.startedAt);
  const good = counts.failed === 0 && counts.total > 0 && report.incomplete === null;
  return {
    tool: report.tool,
    suites: report.suites.map(oneLine).join(', '),
    startedAt: formatTime(report.startedAt),
    startedAtIso: report.startedAt,
    startedAtMs: started,
    endedAtMs: started + report.durationMs,
    seconds: seconds(report.durationMs),
    duration: formatDuration(report.durationMs),
    headline:
      counts.failed > 0
        ? `${counts.passed} passed, ${counts.failed} failed`
        : `${counts.passed}/${counts.total} passed`,
    good,
    counts: { ...counts, run: counts.total - counts.skipped, other: counts.undecided + (counts.empty ?? 0) },
    summary: [
      `${plural(counts.total, 'case')}`,
      part(counts.passed, 'passed'),
      part(counts.failed, 'failed'),
      part(counts.skipped, 'skipped'),
      part(counts.undecided, 'undecided'),
      part(counts.empty ?? 0, 'asserting nothing'),
      part(counts.flaky, 'flaky'),
    ]
      .filter((one) => one !== '')
      .join(', '),
    groups: (Object.entries(states) as [CaseStatus, (typeof states)['pass']][]).flatMap(
      ([_status, { tone, heading }]) => {
        const own = cases.filter((one) => one.tone === tone);
        return own.length === 0 ? [] : [{ tone, heading, count: own.length, cases: own, pieces: piecesOf(own) }];
      },
    ),
    cases,
    failing: cases.filter(({ failed }) => failed),
    flaky: cases.filter(({ flaky }) => flaky),
    empty: cases.filter(({ empty }) => empty),
    files: [...new Set(cases.map(({ file }) => file))],
    tags: [...new Set(report.cases.flatMap(({ tags }) => tags))].map(oneLine).sort(),
    reliability: reliability && {
      capable: `${reliability.capable}/${reliability.cases}`,
      reliable: `${reliability.reliable}/${reliability.cases}`,
      trials: reliability.trials,
      flaky: (reliability.flaky ?? []).map(oneLine),
      median: reliability.times === undefined ? null : milliseconds(reliability.times.medianMs),
      p95: reliability.times === undefined ? null : milliseconds(reliability.times.p95Ms),
    },
    regressions: (baseline?.regressions ?? []).map(({ name, was, is }) => ({ name: oneLine(name), was, is })),
    gone: (baseline?.gone ?? []).map(oneLine),
    mended: (baseline?.mended ?? []).map(oneLine),
    coverage: report.coverage === undefined ? null : coverageLine(report.coverage),
    notices: report.notices.map(oneLine),
    incomplete: report.incomplete === null ? null : oneLine(report.incomplete),
    broken: brokenRules(cases),
    badge: badgeWith(
      'MCP suite',
      `${counts.passed}/${counts.total}`,
      counts.failed > 0 ? 'f' : counts.passed === counts.total && counts.total > 0 ? 'a' : 'c',
      counts.failed > 0,
    ),
  };
}

function brokenRules(cases: readonly CaseView[]): SuiteView['broken'] {
  const found = new Map<string, SuiteView['broken'][number] & { count: number }>();
  for (const one of cases) {
    for (const { counts, ...violation } of one.violations) {
      if (!counts) continue;
      const known = found.get(violation.rule);
      if (known === undefined) found.set(violation.rule, { ...violation, first: one, count: 1, cases: '' });
      else known.count += 1;
    }
  }
  return [...found.values()].map(({ count, ...rule }) => ({ ...rule, cases: plural(count, 'case') }));
}

function part(count: number, word: string): string {
  return count === 0 ? '' : `${count} ${word}`;
}

function caseView(one: SuiteCaseReport, index: number): CaseView {
  const { tone, symbol, label } = states[one.status];
  const shown = one.trials.find(({ status }) => status === one.status);
  const passed = one.trials.filter(({ status }) => status === 'pass').length;
  const failures = (shown?.failures ?? []).map(failureView);
  const stderrLines = (shown?.stderr ?? []).map(visible);
  return {
    anchor: `case-${index + 1}`,
    name: oneLine(one.name),
    file: oneLine(one.file),
    line: one.line,
    block: one.block,
    about: one.about === null ? null : oneLine(one.about),
    tags: one.tags.map(oneLine).join(' '),
    tone,
    symbol,
    label,
    open: ['fail', 'undecided', 'empty'].includes(one.status),
    passed: one.status === 'pass',
    failed: one.status === 'fail',
    skipped: one.status === 'skip',
    undecided: one.status === 'undecided',
    empty: one.status === 'empty',
    flaky: one.flaky,
    detail: visible(one.detail),
    duration: formatDuration(one.durationMs),
    durationMs: Math.round(one.durationMs),
    seconds: seconds(one.durationMs),
    rerun: oneLine(one.rerun),
    stderr: stderrLines.join('\n'),
    stderrLines,
    failures,
    failedAt: { line: failures[0]?.line ?? one.line, column: failures[0]?.column ?? 1 },
    story: storyOf(one, failures, stderrLines),
    violations: (shown?.violations ?? []).map(({ level, rule, message, link, severity }) => ({
      level: oneLine(level),
      rule: oneLine(rule),
      message: oneLine(message),
      link: webLink(link),
      counts: severity === 'error',
    })),
    trials:
      one.trials.length < 2
        ? null
        : `${passed} of ${one.trials.length} trials passed${one.times === undefined ? '' : `, median ${milliseconds(one.times.medianMs)}, 95th percentile ${milliseconds(one.times.p95Ms)}`}`,
    flakyMessage: `${oneLine(one.name)} both passed and failed: ${passed} of ${one.trials.length} runs passed`,
    className: oneLine(one.language ?? one.about ?? one.file),
    artifact: relative(one.file),
    number: index + 1,
    message: oneLine(one.detail),
  };
}

function failureView({
  title,
  expectation,
  detail,
  expected,
  actual,
  line,
  column,
  evidence,
}: SuiteFailure): FailureView {
  const text = (value: string | null): string | null => (value === null ? null : visible(value));
  return {
    title: oneLine(title),
    expectation,
    detail: visible(detail),
    expected: text(expected),
    actual: text(actual),
    hasExpected: expected !== null,
    hasActual: actual !== null,
    line,
    column,
    ...wireOf(
      evidence.map(({ seq }) => seq),
      new Map(evidence.map((entry) => [entry.seq, entry])),
    ),
  };
}

function storyOf(
  { file, rerun }: SuiteCaseReport,
  failures: readonly FailureView[],
  stderr: readonly string[],
): string {
  const reported = failures.flatMap(({ line, column, expectation, expected, actual, wire }) => [
    `at ${oneLine(file)}:${line}:${column}${expectation === null ? '' : ` (${expectation})`}`,
    ...(expected === null ? [] : [`Expected: ${expected}`]),
    ...(actual === null ? [] : [`Actual: ${actual}`]),
    ...wire.map(({ arrow, label, line: body }) => `${arrow} ${label}${body === null ? '' : ` ${body}`}`),
  ]);
  const alone = rerun === '' ? [] : [`Alone: ${oneLine(rerun)}`];
  return [...reported, ...stderr.map((line) => `stderr: ${line}`), ...alone].join('\n');
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}

/** Viewers resolve paths against the repository. */
function relative(path: string): string | null {
  const parts = path.replaceAll('\\', '/').replace(/^\.\//, '').split('/');
  return parts[0] === '' || /^[A-Za-z]:$/.test(parts[0]!) || parts.includes('..') ? null : parts.map(visible).join('/');
}

function milliseconds(ms: number): string {
  return `${Math.round(ms)} ms`;
}
