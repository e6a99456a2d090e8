/**
 * Prints the cases of a run as they end, and writes its reports. A report that cannot be written is mentioned, and
 * changes no exit code.
 */
import { reportForLog, withoutCommands } from '../../../core/model/ci-logs.ts';
import { appendFileSync } from 'node:fs';
import { dirname } from 'node:path';
import pc from 'picocolors';
import { formatSuiteBaseline } from '../../run/baseline.ts';
import { writeOutput } from '../../../files/output/output.ts';
import type { SuiteCaseReport, SuiteReport } from '../../../core/model/reports/suite-report.ts';
import type { SuiteFormat } from '../../../report/suite/formats.ts';
import { plainResults } from '../../../report/suite/plain-results.ts';
import type { renderSuite as renderReport } from '../../../report/suite/render.ts';
import { caseLines, summaryLines } from '../../../report/suite/terminal.ts';
import { oneLine } from '../../../report/text.ts';
import type { SuiteCase } from '../../run/run-suite.ts';
import type { SuiteFlagValues, SuiteSinks, Voice } from './flag-types.ts';
import { makeFolder } from '../../../files/output/make-folder.ts';

type Shown = Pick<SuiteFlagValues, 'quiet' | 'verbose' | 'no-color' | 'templates'>;
type Written = Pick<SuiteFlagValues, 'templates' | 'overwrite'> &
  Partial<Pick<SuiteFlagValues, 'junit' | 'markdown' | 'badge' | 'save-baseline'>> & { 'assert-compat'?: boolean };

export interface CaseDisplay {
  begins(one: SuiteCase): void;
  ended(one: SuiteCaseReport): void;
  done(report: SuiteReport): Promise<void>;
}

export interface Progress {
  begins(name: string): void;
  /** Makes room for what is printed. */
  wipe(): void;
}

const noProgress: Progress = { begins: () => {}, wipe: () => {} };

/** Number of started cases, on a line of the terminal. */
export function showProgress(total: number, flags: Pick<Shown, 'no-color'>): Progress {
  if (process.stderr.isTTY !== true || !pc.isColorSupported || flags['no-color']) return noProgress;
  let begun = 0;
  return {
    begins(name) {
      begun += 1;
      process.stderr.write(`\r\u001b[K[${begun}/${total}] ${oneLine(name).slice(0, 60)}`);
    },
    wipe: () => void process.stderr.write('\r\u001b[K'),
  };
}

/** @param total how many cases there are */
export function showCases(sinks: SuiteSinks, flags: Shown, total: number, voice: Voice): CaseDisplay {
  const options = { quiet: flags.quiet, verbose: flags.verbose, ...(flags['no-color'] ? { color: false } : {}) };
  const toTerminal = sinks.stdout === 'terminal';
  const { begins, wipe } = toTerminal ? showProgress(total, flags) : noProgress;
  return {
    begins: ({ name }) => begins(name),
    ended(one) {
      if (!toTerminal) return;
      wipe();
      voice.print(withoutCommands(caseLines(one, options)));
    },
    async done(report) {
      wipe();
      if (toTerminal) voice.print(withoutCommands(summaryLines(report, options)));
      else if (sinks.stdout === 'results')
        voice.print(reportForLog(`${JSON.stringify(plainResults(report), null, 2)}\n`, 'results'));
      else if (sinks.stdout !== undefined)
        voice.print(
          reportForLog((await renderer())(report, sinks.stdout, { ...options, ...templatesOf(flags) }), sinks.stdout),
        );
    },
  };
}

/** Loads what renders reports, templates above all, which most runs do not need. */
async function renderer(): Promise<typeof renderReport> {
  return (await import('../../../report/suite/render.ts')).renderSuite;
}

function templatesOf({ templates }: Pick<Shown, 'templates'>): { templatesDir?: string } {
  return templates === undefined ? {} : { templatesDir: templates };
}

/** Writes the reports that go to files. */
export async function writeSuite(
  report: SuiteReport,
  sinks: SuiteSinks,
  flags: Written,
  talk: (line: string) => void,
): Promise<void> {
  const { junit, badge, markdown } = flags;
  if (flags['assert-compat'] === true && report.counts.failed === 0) talk(badgeLine(report));
  if (sinks.files.length === 0 && [junit, badge, markdown, flags['save-baseline']].every((path) => path === undefined))
    return;
  const renderSuite = await renderer();
  const render = (format: SuiteFormat): string =>
    renderSuite(report, format, { color: false, verbose: true, ...templatesOf(flags) });
  const { overwrite } = flags;
  for (const { format, path } of sinks.files)
    bestEffort(path, talk, () =>
      writeOutput({ path, what: 'the report', replaces: 'report', overwrite }, render(format)),
    );
  // Files of these names are written by mcp-assert as well, which overwrites whatever is there.
  for (const [path, format] of [
    [junit, 'junit'],
    [badge, 'badge-json'],
  ] as const) {
    if (path !== undefined)
      bestEffort(path, talk, () => writeOutput({ path, what: 'the report', replaces: 'anything' }, render(format)));
  }
  if (markdown !== undefined) bestEffort(markdown, talk, () => appendText(markdown, render('markdown')));
  if (flags['save-baseline'] !== undefined) {
    const path = flags['save-baseline'];
    bestEffort(path, talk, () =>
      writeOutput({ path, what: 'the baseline', replaces: 'anything' }, formatSuiteBaseline(report)),
    );
  }
}

/** A line of Markdown for a README, as mcp-assert prints it after a run in which nothing failed. */
function badgeLine({ counts }: SuiteReport): string {
  const message = `${counts.passed}/${counts.total - counts.skipped} passed`;
  return `Badge for a README: ![mcpc: ${message}](https://img.shields.io/badge/mcpc-${encodeURIComponent(message)}-brightgreen)`;
}

/** Appended to the file; missing folders are created. */
export function appendText(path: string, text: string): void {
  makeFolder(dirname(path));
  appendFileSync(path, text);
}

function bestEffort(path: string, talk: (line: string) => void, write: () => void): void {
  try {
    write();
  } catch (error) {
    talk(`Warning: ${path} could not be written: ${(error as Error).message}`);
  }
}
