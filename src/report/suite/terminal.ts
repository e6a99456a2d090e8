/** A run of suites for a terminal: a line for each case as it ends, what failed with its proof, and the sum. */
import pc from 'picocolors';
import { append } from '../../core/model/lists.ts';
import type {
  CaseStatus,
  SuiteCaseReport,
  SuiteFailure,
  SuiteReport,
  SuiteTimes,
} from '../../core/model/reports/suite-report.ts';
import { coverageLine } from './coverage.ts';
import { oneLine, shorten, visible } from '../text.ts';

export interface SuiteTerminalOptions {
  color?: boolean;
  /** Only what did not pass. */
  quiet?: boolean;
  /** Also the exchange behind each failure in full. */
  verbose?: boolean;
}

type Pen = ReturnType<typeof pc.createColors>;

const nameWidth = 60;
const mostLines = 20;

const words: Record<CaseStatus, string> = {
  pass: 'PASS',
  fail: 'FAIL',
  skip: 'SKIP',
  undecided: 'OPEN',
  empty: 'EMPTY',
};
const signs: Record<CaseStatus, string> = { pass: '✓', fail: '✗', skip: '○', undecided: '?', empty: '∅' };

function pen(options: SuiteTerminalOptions): Pen {
  return pc.createColors(options.color ?? pc.isColorSupported);
}

/** The lines of one case; with several trials a line for each. */
export function caseLines(one: SuiteCaseReport, options: SuiteTerminalOptions): string {
  const c = pen(options);
  const lines: string[] = [];
  for (const { trial, repeated, status, durationMs, failures, detail, stderr, violations = [] } of one.trials) {
    if (options.quiet === true && (status === 'pass' || status === 'skip')) continue;
    const name = `${oneLine(one.name)}${one.trials.length > 1 ? ` (trial ${trial}${repeated === true ? ', run again' : ''})` : ''}`;
    const paint = { pass: c.green, fail: c.red, skip: c.yellow, undecided: c.yellow, empty: c.yellow }[status];
    lines.push(
      `  ${paint(c.isColorSupported ? signs[status] : words[status])} ${name.padEnd(nameWidth)} ${c.dim(`${Math.round(durationMs)}ms`)}`,
    );
    if ((status === 'skip' || status === 'empty') && detail !== '') append(lines, indented(c.dim(oneLine(detail))));
    for (const failure of failures) append(lines, failureLines(one, failure, c, options));
    for (const { level, rule, message } of violations.filter(({ severity }) => severity === 'error'))
      append(lines, indented(c.yellow(`violates ${oneLine(`${level} ${rule}: ${message}`)}`)));
    if (status === 'fail' && stderr.length > 0)
      append(lines, indented(c.dim(`stderr: ${stderr.slice(-3).map(oneLine).join(' | ')}`)));
  }
  if (one.status === 'fail' && one.rerun !== '') append(lines, indented(c.dim(`alone: ${visible(one.rerun)}`)));
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
}

function failureLines(
  one: SuiteCaseReport,
  { detail, line, column, evidence }: SuiteFailure,
  c: Pen,
  { verbose }: SuiteTerminalOptions,
): string[] {
  const reported = visible(detail).split('\n');
  const shown = [
    ...reported.slice(0, mostLines).map((text) => shorten(text, 2000)),
    ...(reported.length > mostLines ? [`… ${reported.length - mostLines} more lines`] : []),
  ];
  return [
    ...shown.flatMap((text) => indented(text)),
    ...indented(c.dim(`at ${visible(one.file)}:${line}:${column}`)),
    ...evidence.flatMap(({ from, label, body }) => {
      const arrow = { client: '→', server: '←', harness: '·' }[from];
      if (verbose === true)
        return [
          ...indented(c.dim(`${arrow} ${oneLine(label)}`)),
          ...visible(body)
            .split('\n')
            .map((text) => `        ${c.dim(shorten(text, 500))}`),
        ];
      return indented(c.dim(`${arrow} ${oneLine(label)}  ${shorten(oneLine(body), 160)}`));
    }),
  ];
}

function indented(text: string): string[] {
  return [`      ${text}`];
}

/** Lines after the cases. */
export function summaryLines(report: SuiteReport, options: SuiteTerminalOptions): string {
  const c = pen(options);
  const { counts, reliability, baseline, incomplete } = report;
  const parts = [
    `${counts.total} assertions`,
    counts.passed > 0 ? c.green(`${counts.passed} passed`) : '',
    counts.failed > 0 ? c.red(`${counts.failed} failed`) : '',
    counts.skipped > 0 ? c.yellow(`${counts.skipped} skipped`) : '',
    counts.undecided > 0 ? c.yellow(`${counts.undecided} undecided`) : '',
    (counts.empty ?? 0) > 0 ? c.yellow(`${counts.empty} asserting nothing`) : '',
    counts.flaky > 0 ? c.yellow(`${counts.flaky} flaky`) : '',
  ].filter((part) => part !== '');
  const lines = ['', parts.join(', ')];
  if (report.coverage !== undefined) lines.push(coverageLine(report.coverage));
  if (reliability)
    lines.push(
      `pass@k: ${reliability.capable}/${reliability.cases} capable, pass^k: ${reliability.reliable}/${reliability.cases} reliable (k = ${reliability.trials})${timesText(reliability.times)}`,
    );
  for (const name of reliability?.flaky ?? []) lines.push(c.yellow(`flaky: ${oneLine(name)}`));
  for (const { name, was, is } of baseline?.regressions ?? [])
    lines.push(c.red(`regression: ${oneLine(name)}: ${was} -> ${is}`));
  for (const name of baseline?.mended ?? [])
    lines.push(c.green(`passes now, unlike in the baseline: ${oneLine(name)}`));
  for (const name of baseline?.gone ?? [])
    lines.push(c.yellow(`in the baseline, but not in this run: ${oneLine(name)}`));
  if (incomplete !== null) lines.push(c.yellow(`Incomplete: ${oneLine(incomplete)}`));
  return `${lines.join('\n')}\n`;
}

function timesText(times: SuiteTimes | undefined): string {
  return times === undefined
    ? ''
    : `; median ${Math.round(times.medianMs)}ms, 95th percentile ${Math.round(times.p95Ms)}ms`;
}

/** The whole report. */
export function renderSuiteTerminal(report: SuiteReport, options: SuiteTerminalOptions = {}): string {
  return report.cases.map((one) => caseLines(one, options)).join('') + summaryLines(report, options);
}
