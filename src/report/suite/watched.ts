/** A run of `mcpc watch` for a terminal, and as a line of JSON. */
import pc from 'picocolors';
import { append } from '../../core/model/lists.ts';
import type { CaseStatus, SuiteReport } from '../../core/model/reports/suite-report.ts';
import { oneLine, shorten, visible } from '../text.ts';
import { caseLines } from './terminal.ts';

interface Flip {
  name: string;
  was: CaseStatus;
  is: CaseStatus;
  detail: string;
  diff: string | null;
}

interface WatchedRun {
  why: string;
  report: SuiteReport | null;
  flips: readonly Flip[];
  counts: Record<CaseStatus, number>;
  error: string | null;
}

const words: Record<CaseStatus, string> = {
  pass: 'PASS',
  fail: 'FAIL',
  skip: 'SKIP',
  undecided: 'OPEN',
  empty: 'EMPTY',
};
const mostLines = 60;

/** Flipped cases, then cases that do not pass, then the sum. */
export function runText(
  { report, flips, counts, error }: WatchedRun,
  options: { quiet?: boolean; color?: boolean },
): string {
  const c = pc.createColors(options.color ?? pc.isColorSupported);
  const lines: string[] = [];
  for (const { name, was, is, detail, diff } of flips) {
    const paint = is === 'fail' ? c.red : c.green;
    lines.push(
      `${oneLine(name)}: ${words[was]} -> ${paint(words[is])}${detail === '' ? '' : `: ${shorten(visible(detail), 2000)}`}`,
    );
    if (diff === null) continue;
    const reported = visible(diff).split('\n');
    append(
      lines,
      reported
        .slice(0, mostLines)
        .map(
          (line) =>
            `    ${line.startsWith('+') ? c.green(shorten(line, 500)) : line.startsWith('-') ? c.red(shorten(line, 500)) : c.dim(shorten(line, 500))}`,
        ),
    );
    if (reported.length > mostLines) lines.push(`    … ${reported.length - mostLines} more lines`);
  }
  if (flips.length > 0) lines.push('');
  const cases = (report?.cases ?? []).map((one) => caseLines(one, { ...options, quiet: true })).join('');
  const parts = (
    [
      ['pass', 'passed'],
      ['fail', 'failed'],
      ['skip', 'skipped'],
      ['undecided', 'undecided'],
      ['empty', 'asserting nothing'],
    ] as const
  )
    .filter(([status]) => counts[status] > 0)
    .map(([status, word]) => (status === 'fail' ? c.red : c.green)(`${counts[status]} ${word}`));
  const sum = error === null ? `${report?.cases.length ?? 0} run; of all cases ${parts.join(', ')}` : visible(error);
  return `${lines.map((line) => `${line}\n`).join('')}${cases}${sum}\n`;
}

/** One line. */
export function runLine({ why, report, flips, counts, error }: WatchedRun): string {
  const cases = (report?.cases ?? []).map(({ name, file, line, status, detail, durationMs }) => ({
    name,
    file,
    line,
    status,
    detail,
    duration_ms: durationMs,
  }));
  return `${JSON.stringify({ why, flips, counts, cases, error })}\n`;
}
