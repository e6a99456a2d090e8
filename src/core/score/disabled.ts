/**
 * Rules that a project file turns off with a reason. They are judged all the same: a failure stays a failure of the
 * report, marked with the reason, and does not fail the run. An entry that is past its day, or whose rule no longer
 * fails, is stale and does. Works on values; the day of today is an argument.
 */
import type { DisabledRule } from '../model/reports/fleet.ts';
import type { DisabledOutcome, ReportPart, RunReport } from '../model/reports/run-report.ts';

/**
 * The report with what the project file disables. Copies, never changes.
 * A rule passes only if it fails in no revision of the run. A check of the quick profile makes no entry stale, nor does
 * one of several servers that an entry holds for: the rule may fail at another one.
 * @param today YYYY-MM-DD
 */
export function withDisabled(
  report: RunReport,
  disabled: readonly DisabledRule[],
  today: string,
  mayFailElsewhere: boolean,
): RunReport {
  if (disabled.length === 0) return report;
  const statuses = new Map<string, Set<string>>();
  for (const { verdicts } of report.parts)
    for (const { rule, status } of verdicts) {
      if (!statuses.has(rule)) statuses.set(rule, new Set());
      statuses.get(rule)!.add(status);
    }
  const hasLook = report.ruleSet.profile !== 'quick' && !mayFailElsewhere && report.incomplete === null;
  const stateOf = ({ rule, until }: DisabledRule): DisabledOutcome['state'] => {
    if (until !== undefined && until < today) return 'expired';
    const seen = statuses.get(rule);
    if (seen?.has('fail') === true) return 'fails';
    return seen?.has('pass') === true && hasLook ? 'passes' : 'undecided';
  };
  const outcomes = disabled.map((one): DisabledOutcome => ({ ...one, state: stateOf(one) }));
  const active = new Map(outcomes.filter(({ state }) => state === 'fails').map((one) => [one.rule, one]));
  const apply = (part: ReportPart): ReportPart => ({
    ...part,
    verdicts: part.verdicts.map((verdict) => {
      const found = verdict.status === 'fail' ? active.get(verdict.rule) : undefined;
      if (found === undefined) return verdict;
      const { reason, until, from } = found;
      return { ...verdict, known: true, disabled: { reason, from, ...(until === undefined ? {} : { until }) } };
    }),
    disabled: outcomes,
  });
  return { ...report, parts: report.parts.map(apply) };
}

/** What is wrong with a stale entry, in a sentence; undefined for one that holds. */
export function whyStale({ rule, until, from, state }: DisabledOutcome): string | undefined {
  if (state === 'expired')
    return `${from}: ${rule} was disabled until ${until}, which has passed. Correct the server, or give the entry a later day.`;
  if (state === 'passes') return `${from}: ${rule} is disabled and no longer fails. Remove the entry.`;
  return undefined;
}
