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
  /** The same of further revisions, of a run that checked several; absent where there are none. */
  more?: { revision: string; failures: BaselineEntry[] }[];
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
  const { target, more } = value;
  if (target !== undefined && typeof target !== 'string') return fail('"target" must be a string');
  const first = parseFailures(value, '', fail);
  if (more !== undefined && !Array.isArray(more)) return fail('"more" must be an array');
  const others =
    (more as unknown[] | undefined)?.map((one, index) =>
      isRecord(one) ? parseFailures(one, `more[${index}].`, fail) : fail(`more[${index}] must be an object`),
    ) ?? [];
  const names = [first, ...others].map(({ revision }) => revision);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) return fail(`revision ${twice} appears twice`);
  return {
    format: 'mcpc-baseline',
    version: 1,
    target,
    ...first,
    ...(others.length === 0 ? {} : { more: others }),
  };
}

/**
 * A baseline's entries for one revision.
 * @param at its place, for errors
 */
function parseFailures(
  { revision, failures }: Record<string, unknown>,
  at: string,
  fail: (what: string) => never,
): { revision: string; failures: BaselineEntry[] } {
  if (typeof revision !== 'string' || revision === '') return fail(`"${at}revision" must be a non-empty string`);
  if (!Array.isArray(failures)) return fail(`"${at}failures" must be an array`);
  const seen = new Set<string>();
  const entries = (failures as unknown[]).map((entry: unknown, index): BaselineEntry => {
    if (!isRecord(entry) || typeof entry['rule'] !== 'string' || entry['rule'] === '') {
      return fail(`${at}failures[${index}] needs a "rule"`);
    }
    const { rule, reason } = entry;
    if (reason !== undefined && typeof reason !== 'string')
      return fail(`${at}failures[${index}]: "reason" must be a string`);
    if (seen.has(rule)) return fail(`${rule} appears twice`);
    seen.add(rule);
    return reason === undefined ? { rule } : { rule, reason };
  });
  return { revision, failures: entries };
}

/** True if a baseline has entries for a revision. */
export function knowsRevision(baseline: Baseline, revision: string): boolean {
  return ofRevision(baseline, revision) !== undefined;
}

/** Entries of a revision, as a baseline of that alone. */
function ofRevision({ more = [], ...baseline }: Baseline, revision: string): Baseline | undefined {
  if (baseline.revision === revision) return baseline;
  const found = more.find((one) => one.revision === revision);
  return found && { ...baseline, ...found };
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
 * The report with the outcome of a baseline: `baseline` filled in for each part of a revision that it has, known failures marked.
 * A check of the quick profile makes no entry stale: what passes there may fail where more is asked.
 * Copies, never changes.
 * @throws McpcError (usage) when no part is of the revision of the baseline
 */
export function withBaseline(report: RunReport, baseline: Baseline, file: string): RunReport {
  const fits = report.parts.some(({ revision }) => ofRevision(baseline, revision) !== undefined);
  const isQuick = report.ruleSet.profile === 'quick';
  const apply = (part: ReportPart, own: Baseline): ReportPart => {
    const { known, fresh, stale } = applyBaseline(part.verdicts, own, part.revision);
    const knownRules = new Set(known);
    return {
      ...part,
      verdicts: part.verdicts.map((verdict) => (knownRules.has(verdict.rule) ? { ...verdict, known: true } : verdict)),
      baseline: { file, known, fresh, stale: isQuick ? [] : stale },
    };
  };
  return {
    ...report,
    // A part of a revision that the baseline does not have is compared with nothing; where that is so of all, it is an error.
    parts: report.parts.map((part) => {
      const own = ofRevision(baseline, part.revision) ?? (fits ? undefined : baseline);
      return own === undefined ? part : apply(part, own);
    }),
  };
}

/**
 * The baseline that accepts the failures of a run: every failure that counts against compliance, and every entry of the
 * previous baseline that still fails or was undecided this time, with its reason. What passes now is dropped. Sorted by
 * rule, so that equal runs give equal files. Each part has its own entries, those of the first part first. Of a
 * baseline of several revisions the unchecked ones are kept.
 */
export function updateBaseline(report: RunReport, previous?: Baseline): Baseline {
  const isOther = previous !== undefined && report.parts.length === 1 && previous.more === undefined;
  const found = report.parts.map((part) => ({
    revision: part.revision,
    failures: failuresOf(part, (previous && ofRevision(previous, part.revision)) ?? (isOther ? previous : undefined)),
  }));
  // Entries that a run of one revision did not check stay.
  const kept = [
    ...(previous === undefined ? [] : [{ revision: previous.revision, failures: previous.failures }]),
    ...(previous?.more ?? []),
  ].filter(({ revision }) => found.every((one) => one.revision !== revision));
  const [first, ...others] = [...found, ...(isOther ? [] : kept)] as [
    Omit<Baseline, 'format' | 'version'>,
    ...NonNullable<Baseline['more']>,
  ];
  return {
    format: 'mcpc-baseline',
    version: 1,
    target: report.target.name,
    revision: first.revision,
    failures: first.failures,
    ...(others.length === 0 ? {} : { more: others }),
  };
}

function failuresOf(part: ReportPart, previous: Baseline | undefined): BaselineEntry[] {
  const reasons = new Map(previous?.failures.map((entry) => [entry.rule, entry.reason]));
  const status = new Map(part.verdicts.map((verdict) => [verdict.rule, verdict.status]));
  const rules = new Set(part.verdicts.filter((v) => v.status === 'fail' && v.severity === 'error').map((v) => v.rule));
  for (const rule of reasons.keys()) if (status.get(rule) !== 'pass') rules.add(rule);
  return [...rules].sort().map((rule): BaselineEntry => {
    const reason = reasons.get(rule);
    return reason === undefined ? { rule } : { rule, reason };
  });
}

/** The text of a baseline file. */
export function formatBaseline(baseline: Baseline): string {
  return `${JSON.stringify(baseline, null, 2)}\n`;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
