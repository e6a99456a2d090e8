/** Counts what a run of suites covers of the server, and writes it. */
import { checkOutput, writeOutput, type OutputFile } from '../../../files/output/output.ts';
import type { CoverageReport } from '../../../core/model/reports/coverage-report.ts';
import type { SuiteReport } from '../../../core/model/reports/suite-report.ts';
import type { RunSuiteOptions } from '../../run/run-suite.ts';
import type { SuiteFlagValues } from './flag-types.ts';

type CoverageFlags = Pick<SuiteFlagValues, 'coverage' | 'coverage-json' | 'min-coverage'> & { overwrite?: boolean };

export interface RunCoverage {
  watch: Pick<RunSuiteOptions, 'onSeen'>;
  /** The report with what was covered; or with a notice that says why that is not known. */
  added(report: SuiteReport, options: RunSuiteOptions): Promise<SuiteReport>;
}

export function wantsCoverage(flags: CoverageFlags): boolean {
  return flags.coverage === true || flags['coverage-json'] !== undefined || flags['min-coverage'] !== undefined;
}

/**
 * Reported before the start.
 * @throws McpcError usage for a file that would be overwritten
 */
export function checkCoverage(flags: CoverageFlags): void {
  if (flags['coverage-json'] !== undefined) checkOutput(placeOf(flags['coverage-json'], flags.overwrite === true));
}

/**
 * Undefined if not requested.
 * @throws McpcError usage for a file that would be overwritten
 */
export async function coverageOfRun(flags: CoverageFlags): Promise<RunCoverage | undefined> {
  if (!wantsCoverage(flags)) return undefined;
  checkCoverage(flags);
  const [{ coverageOf }, { addSent, noUses }, { surveyServers }] = await Promise.all([
    import('../../run/covered/coverage.ts'),
    import('../../run/covered/uses.ts'),
    import('../../run/covered/survey.ts'),
  ]);
  const uses = noUses();
  return {
    watch: { onSeen: (one, record, _clean, events) => addSent(uses, one, record, events) },
    async added(report, options) {
      if (options.signal.aborted) return report;
      const { offered, failed, clean } = await surveyServers(options);
      if (failed.length > 0)
        return {
          ...report,
          notices: [...report.notices, ...failed.map((words) => `The coverage is not known: ${words}`)],
        };
      const coverage = coverageOf(uses, offered, 'run', clean);
      await writeCoverage(coverage, flags);
      return { ...report, coverage };
    },
  };
}

/** Writes the JSON where it was asked for. @throws McpcError usage for a file that cannot be written */
export async function writeCoverage(coverage: CoverageReport, flags: CoverageFlags): Promise<void> {
  const path = flags['coverage-json'];
  if (path !== undefined)
    writeOutput(
      placeOf(path, flags.overwrite === true),
      (await import('../../../report/parts/render.ts')).renderJson(coverage),
    );
}

function placeOf(path: string, overwrite: boolean): OutputFile {
  return { path, what: 'the coverage', replaces: 'report', overwrite };
}
