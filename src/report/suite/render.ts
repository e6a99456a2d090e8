/** One SuiteReport in, one text out, in any format. Writes no file and prints nothing. */
import { usageError } from '../../model/errors.ts';
import type { CaseStatus, SuiteReport } from '../../model/suite-report.ts';
import { renderJson } from '../render.ts';
import { renderSuiteTerminal } from './terminal.ts';
import type { SuiteTerminalOptions } from './terminal.ts';

export const suiteFormats = ['terminal', 'json'] as const;
export type SuiteFormat = (typeof suiteFormats)[number];

export interface SuiteRenderOptions extends SuiteTerminalOptions {
  templatesDir?: string;
}

export function renderSuite(report: SuiteReport, format: SuiteFormat, options: SuiteRenderOptions = {}): string {
  return format === 'json' ? renderJson(report) : renderSuiteTerminal(report, options);
}

/** The format of a name given by a user. @throws McpcError (usage) listing the names there are. */
export function suiteFormat(name: string): SuiteFormat {
  const found = suiteFormats.find((format) => format === name);
  if (found === undefined) throw usageError(`"${name}" is no format of such a report; use one of ${suiteFormats.join(', ')}.`);
  return found;
}

const plainStatus: Record<CaseStatus, string> = { pass: 'PASS', fail: 'FAIL', skip: 'SKIP', undecided: 'UNDECIDED' };

/** What `--json` prints: an entry for each trial, in the form that scripts around mcp-assert read. */
export function plainResults(report: SuiteReport): object[] {
  return report.cases.flatMap(({ name, trials, language }) =>
    trials.map(({ trial, status, detail, durationMs }) => ({
      name,
      status: plainStatus[status],
      ...(detail === '' ? {} : { detail }),
      duration_ms: Math.round(durationMs),
      ...(language === undefined ? {} : { language }),
      trial,
    })),
  );
}
