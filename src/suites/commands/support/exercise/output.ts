/** Where reports of audits and fuzz runs go. */
import { existsSync } from 'node:fs';
import { privateMode } from '../../../../files/output/draft.ts';
import { checkOutput, writeOutput, type OutputFile } from '../../../../files/output/output.ts';
import { usageError } from '../../../../core/model/errors.ts';
import { renderTools, type ToolsFormat } from '../../../../report/tools/render.ts';
import type { ToolsView } from '../../../../report/tools/view.ts';
import { appendText } from '../output.ts';

export interface ToolsReportFlags {
  junit?: string | undefined;
  markdown?: string | undefined;
  html?: string | undefined;
  templates?: string | undefined;
  overwrite: boolean;
}

const placeOf = (path: string, overwrite: boolean): OutputFile => ({
  path,
  what: 'the report',
  replaces: 'report',
  overwrite,
  mode: privateMode,
});

/**
 * Reported before the start.
 * @throws McpcError usage for a file that would be overwritten, or missing templates
 */
export function checkToolsReports({ junit, html, templates, overwrite }: ToolsReportFlags): void {
  if (templates !== undefined && !existsSync(templates))
    throw usageError(`There is no templates folder ${templates}.`, 'Check the path given with --templates.');
  for (const path of [junit, html]) if (path !== undefined) checkOutput(placeOf(path, overwrite));
}

/** Writes JUnit and HTML; Markdown is appended, as a step summary is. @throws McpcError usage for a file that cannot be written */
export function writeToolsReports(
  view: ToolsView,
  { junit, markdown, html, templates, overwrite }: ToolsReportFlags,
): void {
  const render = (format: ToolsFormat): string => renderTools(view, format, templates);
  if (junit !== undefined) writeOutput(placeOf(junit, overwrite), render('junit'));
  if (html !== undefined) writeOutput(placeOf(html, overwrite), render('html'));
  if (markdown !== undefined) appendText(markdown, render('markdown'));
}
