/** One SuiteReport in, one text out, in any format. Writes no file and prints nothing. */
import { usageError } from '../../core/model/errors.ts';
import type { SuiteReport } from '../../core/model/reports/suite-report.ts';
import { renderBadge } from '../fleet/badges.ts';
import { renderJson } from '../parts/render.ts';
import { renderTemplate } from '../handlebars/templates.ts';
import type { SuiteFormat } from './formats.ts';
import { renderSuiteTerminal } from './terminal.ts';
import type { SuiteTerminalOptions } from './terminal.ts';
import { suiteView } from './view.ts';

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
    throw usageError(
      `The suite-${format} template does not make JSON: ${(error as Error).message}`,
      'Write values with {{json value}}.',
      error,
    );
  }
}
