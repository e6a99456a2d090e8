/** A matrix of suites in, one text out. Writes no file and prints nothing. */
import { basename, dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import pc from 'picocolors';
import { usageError } from '../../core/model/errors.ts';
import { append } from '../../core/model/lists.ts';
import type { MatrixReport } from '../../core/model/reports/matrix-report.ts';
import type { CaseStatus } from '../../core/model/reports/suite-report.ts';
import { renderTemplate } from '../handlebars/templates.ts';
import { plainTable } from '../plain-table.ts';
import { renderJson } from '../parts/render.ts';
import { formatDuration, formatTime, oneLine, plural, shorten, visible } from '../text.ts';

const formats = ['terminal', 'json', 'html', 'markdown'] as const;
export type MatrixFormat = (typeof formats)[number];

export interface MatrixRenderOptions {
  color?: boolean;
  /** Only rows whose cells differ or fail. */
  quiet?: boolean;
  /** Folder whose `matrix-<format>/report.hbs` replace the templates that ship with mcpc. */
  templatesDir?: string;
}

const words: Record<CaseStatus, string> = {
  pass: 'PASS',
  fail: 'FAIL',
  skip: 'SKIP',
  undecided: 'OPEN',
  empty: 'EMPTY',
};
const tones: Record<CaseStatus, string> = {
  pass: 'pass',
  fail: 'violation',
  skip: 'not-exercised',
  undecided: 'warning',
  empty: 'warning',
};
const nameWidth = 48;
const mostReasons = 3;

/** The format of a name given by a user. @throws McpcError (usage) listing the names there are. */
export function matrixFormat(name: string): MatrixFormat {
  const found = formats.find((format) => format === name);
  if (found === undefined) throw usageError(`"${name}" is no format of a matrix; use one of ${formats.join(', ')}.`);
  return found;
}

/** @throws McpcError (usage) for a template that is missing or broken */
export function renderMatrix(report: MatrixReport, format: MatrixFormat, options: MatrixRenderOptions = {}): string {
  if (format === 'json') return renderJson(report);
  if (format === 'terminal') return terminal(report, options);
  return `${renderTemplate(`matrix-${format}`, viewOf(report), options.templatesDir).trimEnd()}\n`;
}

function headline({ counts, columns }: MatrixReport): string {
  const parts = [
    counts.differing > 0
      ? `${plural(counts.differing, 'case')} ${counts.differing === 1 ? 'differs' : 'differ'}`
      : 'All cases are alike',
    counts.failed > 0 ? `${counts.failed} failed somewhere` : 'none failed',
  ];
  return `${parts.join(', ')}: ${plural(counts.cases, 'case')} in ${plural(columns.length, 'column')}`;
}

function terminal(report: MatrixReport, { color, quiet }: MatrixRenderOptions): string {
  const c = pc.createColors(color ?? pc.isColorSupported);
  const paint: Record<CaseStatus, (text: string) => string> = {
    pass: c.green,
    fail: c.red,
    skip: c.yellow,
    undecided: c.yellow,
    empty: c.yellow,
  };
  const table = plainTable(
    ['', ...report.columns.map(({ name }) => oneLine(name))],
    ['left', ...report.columns.map(() => 'left' as const)],
  );
  const shown = report.rows.filter(
    ({ differs, cells }) => quiet !== true || differs || cells.some((cell) => cell?.status === 'fail'),
  );
  for (const { name, differs, cells } of shown)
    table.push([
      `${differs ? '≠' : ' '} ${shorten(oneLine(name), nameWidth)}`,
      ...cells.map((cell) => (cell === null ? '-' : paint[cell.status](words[cell.status]))),
    ]);
  table.push(['  passed', ...report.columns.map(({ counts }) => `${counts.passed}/${counts.total - counts.skipped}`)]);
  const lines = [
    table
      .toString()
      .split('\n')
      .map((line) => line.trimEnd())
      .join('\n'),
    '',
  ];
  for (const { name, cells } of report.rows)
    append(
      lines,
      reasonsOf(cells, report).map(
        ({ columns, detail }) =>
          `  ${oneLine(name)} [${columns}]: ${shorten(visible(detail), 1000).replaceAll('\n', '\n    ')}`,
      ),
    );
  if (lines.at(-1) !== '') lines.push('');
  lines.push(headline(report));
  if (report.incomplete !== null) lines.push(c.yellow(`Incomplete: ${oneLine(report.incomplete)}`));
  return `${lines.join('\n')}\n`;
}

/** Why a case fails, with the columns in which it does. */
function reasonsOf(
  cells: MatrixReport['rows'][number]['cells'],
  { columns }: Pick<MatrixReport, 'columns'>,
): { columns: string; detail: string }[] {
  const byDetail = new Map<string, string[]>();
  for (const [index, cell] of cells.entries())
    if (cell?.status === 'fail')
      byDetail.set(cell.detail, [...(byDetail.get(cell.detail) ?? []), oneLine(columns[index]!.name)]);
  return [...byDetail].slice(0, mostReasons).map(([detail, names]) => ({ columns: names.join(', '), detail }));
}

/** A path as a page of other people shows it: an absolute one begins at the suite that was named. */
function placeOf(path: string, { suites }: Pick<MatrixReport, 'suites'>): string {
  if (!isAbsolute(path)) return path;
  const within = suites.find((suite) => `${path}${sep}`.startsWith(`${resolve(suite)}${sep}`));
  return within === undefined ? basename(path) : relative(dirname(resolve(within)), path);
}

function viewOf(report: MatrixReport): object {
  const { counts, columns } = report;
  return {
    tool: report.tool,
    suites: report.suites.map((path) => oneLine(placeOf(path, report))).join(', '),
    startedAt: formatTime(report.startedAt),
    startedAtIso: report.startedAt,
    duration: formatDuration(report.durationMs),
    headline: headline(report),
    good: counts.failed === 0 && report.incomplete === null,
    counts,
    columns: columns.map((column) => ({
      name: oneLine(column.name),
      passed: column.counts.passed,
      run: column.counts.total - column.counts.skipped,
      duration: formatDuration(column.durationMs),
      incomplete: column.incomplete === null ? null : oneLine(column.incomplete),
    })),
    rows: report.rows.map((row) => ({
      name: oneLine(row.name),
      place: `${oneLine(placeOf(row.file, report))}:${row.line}`,
      differs: row.differs,
      fails: row.cells.some((cell) => cell?.status === 'fail'),
      cells: row.cells.map((cell, index) => ({
        column: oneLine(columns[index]!.name),
        word: cell === null ? '-' : words[cell.status],
        tone: cell === null ? 'not-exercised' : tones[cell.status],
      })),
      reasons: reasonsOf(row.cells, report).map(({ columns: names, detail }) => ({
        columns: names,
        detail: visible(detail),
        lines: visible(detail)
          .split('\n')
          .map((text) => ({ text, tone: text.startsWith('- ') ? 'missing' : text.startsWith('+ ') ? 'extra' : '' })),
      })),
    })),
    failing: report.rows.some(({ cells }) => cells.some((cell) => cell?.status === 'fail')),
    incomplete: report.incomplete === null ? null : oneLine(report.incomplete),
  };
}
