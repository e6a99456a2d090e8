/**
 * The verdicts of a server as one letter for each rule, so that a fleet of a thousand servers by four hundred
 * rules is a few hundred kilobytes. Letters stand in the order of the report's list of rules.
 */
import type { FleetRule } from './fleet.ts';
import type { ReportVerdict } from './run-report.ts';
import type { Status } from './verdict.ts';

/** Meaning of a letter; `absent` is a rule that was not judged at all, because its revision does not have it. */
export type VerdictState = 'violation' | 'warning' | 'advice' | Exclude<Status, 'fail'> | 'conditional' | 'absent';

const states: Record<string, VerdictState> = {
  v: 'violation',
  w: 'warning',
  i: 'advice',
  e: 'error',
  o: 'not-exercised',
  c: 'conditional',
  p: 'pass',
  n: 'not-applicable',
  '.': 'absent',
};
const letters = { pass: 'p', error: 'e', 'not-exercised': 'o', 'not-applicable': 'n' } as const;
const failLetters = { error: 'v', warning: 'w', info: 'i' } as const;

/** Rules as a run lists them: by id, in the order of code units, each once; those of level MAY have no verdicts. */
export function fleetRules(rules: readonly (FleetRule & { feature?: boolean })[]): FleetRule[] {
  return listed(rules.filter(({ feature }) => feature !== true));
}

/** Optional features as a run lists them: the rules of level MAY about servers among all, in the same order. */
export function fleetFeatures(rules: readonly (FleetRule & { feature?: boolean; role?: string })[]): FleetRule[] {
  return listed(rules.filter(({ feature, role }) => feature === true && role !== 'client'));
}

function listed(rules: readonly FleetRule[]): FleetRule[] {
  const byId = new Map(rules.map(({ id, title }) => [id, { id, title }]));
  return [...byId.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}

type Reported = Pick<ReportVerdict, 'rule' | 'status' | 'severity' | 'known' | 'open'>;

/** A letter for each rule. Failures that the baseline knows are capitals. Verdicts of other rules are left out. */
export function encodeVerdicts(rules: readonly FleetRule[], verdicts: readonly Reported[]): string {
  const byRule = new Map(verdicts.map((verdict) => [verdict.rule, verdict]));
  return rules.map(({ id }) => letterOf(byRule.get(id))).join('');
}

function letterOf(verdict: Pick<ReportVerdict, 'status' | 'severity' | 'known'> | undefined): string {
  if (verdict === undefined) return '.';
  if (verdict.status !== 'fail') return letters[verdict.status];
  const letter = failLetters[verdict.severity];
  return verdict.known === true ? letter.toUpperCase() : letter;
}

/** Meaning of a letter, and whether the baseline had it; unknown letters are `absent`. */
export function decodeVerdict(letter: string | undefined): { state: VerdictState; known: boolean } {
  return { state: states[(letter ?? '.').toLowerCase()] ?? 'absent', known: /^[VWI]$/.test(letter ?? '') };
}

/** Letters in the order of another list of rules; null stays null. */
export function reorderVerdicts(
  letters: string | null,
  from: readonly FleetRule[],
  to: readonly FleetRule[],
): string | null {
  if (letters === null) return null;
  const places = new Map(from.map(({ id }, index) => [id, index]));
  return to.map(({ id }) => letters[places.get(id) ?? -1] ?? '.').join('');
}
