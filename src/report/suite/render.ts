/** One SuiteReport in, one text out, in any format. Writes no file and prints nothing. */
import { usageError } from '../../model/errors.ts';
import type { CaseStatus, SuiteReport } from '../../model/reports/suite-report.ts';
import { renderBadge } from '../fleet/badges.ts';
import { renderJson } from '../render.ts';
import { renderTemplate } from '../handlebars/templates.ts';
import { renderSuiteTerminal } from './terminal.ts';
import type { SuiteTerminalOptions } from './terminal.ts';
import { suiteView } from './view.ts';

export const suiteFormats = ['terminal', 'json', 'html', 'markdown', 'junit', 'github', 'sarif', 'ctrf', 'tap', 'badge-json', 'badge-svg'] as const;
export type SuiteFormat = (typeof suiteFormats)[number];

export interface SuiteRenderOptions extends SuiteTerminalOptions {
  /** Folder whose `suite-<format>/<name>.hbs` replace the templates that ship with mcpc. */
  templatesDir?: string;
}

/**
 * Renders a report. The text ends with a line feed and is the same for equal input (`terminal` also depends on colour).
 * @throws McpcError (usage) for a template that is missing or broken
 */
export function renderSuite(report: SuiteReport, format: SuiteFormat, options: SuiteRenderOptions = {}): string {
  if (format === 'json') return renderJson(report);
  if (format === 'terminal') return renderSuiteTerminal(report, options);
  const view = suiteView(report);
  if (format === 'badge-json' || format === 'badge-svg') return renderBadge(view.badge, format, options.templatesDir);
  const text = renderTemplate(`suite-${format}`, view, options.templatesDir);
  if (format !== 'sarif' && format !== 'ctrf') return `${text.trimEnd()}\n`;
  try {
    return `${JSON.stringify(JSON.parse(text), null, 2)}\n`;
  } catch (error) {
    throw usageError(`The suite-${format} template does not make JSON: ${(error as Error).message}`, 'Write values with {{json value}}.', error);
  }
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
    trials.filter(({ repeated }) => repeated !== true).map(({ trial, status, detail, durationMs }) => ({
      name,
      status: plainStatus[status],
      ...(detail === '' ? {} : { detail }),
      duration_ms: Math.round(durationMs),
      ...(language === undefined ? {} : { language }),
      trial,
    })),
  );
}
