/** Where reports go: pairs of --format and --output, and at most one format on stdout. */
import { reportForLog } from '../../../core/model/ci-logs.ts';
import { existsSync } from 'node:fs';
import { extname } from 'node:path';
import { privateMode } from '../../../files/output/draft.ts';
import { doAll } from '../../../files/output/do-all.ts';
import { checkOutput, writeOutput, type OutputFile } from '../../../files/output/output.ts';
import { usageError } from '../../../core/model/errors.ts';
import type { RunReport } from '../../../core/model/reports/run-report.ts';
import { renderReport, reportFormat, type ReportFormat } from '../../../report/parts/render.ts';
import { pairOutputs, type FlagToken } from './flags/pair-outputs.ts';

export interface ReportSinks {
  /** Undefined: nothing is printed. */
  stdout: ReportFormat | undefined;
  files: { format: ReportFormat; path: string }[];
  /** Also over files that mcpc did not write. */
  overwrite: boolean;
}

export interface RenderChoice {
  templatesDir?: string | undefined;
  color?: boolean | undefined;
  quiet?: boolean | undefined;
  verbose?: boolean | undefined;
  junitSkipped?: boolean | undefined;
}

export interface SinkChoice {
  json: boolean;
  /** Default output on stdout: without files, and with files. */
  alone: ReportFormat;
  besideFiles: ReportFormat | undefined;
  overwrite: boolean;
  templatesDir: string | undefined;
}

const endings: Record<string, ReportFormat> = {
  '.json': 'json',
  '.html': 'html',
  '.htm': 'html',
  '.md': 'markdown',
  '.xml': 'junit',
  '.sarif': 'sarif',
  '.svg': 'badge-svg',
  '.txt': 'terminal',
};

/**
 * Pairs the flags in the order in which they stand.
 * @throws McpcError usage for unknown formats, outputs without a format, and two formats on stdout
 */
export function planSinks(tokens: readonly FlagToken[], choice: SinkChoice): ReportSinks {
  const { json, alone, besideFiles: withFiles, templatesDir, overwrite } = choice;
  // Reported before a long run rather than after it.
  if (templatesDir !== undefined && !existsSync(templatesDir))
    throw usageError(`There is no templates folder ${templatesDir}.`, 'Check the path given with --templates.');
  const { stdout, files } = pairOutputs<ReportFormat>(tokens, json ? 'json' : undefined, {
    byName: reportFormat,
    byPath: formatOf,
  });
  for (const file of files) checkOutput(placeOf(file, overwrite));
  return { stdout: stdout ?? (files.length === 0 ? alone : withFiles), files, overwrite };
}

function formatOf(path: string): ReportFormat | undefined {
  return path.endsWith('.sarif.json') ? 'sarif' : endings[extname(path).toLowerCase()];
}

/** Badges hold nothing of what was exchanged; all else is for its owner's eyes. */
function placeOf({ format, path }: { format: ReportFormat; path: string }, overwrite: boolean): OutputFile {
  return {
    path,
    what: 'the report',
    replaces: 'report',
    overwrite,
    ...(format.startsWith('badge-') ? {} : { mode: privateMode }),
  };
}

/** Renders a report to all its sinks, also where one of them fails. @throws McpcError usage for the first file that cannot be written, after the others */
export function writeReport(
  report: RunReport,
  sinks: ReportSinks,
  choice: RenderChoice,
  print: (text: string) => void,
): void {
  const { stdout, files, overwrite } = sinks;
  const { templatesDir, junitSkipped, ...shown } = choice;
  const templates = {
    ...(templatesDir === undefined ? {} : { templatesDir }),
    ...(junitSkipped === undefined ? {} : { junitSkipped }),
  };
  const tasks = files.map(({ format, path }) => () => {
    const text = renderReport(report, format, { ...templates, color: false, verbose: true, width: 100 });
    writeOutput(placeOf({ format, path }, overwrite), text);
  });
  if (stdout !== undefined)
    tasks.push(() => print(reportForLog(renderReport(report, stdout, { ...templates, ...defined(shown) }), stdout)));
  doAll(tasks);
}

function defined({ color, quiet, verbose }: RenderChoice): { color?: boolean; quiet?: boolean; verbose?: boolean } {
  return {
    ...(color === undefined ? {} : { color }),
    ...(quiet === undefined ? {} : { quiet }),
    ...(verbose === undefined ? {} : { verbose }),
  };
}
