/** One RunReport in, one text out, in any format. Writes no file and prints nothing. */
import { jsonWithoutCommands } from '../../core/model/ci-logs.ts';
import { usageError } from '../../core/model/errors.ts';
import { suggestion } from '../../core/model/suggestion.ts';
import { ofPart } from '../../core/model/reports/run-parts.ts';
import type { RunReport } from '../../core/model/reports/run-report.ts';
import { filterOf, partsViewOf, sectionsOf } from './parts-view.ts';
import { joinedCiViews } from './ci-parts.ts';
import { ciViewsOf } from '../check/ci-views.ts';
import { renderTemplate, templateFormats } from '../handlebars/templates.ts';
import type { TemplateFormat } from '../handlebars/templates.ts';
import { renderTerminal } from '../check/terminal.ts';
import type { TerminalOptions } from '../check/terminal.ts';

export const reportFormats = ['json', 'terminal', ...templateFormats] as const;
export type ReportFormat = (typeof reportFormats)[number];

export interface RenderOptions extends TerminalOptions {
  /** Folder whose `<format>/<name>.hbs` replace the templates that ship with mcpc. */
  templatesDir?: string;
  /** The one part that is shown, where the run has several; all when absent, and in JSON. */
  part?: number;
  /** JUnit lists rules without a verdict, too. */
  junitSkipped?: boolean;
  /** Link from the page to its parent. */
  back?: { href: string; text: string };
}

/**
 * Renders a report. The text ends with a line feed and is the same for equal input (`terminal` also depends on colour
 * and width).
 * @throws McpcError (usage) for a missing or broken template.
 */
export function renderReport(report: RunReport, format: ReportFormat, options: RenderOptions = {}): string {
  if (format === 'json') return renderJson(report);
  const parts = options.part === undefined ? report.parts : [report.parts[options.part] ?? report.parts[0]!];
  const shown = sectionsOf(
    parts.map((part) => ofPart(report, part)),
    parts.length > 1 ? partsViewOf(report) : null,
  );
  if (format === 'terminal')
    return renderTerminal(
      shown.map(({ view }) => view),
      options,
    );
  const sections = shown.map(({ part, view }) => ({ ...view, ...ciViewsOf(part, view, options) }));
  const text = renderTemplate(
    format,
    { ...sections[0]!, ...joinedCiViews(sections), sections, filter: filterOf(sections), back: options.back ?? null },
    options.templatesDir,
  );
  return finish[format]?.(text, format) ?? `${text.trimEnd()}\n`;
}

const finish: Partial<Record<TemplateFormat, (text: string, format: string) => string>> = {
  sarif: tidyJson,
  'badge-json': tidyJson,
};

/** Formatted again, which also proves that the template produced JSON. */
function tidyJson(text: string, format: string): string {
  try {
    return `${JSON.stringify(JSON.parse(text), null, 2)}\n`;
  } catch (error) {
    throw usageError(
      `The ${format} template does not make JSON: ${(error as Error).message}`,
      'Write values with {{json value}}.',
      error,
    );
  }
}

/** JSON of a report; controls that JSON lets pass but a terminal might obey are escaped. */
export function renderJson(report: object): string {
  const text = JSON.stringify(report, null, 2).replace(
    /[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return `${jsonWithoutCommands(text)}\n`;
}

/** The format of a name given by a user. @throws McpcError (usage) listing the names there are. */
export function reportFormat(name: string): ReportFormat {
  const found = reportFormats.find((format) => format === name);
  if (found === undefined)
    throw usageError(
      `"${name}" is no report format; use one of ${reportFormats.join(', ')}.${suggestion(name, reportFormats)}`,
    );
  return found;
}
