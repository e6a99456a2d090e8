/** Coverage of a server by suites, for a terminal. */
import pc from 'picocolors';
import { append } from '../../core/model/lists.ts';
import type { CoverageReport, KindCoverage } from '../../core/model/reports/coverage-report.ts';
import { oneLine, plural } from '../text.ts';

export interface CoverageTerminalOptions {
  color?: boolean;
  /** Only the totals. */
  quiet?: boolean;
}

const mostNext = 20;

/** One line: a share for each kind that the server has. */
export function coverageLine(report: CoverageReport): string {
  const kinds: [string, Pick<KindCoverage, 'total' | 'covered' | 'percentage'>][] = [
    ['tools', report],
    ['prompts', report.prompts],
    ['resources', report.resources],
    ['templates', report.templates],
    ['completions', report.completions],
  ];
  const parts = kinds
    .filter(([name, { total }]) => total > 0 || name === 'tools')
    .map(([name, { total, covered, percentage }]) => `${covered}/${total} ${name} (${percentage}%)`);
  return `Coverage: ${parts.join(', ')}`;
}

/** The totals, each tool with what of it is covered, and what to write next. */
export function coverageText(report: CoverageReport, { color, quiet }: CoverageTerminalOptions = {}): string {
  const c = pc.createColors(color ?? pc.isColorSupported);
  const lines: string[] = [];
  for (const { name, arguments: given, values, refusal, error } of quiet === true ? [] : report.tools) {
    const times = report.covered_tools.find((one) => one.name === name)?.assertions ?? 0;
    if (times === 0) {
      lines.push(`  ${c.red('✗')} ${oneLine(name)}`);
      continue;
    }
    const share = (word: string, { covered, missing }: { covered: string[]; missing: string[] }): string[] =>
      covered.length + missing.length === 0 ? [] : [`${covered.length}/${covered.length + missing.length} ${word}`];
    const parts = [
      plural(times, 'request'),
      ...share('optional arguments', given),
      ...share('values', values),
      ...(refusal === true ? ['a refusal'] : []),
      ...(error ? ['an error'] : []),
    ];
    lines.push(`  ${c.green('✓')} ${oneLine(name).padEnd(40)} ${c.dim(parts.join(', '))}`);
  }
  const used = Object.entries(report.client)
    .filter(([, seen]) => seen)
    .map(([name]) => name);
  if (used.length > 0 && quiet !== true) lines.push('', `Features of the client in play: ${used.join(', ')}`);
  if (report.next.length > 0 && quiet !== true) {
    lines.push('', 'To write next:');
    append(
      lines,
      report.next.slice(0, mostNext).map((one) => `  ${oneLine(one)}`),
    );
    if (report.next.length > mostNext) lines.push(`  and ${report.next.length - mostNext} more`);
  }
  if (lines.length > 0) lines.push('');
  lines.push(coverageLine(report));
  return `${lines.join('\n')}\n`;
}
