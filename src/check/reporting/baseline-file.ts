/** Reads and writes baseline files, and applies them to reports. What a baseline means is decided in `score`. */
import { existsSync, readFileSync } from 'node:fs';
import { writeOutput, type OutputFile } from '../../files/output/output.ts';
import { usageError } from '../../core/model/errors.ts';
import type { RunReport } from '../../core/model/reports/run-report.ts';
import { formatBaseline, parseBaseline, updateBaseline, withBaseline } from '../../core/score/baseline.ts';
import type { Baseline } from '../../core/score/baseline.ts';

/** @throws McpcError usage when there is no such file, unless it may be missing, or when it is no baseline */
export function readBaseline(file: string, mayBeMissing: boolean): Baseline | undefined {
  if (mayBeMissing && !existsSync(file)) return undefined;
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw usageError(
      `Cannot read the baseline ${file}: ${(error as Error).message}`,
      'The first one is written with --update-baseline.',
      error,
    );
  }
  return parseBaseline(text, file);
}

/** @throws McpcError usage for a check of a profile, which cannot stand for a whole one */
export function refuseProfile(file: string, profile: string | undefined): void {
  if (profile === undefined || profile === 'full') return;
  throw usageError(
    `The baseline ${file} was left as it is: the ${profile} profile leaves out much of what can fail.`,
    'Write it with a check without --profile quick.',
  );
}

/** The place of a baseline. */
export function baselineOutput(path: string): OutputFile {
  return { path, what: 'the baseline', replaces: 'baseline' };
}

/**
 * The report with the baseline applied, which is rewritten first on request.
 * @throws McpcError usage when the baseline is of another revision, the run is unsuitable for one, or the file cannot
 * be written
 */
export function applyBaselineFile(
  report: RunReport,
  file: string,
  baseline: Baseline | undefined,
  update: boolean,
): RunReport {
  if (!update) return baseline === undefined ? report : withBaseline(report, baseline, file);
  if (report.incomplete !== null) {
    throw usageError(
      `The baseline ${file} was left as it is: the run is incomplete (${report.incomplete.replace(/\.$/, '')}).`,
      'Run again when the target can be checked to the end.',
    );
  }
  refuseProfile(file, report.ruleSet.profile);
  const next = updateBaseline(report, baseline);
  writeOutput(baselineOutput(file), formatBaseline(next));
  return withBaseline(report, next, file);
}
