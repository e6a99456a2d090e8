/** The parts of a run, one for each revision: what they come to together, and the view of each. */
import type { PartReport } from '../../core/model/reports/run-parts.ts';
import type { RunReport } from '../../core/model/reports/run-report.ts';
import { oneLine, plural } from '../text.ts';
import { viewOf, type ReportView } from '../check/view-model.ts';
import { revisionsView, type RunPartsView } from '../features/spoken-view.ts';

export function partsViewOf(report: RunReport): RunPartsView {
  const { parts, compliant } = report;
  const revisions = parts.map(({ revision }) => oneLine(revision));
  const violated = parts
    .filter(
      (part) =>
        part.counts.error > 0 ||
        part.verdicts.some(({ status, severity }) => status === 'fail' && severity === 'error'),
    )
    .map(({ revision }) => oneLine(revision));
  const headline =
    violated.length > 0 ? 'Not compliant' : report.incomplete === null && compliant ? 'Compliant' : 'Incomplete';
  const found = violated.length === 0 ? 'none is violated' : `violated: ${violated.join(', ')}`;
  return {
    compliant,
    headline,
    summary: `${plural(parts.length, 'revision')} checked (${revisions.join(', ')}); ${found}.`,
    incomplete: report.incomplete === null ? null : oneLine(report.incomplete),
    // Numbers of events are those of a part's own trace; of the whole run they would mislead.
    revisions: revisionsView(
      {
        unspoken: report.unspoken ?? [],
        spoken: (report.spoken ?? []).map((one) => ({
          ...one,
          evidence: one.evidence.map(({ by }) => ({ by, events: [] })),
        })),
      },
      revisions,
    ),
  };
}

/** Filters for the verdicts of a page, in all its parts. */
export function filterOf(views: readonly ReportView[]): {
  areaNames: string[];
  levelNames: string[];
  groups: { tone: string; label: string; count: number }[];
} {
  const groups = views.flatMap((view) => view.groups);
  return {
    areaNames: [...new Set(views.flatMap(({ areaNames }) => areaNames))].sort(),
    levelNames: [...new Set(views.flatMap(({ levelNames }) => levelNames))],
    groups: [...new Map(groups.map(({ tone, label }) => [tone, label]))].map(([tone, label]) => ({
      tone,
      label,
      count: groups.reduce((sum, group) => sum + (group.tone === tone ? group.count : 0), 0),
    })),
  };
}

/** The views of the parts of one run. */
export function sectionsOf(
  parts: readonly PartReport[],
  whole: RunPartsView | null,
): { part: PartReport; view: ReportView }[] {
  return parts.map((part) => ({ part, view: viewOf(part, whole) }));
}
