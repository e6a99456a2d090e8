/**
 * A run and its parts: what belongs to the run (target, times, calls, wire log) stands once, what was found by one
 * revision of the specification is a part. Pages, scores and summaries look at one part with its run around it.
 */
import type { ReportPart, RunReport } from './run-report.ts';

/** One part of a run, with the members of the run beside its own. */
export type PartReport = Omit<RunReport, 'parts'> & ReportPart;

const partMembers = ['revision', 'era', 'compliant', 'score', 'grade', 'counts', 'decided', 'applicable', 'areas', 'levels', 'verdicts', 'baseline'] as const satisfies readonly (keyof ReportPart)[];

/** A part, seen together with its run; the first part where none is named. */
export function ofPart(report: RunReport, part: ReportPart = report.parts[0]!): PartReport {
  const { parts: _parts, ...run } = report;
  return { ...run, ...part };
}

/** The run of a part that is its only one. */
export function runOf(one: PartReport): RunReport {
  const part = Object.fromEntries(partMembers.flatMap((name) => (one[name] === undefined ? [] : [[name, one[name]]]))) as unknown as ReportPart;
  const run = Object.fromEntries(Object.entries(one).filter(([name]) => name === 'compliant' || !partMembers.includes(name as (typeof partMembers)[number])));
  return { ...(run as unknown as Omit<RunReport, 'parts'>), parts: [part] };
}
