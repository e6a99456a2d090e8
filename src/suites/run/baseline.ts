/** Baselines of suites: the status of each name, as mcp-assert keeps them too. Only a pass that is one no more is a regression. */
import { readFileSync } from 'node:fs';
import { usageError } from '../../core/model/errors.ts';
import { isObject } from '../../core/model/json.ts';
import type { CaseStatus, SuiteReport } from '../../core/model/reports/suite-report.ts';

interface Entry {
  name: string;
  status: string;
  language?: string;
}

/** A case without assertions breaks nothing either. */
const words: Record<CaseStatus, string> = {
  pass: 'PASS',
  fail: 'FAIL',
  skip: 'SKIP',
  undecided: 'UNDECIDED',
  empty: 'PASS',
};

/** @throws McpcError usage when it cannot be read or is no baseline */
export function readSuiteBaseline(file: string): Entry[] {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw usageError(
      `Cannot read the baseline ${file}: ${(error as Error).message}`,
      'The first one is written with --save-baseline.',
      error,
    );
  }
  const entries = isObject(value) ? value['entries'] : undefined;
  if (
    !Array.isArray(entries) ||
    !entries.every(
      (entry): entry is Entry =>
        isObject(entry) && typeof entry['name'] === 'string' && typeof entry['status'] === 'string',
    )
  ) {
    throw usageError(
      `${file} is no baseline of suites: it has no list "entries" of name and status.`,
      'Write one with --save-baseline.',
    );
  }
  return entries;
}

/** Of several cases of one name the last counts. */
function statusByName(report: SuiteReport): Map<string, { status: string; language?: string }> {
  return new Map(report.cases.map(({ name, status, language }) => [name, { status: words[status], language }]));
}

/** The text of a baseline, sorted by name. */
export function formatSuiteBaseline(report: SuiteReport): string {
  const entries = [...statusByName(report)]
    .map(([name, rest]) => ({ name, ...rest }))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));
  return `${JSON.stringify({ entries }, null, 2)}\n`;
}

/** The report with what changed since the baseline. */
export function withSuiteBaseline(report: SuiteReport, file: string, entries: readonly Entry[]): SuiteReport {
  const now = statusByName(report);
  const before = new Map(entries.map(({ name, status }) => [name, status]));
  const changed = [...before].flatMap(([name, was]) => {
    const is = now.get(name)?.status;
    return is === undefined || is === was ? [] : [{ name, was, is }];
  });
  return {
    ...report,
    baseline: {
      file,
      // An undecided run is not a regression.
      regressions: changed.filter(({ was, is }) => was === 'PASS' && is !== 'UNDECIDED'),
      gone: [...before.keys()].filter((name) => !now.has(name)),
      mended: changed.filter(({ was, is }) => was !== 'PASS' && is === 'PASS').map(({ name }) => name),
    },
  };
}
