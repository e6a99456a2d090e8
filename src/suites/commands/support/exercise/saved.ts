/** Renders a saved report of an audit or a fuzz run in the formats that it has. */
import { reportForLog } from '../../../../core/model/ci-logs.ts';
import { existsSync } from 'node:fs';
import { privateMode } from '../../../../files/output/draft.ts';
import { checkOutput, writeOutput, type OutputFile } from '../../../../files/output/output.ts';
import { usageError } from '../../../../core/model/errors.ts';
import { auditSummary, auditToolLines, auditView } from '../../../../report/tools/audit.ts';
import { fuzzSummary, fuzzToolLines, fuzzView } from '../../../../report/tools/fuzz.ts';
import { renderTools } from '../../../../report/tools/render.ts';
import type { ToolsReport } from '../../../../report/tools/validate-tools.ts';
import { pairOutputs, type FlagToken } from '../../../../check/commands/support/flags/pair-outputs.ts';

const formats = ['terminal', 'json', 'html', 'markdown', 'junit'] as const;
type SavedFormat = (typeof formats)[number];

const endings: Record<string, SavedFormat> = {
  '.json': 'json',
  '.html': 'html',
  '.htm': 'html',
  '.md': 'markdown',
  '.xml': 'junit',
  '.txt': 'terminal',
};

export interface SavedFlags {
  json: boolean;
  overwrite: boolean;
  templates?: string | undefined;
  quiet: boolean;
  'no-color': boolean;
}

/** @throws McpcError usage for a format that such reports do not have, and for files that would be overwritten */
export function writeSavedTools(
  report: ToolsReport,
  tokens: readonly FlagToken[],
  { json, overwrite, templates, quiet, 'no-color': noColor }: SavedFlags,
  print: (text: string) => void,
): { format: string; path: string }[] {
  if (templates !== undefined && !existsSync(templates))
    throw usageError(`There is no templates folder ${templates}.`, 'Check the path given with --templates.');
  const { stdout, files } = pairOutputs<SavedFormat>(tokens, json ? 'json' : undefined, {
    byName: savedFormat,
    byPath: (path) => endings[/\.[^.]*$/.exec(path)?.[0]?.toLowerCase() ?? ''],
  });
  const places = files.map(({ format, path }) => ({
    format,
    place: { path, what: 'the report', replaces: 'report', overwrite, mode: privateMode } satisfies OutputFile,
  }));
  for (const { place } of places) checkOutput(place);
  const render = (format: SavedFormat, options: { quiet?: boolean; color?: boolean }): string => {
    if (format === 'json') return `${JSON.stringify(report, null, 2)}\n`;
    if (format !== 'terminal')
      return renderTools(
        report.format === 'mcpc-audit-report' ? auditView(report) : fuzzView(report),
        format,
        templates,
      );
    return report.format === 'mcpc-audit-report'
      ? report.results.map((one) => auditToolLines(one, options)).join('') + auditSummary(report, options)
      : report.tools.map((one) => fuzzToolLines(one, options)).join('') + fuzzSummary(report, options);
  };
  const printed = stdout ?? (files.length === 0 ? 'terminal' : undefined);
  if (printed !== undefined)
    print(reportForLog(render(printed, { quiet, ...(noColor ? { color: false } : {}) }), printed));
  for (const { format, place } of places) writeOutput(place, render(format, { color: false }));
  return files;
}

function savedFormat(name: string): SavedFormat {
  const found = formats.find((format) => format === name);
  if (found === undefined)
    throw usageError(`"${name}" is no format of such a report; use one of ${formats.join(', ')}.`);
  return found;
}
