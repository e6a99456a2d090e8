/**
 * The exit code of a finished run, and why. The only place that turns a report into a code; usage, target and
 * interruption errors carry their own code (model/errors.ts). It must not print or exit.
 */
import { exitCodes, usageError } from '../model/errors.ts';
import type { ReportPart, ReportVerdict, RunReport } from '../model/reports/run-report.ts';
import { whyStale } from './disabled.ts';
import type { GradeBand } from './scoring.ts';

export interface ExitOptions {
  /** 0 to 100. A run without a score does not reach it. */
  minScore?: number;
  /** One of the grades of the bands. */
  minGrade?: string;
  /** Grades from best to worst; needed for `minGrade`. */
  bands: readonly GradeBand[];
}

export interface ExitVerdict {
  code: 0 | 1 | 4;
  /** One sentence for the reader: of a code other than 0, the first of its causes. */
  why: string;
  /** Everything for which the code is not 0, one sentence each. */
  causes: string[];
}

/**
 * In this order: failures that count and that no baseline knows, stale baseline entries, verdicts that mcpc
 * failed to reach (4), a run cut short, a run that decided nothing, a score or grade below the minimum.
 * What the target did wrong comes before our own errors, for it is proven whatever else went wrong.
 * @throws McpcError (usage) when `minScore` is out of range or `minGrade` is no grade.
 */
export function exitVerdict(report: RunReport, options: ExitOptions): ExitVerdict {
  checkOptions(options);
  const { parts } = report;
  const breachesOf = (part: ReportPart): ReportVerdict[] =>
    part.verdicts.filter(
      (verdict) => verdict.status === 'fail' && verdict.severity === 'error' && !isFolded(verdict, part),
    );
  const breaches = rulesOf(parts, breachesOf);
  const fresh = rulesOf(parts, (part) => breachesOf(part).filter((verdict) => !isAccepted(verdict, part)));
  const beyond = parts.some(({ baseline }) => baseline !== undefined) ? ' and not in the baseline' : '';
  const staleEntries = [
    ...new Set(parts.flatMap(({ disabled = [] }) => disabled.flatMap((one) => whyStale(one) ?? []))),
  ];
  const stale = parts.flatMap(({ baseline, revision }) =>
    (baseline?.stale ?? []).map((rule) => (parts.length === 1 ? rule : `${rule} (${revision})`)),
  );
  const errors = rulesOf(parts, ({ verdicts }) => verdicts.filter(({ status }) => status === 'error'));
  const undecided = parts.some(
    ({ decided, applicable, verdicts }) => decided === 0 && (applicable > 0 || verdicts.length === 0),
  );
  const below = undecided
    ? []
    : parts.flatMap((part) => belowMinimum(part, options, parts.length === 1 ? '' : ` (MCP ${part.revision})`) ?? []);
  const causes: { code: 1 | 4; why: string }[] = [
    ...(fresh.length === 0 ? [] : [no(`${count(fresh.length, 'requirement')} violated${beyond}: ${sample(fresh)}.`)]),
    ...(stale.length === 0
      ? []
      : [
          no(
            `${count(stale.length, 'baseline entry', 'baseline entries')} passing now; remove with --update-baseline: ${sample(stale)}.`,
          ),
        ]),
    ...staleEntries.map(no),
    ...(errors.length === 0
      ? []
      : [
          { code: exitCodes.internal, why: `mcpc failed to judge ${count(errors.length, 'rule')}: ${sample(errors)}.` },
        ]),
    ...(report.incomplete === null ? [] : [no(`The run is incomplete: ${report.incomplete.replace(/\.$/, '')}.`)]),
    ...(undecided ? [no('Nothing was decided, so nothing is proven.')] : []),
    ...below.map(no),
  ];
  const [first] = causes;
  if (first !== undefined) return { ...first, causes: causes.map(({ why }) => why) };
  if (breaches.length > 0) {
    return {
      code: exitCodes.compliant,
      why: parts.some(({ disabled }) => disabled !== undefined)
        ? `${count(breaches.length, 'known failure')}, disabled or in the baseline, none new.`
        : `Within the baseline: ${count(breaches.length, 'known failure')}, none new.`,
      causes: [],
    };
  }
  return {
    code: exitCodes.compliant,
    why: parts.every(({ decided }) => decided === 0)
      ? 'No requirement applies to this target.'
      : 'No MUST-level violations.',
    causes: [],
  };
}

/** Whether a failure counts with that of the rule that names its cause, of which the baseline knows as much. */
function isFolded(verdict: ReportVerdict, part: ReportPart): boolean {
  if (verdict.cause === undefined) return false;
  const cause = part.verdicts.find(({ rule }) => rule === verdict.cause);
  return isAccepted(verdict, part) === (cause !== undefined && isAccepted(cause, part));
}

/** Whether the baseline knows of a failure, or the project file disables its rule. */
function isAccepted({ rule, disabled }: ReportVerdict, { baseline }: ReportPart): boolean {
  return disabled !== undefined || baseline?.known.includes(rule) === true;
}

/** Rules of all parts; where there are several, each with the revision that it is broken in. */
function rulesOf(parts: readonly ReportPart[], of: (part: ReportPart) => ReportVerdict[]): string[] {
  return parts.flatMap((part) =>
    of(part).map(({ rule }) => (parts.length === 1 ? rule : `${rule} (${part.revision})`)),
  );
}

/** @param of names the revision, where there are several */
function belowMinimum(
  { score, grade }: ReportPart,
  { minScore, minGrade, bands }: ExitOptions,
  of: string,
): string | undefined {
  if (minScore !== undefined && (score === null || score < minScore)) {
    return score === null
      ? `There is no score, and ${minScore} is demanded${of}.`
      : `The score ${score} is below ${minScore}${of}.`;
  }
  if (minGrade !== undefined && (grade === null || rank(bands, grade) > rank(bands, minGrade))) {
    return grade === null
      ? `There is no grade, and ${minGrade} is demanded${of}.`
      : `The grade ${grade} is below ${minGrade}${of}.`;
  }
  return undefined;
}

function checkOptions({ minScore, minGrade, bands }: ExitOptions): void {
  if (minScore !== undefined && !(minScore >= 0 && minScore <= 100)) {
    throw usageError(`The minimum score must be between 0 and 100, not ${minScore}.`);
  }
  if (minGrade !== undefined && !bands.some((band) => band.grade === minGrade)) {
    throw usageError(`"${minGrade}" is no grade; use one of ${bands.map((band) => band.grade).join(', ')}.`);
  }
}

/** Position from best to worst; a grade that is no longer in the table counts as worse than all. */
function rank(bands: readonly GradeBand[], grade: string): number {
  const index = bands.findIndex((band) => band.grade === grade);
  return index === -1 ? bands.length : index;
}

function no(why: string): { code: 1; why: string } {
  return { code: exitCodes.notCompliant, why };
}

function count(n: number, one: string, many = `${one}s`): string {
  return `${n} ${n === 1 ? one : many}`;
}

function sample(rules: readonly string[]): string {
  const shown = rules.slice(0, 5).join(', ');
  return rules.length > 5 ? `${shown} and ${rules.length - 5} more` : shown;
}
