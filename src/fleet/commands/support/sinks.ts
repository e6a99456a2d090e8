/** Where the reports of a fleet run go: the dashboard in the run directory, pairs of --format and --output, one format on stdout. */
import { reportForLog } from '../../../core/model/ci-logs.ts';
import { existsSync, statSync } from 'node:fs';
import { extname, join, resolve } from 'node:path';
import { readFleetHistory, usualHistory } from '../../run/history.ts';
import { readReportOf } from '../../compare/open-run.ts';
import { usageError } from '../../../core/model/errors.ts';
import type { FleetReport } from '../../../core/model/reports/fleet.ts';
import type { FleetDiff, PolicyOutcome } from '../../../core/model/reports/fleet-compare.ts';
import { privateMode } from '../../../files/output/draft.ts';
import { doAll } from '../../../files/output/do-all.ts';
import { checkOutput, writeOutput, type OutputFile } from '../../../files/output/output.ts';
import { fleetFormat, renderFleet } from '../../../report/fleet/render.ts';
import type { FleetFormat, FleetMaterial, FleetRenderOptions } from '../../../report/fleet/render.ts';
import { pairOutputs } from '../../../check/commands/support/flags/pair-outputs.ts';
import type { FlagToken } from '../../../check/commands/support/flags/pair-outputs.ts';
import { writeDashboard } from './dashboard.ts';

export interface FleetSinks {
  /** Undefined: nothing is printed. */
  stdout: FleetFormat | undefined;
  files: { format: FleetFormat; path: string }[];
  /** Also over files that mcpc did not write. */
  overwrite: boolean;
}

const endings: Record<string, FleetFormat> = {
  '.json': 'json',
  '.html': 'html',
  '.htm': 'html',
  '.md': 'markdown',
  '.xml': 'junit',
  '.sarif': 'sarif',
  '.csv': 'csv',
  '.svg': 'badge-svg',
  '.txt': 'terminal',
};

export interface FleetSinkChoice {
  templatesDir?: string | undefined;
  /** Files alone are asked for: then nothing is printed. */
  silentBesideFiles?: boolean;
  overwrite?: boolean;
}

/** @throws McpcError usage for unknown formats, outputs without a format, and two formats on stdout */
export function planFleetSinks(
  tokens: readonly FlagToken[],
  json: boolean,
  { templatesDir, silentBesideFiles: silentWithFiles = false, overwrite = false }: FleetSinkChoice = {},
): FleetSinks {
  if (templatesDir !== undefined && !existsSync(templatesDir))
    throw usageError(`There is no templates folder ${templatesDir}.`, 'Check the path given with --templates.');
  const byPath = (path: string): FleetFormat | undefined =>
    path.endsWith('.sarif.json') ? 'sarif' : endings[extname(path).toLowerCase()];
  const { stdout, files } = pairOutputs<FleetFormat>(tokens, json ? 'json' : undefined, {
    byName: fleetFormat,
    byPath,
    folders: ['html'],
  });
  for (const { format, path } of files)
    checkOutput(placeOf(format, format === 'html' && isFolder(path) ? join(path, 'index.html') : path, overwrite));
  return { stdout: stdout ?? (silentWithFiles && files.length > 0 ? undefined : 'terminal'), files, overwrite };
}

/** Formats that quote what was exchanged. */
const quoting: readonly FleetFormat[] = ['junit', 'sarif'];

function placeOf(format: FleetFormat, path: string, overwrite: boolean): OutputFile {
  return {
    path,
    what: 'the report',
    replaces: 'report',
    overwrite,
    ...(quoting.includes(format) ? { mode: privateMode } : {}),
  };
}

/** A run whose results are in its directory. */
export interface FinishedRun {
  dir: string;
  report: FleetReport;
  diff: FleetDiff | null;
  policies: PolicyOutcome | null;
}

export interface FleetWriteOptions {
  /** False leaves the run directory as it is. */
  dashboard?: boolean;
  /** Earlier runs in trends; 30 when absent. */
  historyRuns?: number;
  color?: boolean;
  /** All servers on a terminal rather than the worst ones. */
  verbose?: boolean;
  /** One line on a terminal. */
  quiet?: boolean;
  templatesDir?: string;
}

/**
 * Writes the dashboard with a page for each server into the run directory (unless `dashboard` is false), then every
 * format that was asked for. Reads one server's report at a time. HTML goes to a folder with its pages, or to a file
 * without links.
 * @returns paths of the written files
 * @throws McpcError usage for the first file that cannot be written, after all others were written
 */
export async function writeFleetReports(
  run: FinishedRun,
  sinks: FleetSinks,
  options: FleetWriteOptions,
  print: (text: string) => void,
): Promise<string[]> {
  const { dir, report, diff, policies } = run;
  const material: FleetMaterial = {
    report,
    diff,
    policies,
    history: readFleetHistory(dir, options.historyRuns ?? usualHistory),
    reportOf: (server) => readReportOf(dir, server),
  };
  const how: FleetRenderOptions = options.templatesDir === undefined ? {} : { templatesDir: options.templatesDir };
  const written: string[] = [];
  const tasks: (() => void)[] = [];
  if (options.dashboard !== false) tasks.push(() => void written.push(writeDashboard(dir, material, how)));
  for (const { format, path } of sinks.files)
    tasks.push(() => {
      if (format === 'html' && isFolder(path)) {
        // The same folder is not written twice.
        if (options.dashboard === false || resolve(path) !== resolve(dir))
          written.push(writeDashboard(path, material, { ...how, overwrite: sinks.overwrite }));
        return;
      }
      writeOutput(
        placeOf(format, path, sinks.overwrite),
        renderFleet(material, format, { ...how, color: false, width: 120, verbose: true }),
      );
      written.push(path);
    });
  if (sinks.stdout !== undefined) tasks.push(() => printFleet(material, sinks.stdout!, { ...options, how }, print));
  doAll(tasks);
  return written;
}

function printFleet(
  material: FleetMaterial,
  asked: FleetFormat,
  { color, verbose, quiet, how }: FleetWriteOptions & { how: FleetRenderOptions },
  print: (text: string) => void,
): void {
  const stdout = asked === 'terminal' && quiet === true ? 'chat' : asked;
  for (const piece of renderFleet(material, stdout, {
    ...how,
    ...(color === undefined ? {} : { color }),
    ...(verbose === undefined ? {} : { verbose }),
  }))
    print(reportForLog(piece, stdout));
}

/** A path without the ending of a page is a folder. */
function isFolder(path: string): boolean {
  if (existsSync(path)) return statSync(path).isDirectory();
  return !/\.html?$/i.test(path);
}
