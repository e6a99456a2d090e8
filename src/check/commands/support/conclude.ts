/** The end of a run: baseline, reports, exit code and why. Shared by the commands that judge. */
import { doAll } from '../../../files/output/do-all.ts';
import { checkOutput } from '../../../files/output/output.ts';
import { applyBaselineFile, baselineOutput, readBaseline, refuseProfile } from '../../reporting/baseline-file.ts';
import { usageError } from '../../../core/model/errors.ts';
import type { RunReport } from '../../../core/model/reports/run-report.ts';
import type { DisabledRule } from '../../../core/model/reports/fleet.ts';
import { withDisabled } from '../../../core/score/disabled.ts';
import { today } from '../../reporting/today.ts';
import type { Baseline } from '../../../core/score/baseline.ts';
import { exitVerdict, type ExitVerdict } from '../../../core/score/exit-policy.ts';
import { defaultScoring } from '../../../core/score/scoring.ts';
import { writeReport, type RenderChoice, type ReportSinks } from './report-sinks.ts';

export interface GateValues {
  baseline?: string | undefined;
  'update-baseline'?: boolean | undefined;
  'min-score'?: number | undefined;
  'min-grade'?: string | undefined;
  profile?: string | undefined;
}

export interface Gate {
  baselineFile: string | undefined;
  baseline: Baseline | undefined;
  update: boolean;
  minScore: number | undefined;
  minGrade: string | undefined;
  /** What the project file disables. */
  disabled?: { rules: readonly DisabledRule[]; mayFailElsewhere: boolean };
}

/**
 * Reads the inputs of the gate, so that a wrong flag is reported before the run.
 * @throws McpcError usage
 */
export function openGate(flags: GateValues): Gate {
  const update = flags['update-baseline'] === true;
  const minGrade = flags['min-grade']?.toUpperCase();
  if (update && flags.baseline !== undefined) {
    refuseProfile(flags.baseline, flags.profile);
    checkOutput(baselineOutput(flags.baseline));
  }
  const grades = defaultScoring.bands.map((band) => band.grade);
  if (minGrade !== undefined && !grades.includes(minGrade))
    throw usageError(`"${flags['min-grade']}" is no grade; use one of ${grades.join(', ')}.`);
  return {
    baselineFile: flags.baseline,
    baseline: flags.baseline === undefined ? undefined : readBaseline(flags.baseline, update),
    update,
    minScore: flags['min-score'],
    minGrade,
  };
}

export interface Printer {
  print(text: string): void;
  talk(line: string): void;
}

/**
 * Writes everything, prints the exit code and returns it.
 * @throws McpcError usage for unsuitable baselines and files
 */
export function conclude(
  report: RunReport,
  gate: Gate,
  sinks: ReportSinks,
  choice: RenderChoice,
  printer: Printer,
): number {
  const { code, why, causes } = decide(report, gate, sinks, choice, printer);
  if (code === 0 && choice.quiet !== true) printer.talk(why);
  for (const cause of causes) printer.talk(`Exit ${code}: ${cause}`);
  return code;
}

/**
 * Writes everything; the caller reports the exit code.
 * @throws McpcError usage for unsuitable baselines and files
 */
export function decide(
  report: RunReport,
  gate: Gate,
  sinks: ReportSinks,
  choice: RenderChoice,
  { print, talk }: Printer,
): ExitVerdict {
  let final = report;
  // A baseline that does not fit takes no report away.
  doAll([
    () => {
      if (gate.baselineFile !== undefined)
        final = applyBaselineFile(report, gate.baselineFile, gate.baseline, gate.update);
      if (gate.disabled !== undefined)
        final = withDisabled(final, gate.disabled.rules, today(), gate.disabled.mayFailElsewhere);
    },
    () => writeReport(final, sinks, choice, print),
  ]);
  const verdict = exitVerdict(final, {
    bands: defaultScoring.bands,
    minScore: gate.minScore,
    minGrade: gate.minGrade,
  });
  if (choice.quiet !== true) {
    for (const { format, path } of sinks.files) talk(`Wrote ${format} to ${path}`);
    if (gate.update) talk(`Wrote the baseline ${gate.baselineFile}`);
    if (final.trace !== null && choice.verbose === true) talk(`Trace: ${final.trace}`);
  }
  return verdict;
}
