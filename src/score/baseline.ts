/**
 * Baselines: failures that a target is known to have, by rule id. Applies one to verdicts and makes the next
 * one. Works on text and values; it must not read or write files, nor decide exit codes.
 */
import { usageError } from '../model/errors.ts';
import type { ReportPart, ReportVerdict, RunReport } from '../model/reports/run-report.ts';

export interface BaselineEntry {
  rule: string;
  /** Why the failure is tolerated; written by a person and kept by updates. */
  reason?: string;
}

export interface Baseline {
  format: 'mcpc-baseline';
  version: 1;
  /** Name of the target, for a reader. */
  target?: string;
  /** The revision that the failures were seen in. */
  revision: string;
  failures: BaselineEntry[];
}

export interface BaselineOutcome {
  /** Fails and is in the baseline. */
  known: string[];
  /** Fails and is not in the baseline. */
  fresh: string[];
  /** In the baseline, but passes now: the entry has to go. */
  stale: string[];
  /** In the baseline, but neither passed nor failed in this run (left out, not exercised, not applicable). */
  undecided: string[];
}

/**
 * Reads the text of a baseline file; `file` only names it in errors.
 * @throws McpcError (usage) when it is no JSON, no baseline, or names a rule twice.
 */
export function parseBaseline(text: string, file: string): Baseline {
  const fail = (what: string): never => {
    throw usageError(`Baseline ${file}: ${what}.`, 'Write a new one with --update-baseline, or fix the file.');
  };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return fail(`not JSON (${(error as Error).message})`);
  }
  if (!isRecord(value)) return fail('not a JSON object');
  if (value['format'] !== 'mcpc-baseline') return fail('"format" must be "mcpc-baseline"');
  if (value['version'] !== 1) return fail('"version" must be 1');
  const { revision, target, failures } = value;
  if (typeof revision !== 'string' || revision === '') return fail('"revision" must be a non-empty string');
  if (target !== undefined && typeof target !== 'string') return fail('"target" must be a string');
  if (!Array.isArray(failures)) return fail('"failures" must be an array');
  const seen = new Set<string>();
  const entries = failures.map((entry: unknown, index): BaselineEntry => {
    if (!isRecord(entry) || typeof entry['rule'] !== 'string' || entry['rule'] === '') {
      return fail(`failures[${index}] needs a "rule"`);
    }
    const { rule, reason } = entry;
    if (reason !== undefined && typeof reason !== 'string') return fail(`failures[${index}]: "reason" must be a string`);
    if (seen.has(rule)) return fail(`${rule} stands twice`);
    seen.add(rule);
    return reason === undefined ? { rule } : { rule, reason };
  });
  return {
    format: 'mcpc-baseline',
    version: 1,
    ...(target === undefined ? {} : { target }),
    revision,
    failures: entries,
  };
}

/**
 * Splits the failures of a run by what the baseline knows. Every list is sorted.
 * @throws McpcError (usage) when the baseline was written for another revision.
 */
export function applyBaseline(
  verdicts: readonly ReportVerdict[],
  baseline: Baseline,
  revision: string,
): BaselineOutcome {
  if (baseline.revision !== revision) {
    throw usageError(
      `The baseline was written for revision ${baseline.revision}, but revision ${revision} was judged.`,
      `Pin the revision with --spec ${baseline.revision}, or write the baseline anew with --update-baseline.`,
    );
  }
  const status = new Map(verdicts.map((verdict) => [verdict.rule, verdict.status]));
  const listed = new Set(baseline.failures.map((entry) => entry.rule));
  const failing = verdicts.filter((verdict) => verdict.status === 'fail').map((verdict) => verdict.rule);
  const rules = [...listed].sort();
  return {
    known: rules.filter((rule) => status.get(rule) === 'fail'),
    fresh: failing.filter((rule) => !listed.has(rule)).sort(),
    stale: rules.filter((rule) => status.get(rule) === 'pass'),
    undecided: rules.filter((rule) => status.get(rule) !== 'fail' && status.get(rule) !== 'pass'),
  };
}

/**
 * The report with the outcome of a baseline: `baseline` filled in for the part of its revision, known failures marked.
 * Copies, never changes.
 * @throws McpcError (usage) when no part is of the revision of the baseline
 */
export function withBaseline(report: RunReport, baseline: Baseline, file: string): RunReport {
  const fits = report.parts.find(({ revision }) => revision === baseline.revision) ?? report.parts[0]!;
  const { known, fresh, stale } = applyBaseline(fits.verdicts, baseline, fits.revision);
  const knownRules = new Set(known);
  const applied: ReportPart = {
    ...fits,
    verdicts: fits.verdicts.map((verdict) => (knownRules.has(verdict.rule) ? { ...verdict, known: true } : verdict)),
    baseline: { file, known, fresh, stale },
  };
  return { ...report, parts: report.parts.map((part) => (part === fits ? applied : part)) };
}

/**
 * The baseline that accepts the failures of a run: every failure that counts against compliance, and every
 * entry of the previous baseline that fails still or could not be decided this time, with its reason. What
 * passes now is dropped. Sorted by rule, so that equal runs give equal files. It is of the revision of the previous
 * baseline where a part has that, else of the first part.
 */
export function updateBaseline(report: RunReport, previous?: Baseline): Baseline {
  const part = report.parts.find(({ revision }) => revision === previous?.revision) ?? report.parts[0]!;
  const reasons = new Map(previous?.failures.map((entry) => [entry.rule, entry.reason]));
  const status = new Map(part.verdicts.map((verdict) => [verdict.rule, verdict.status]));
  const rules = new Set(
    part.verdicts.filter((v) => v.status === 'fail' && v.severity === 'error').map((v) => v.rule),
  );
  for (const rule of reasons.keys()) if (status.get(rule) !== 'pass') rules.add(rule);
  const failures = [...rules].sort().map((rule): BaselineEntry => {
    const reason = reasons.get(rule);
    return reason === undefined ? { rule } : { rule, reason };
  });
  return { format: 'mcpc-baseline', version: 1, target: report.target.name, revision: part.revision, failures };
}

/** The text of a baseline file. */
export function formatBaseline(baseline: Baseline): string {
  return `${JSON.stringify(baseline, null, 2)}\n`;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
