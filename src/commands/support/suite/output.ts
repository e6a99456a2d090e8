/** Prints the cases of a run as they end, and writes its reports. A report that cannot be written is told, and changes no exit code. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import pc from 'picocolors';
import type { SuiteCaseReport, SuiteReport } from '../../../model/suite-report.ts';
import { plainResults, renderSuite } from '../../../report/suite/render.ts';
import { caseLines, summaryLines } from '../../../report/suite/terminal.ts';
import { oneLine } from '../../../report/text.ts';
import type { SuiteCase } from '../../../app/suite/run-suite.ts';
import type { SuiteFlagValues, SuiteSinks } from './run.ts';

type Shown = Pick<SuiteFlagValues, 'quiet' | 'verbose' | 'no-color' | 'templates'>;

export interface Voice {
  print(text: string): void;
  talk(line: string): void;
}

export interface CaseDisplay {
  begins(one: SuiteCase): void;
  ended(one: SuiteCaseReport): void;
  done(report: SuiteReport): void;
}

/** @param total how many cases there are */
export function showCases(sinks: SuiteSinks, flags: Shown, total: number, voice: Voice): CaseDisplay {
  const options = { quiet: flags.quiet, verbose: flags.verbose, ...(flags['no-color'] ? { color: false } : {}) };
  const toTerminal = sinks.stdout === 'terminal';
  const animated = toTerminal && process.stderr.isTTY === true && pc.isColorSupported && !flags['no-color'];
  let begun = 0;
  const wipe = (): void => void (animated && process.stderr.write('\r\u001b[K'));
  return {
    begins({ name }) {
      begun += 1;
      if (animated) process.stderr.write(`\r\u001b[K[${begun}/${total}] ${oneLine(name).slice(0, 60)}`);
    },
    ended(one) {
      if (!toTerminal) return;
      wipe();
      voice.print(caseLines(one, options));
    },
    done(report) {
      wipe();
      if (toTerminal) voice.print(summaryLines(report, options));
      else if (sinks.stdout === 'results') voice.print(`${JSON.stringify(plainResults(report), null, 2)}\n`);
      else if (sinks.stdout !== undefined) voice.print(renderSuite(report, sinks.stdout, { ...options, ...templatesOf(flags) }));
    },
  };
}

function templatesOf({ templates }: Shown): { templatesDir?: string } {
  return templates === undefined ? {} : { templatesDir: templates };
}

/** Writes the reports that go to files. */
export function writeSuite(report: SuiteReport, sinks: SuiteSinks, flags: Shown, talk: (line: string) => void): void {
  for (const { format, path } of sinks.files) {
    bestEffort(path, talk, () => writeFileSync(path, renderSuite(report, format, { color: false, verbose: true, ...templatesOf(flags) })));
  }
}

function bestEffort(path: string, talk: (line: string) => void, write: () => void): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
    write();
  } catch (error) {
    talk(`Warning: ${path} could not be written: ${(error as Error).message}`);
  }
}
