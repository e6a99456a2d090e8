/** The optional features that a reference server has, by its code: what the plain one uses, and what a variant adds and leaves out. */
import type { RunReport } from '../../src/core/model/reports/run-report.ts';
import type { Variant } from '../../src/testkit/example-server/mutations/mutation.ts';
import { concerns, type Undecided } from '../rules/undecided-on-reference.ts';
import { unusedHere, usedAtTimes } from '../rules/unused-on-reference.ts';
import type { Setting } from './accuracy.ts';

/** Each feature of a report that says another thing than the code of the server. */
export function profileDifferences(
  report: RunReport,
  setting: Setting,
  { uses = [], lacks = [], lacksAt = {}, unseen = {} }: Variant,
): string[] {
  const here = { ...setting, speaks: 'all revisions' } as const;
  const named = (list: readonly Undecided[]): string[] =>
    list.filter((entry) => concerns(entry, here)).flatMap(({ rules }) => rules);
  const absent = new Set([...named(unusedHere), ...lacks, ...(lacksAt[setting.revision] ?? [])]);
  const open = new Set([...named(usedAtTimes), ...Object.keys(unseen)]);
  const expected = (rule: string): string => (uses.includes(rule) || !absent.has(rule) ? 'used' : 'not-seen');
  return (report.parts[0]!.features ?? [])
    .filter(({ rule, status }) => !open.has(rule) && status !== expected(rule))
    .map(({ rule, status }) => `${rule} is ${status}`);
}
