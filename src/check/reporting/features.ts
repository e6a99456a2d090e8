/** The profile of a report: which of the things that the specification permits were seen, each with the first use. */
import type { FeatureOutcome } from '../../core/evaluate/feature-outcome.ts';
import type { ReportFeature } from '../../core/model/reports/run-report.ts';
import type { TransportKind } from '../../core/model/trace.ts';
import { placeIn } from '../../core/spec/rule-place.ts';

/** Maximum number of events reported for a use. */
const mostEvents = 6;

/** @param outcomes of the rules of level MAY, in their order */
export function featuresOf(
  outcomes: readonly FeatureOutcome[],
  revision: string,
  transport: TransportKind,
): ReportFeature[] {
  return outcomes.map(({ rule, status, judged, shown }) => {
    const place = placeIn(rule, revision, transport)!;
    const used = status === 'used';
    return {
      requirement: rule.requirements[0]!,
      rule: rule.id,
      role: rule.role,
      title: rule.title,
      area: rule.area,
      ref: place.ref,
      link: place.link,
      status,
      uses: used ? judged : 0,
      evidence:
        used && shown !== undefined
          ? {
              subject: shown.subject,
              events: shown.events.slice(0, mostEvents),
              ...(shown.events.length > mostEvents ? { moreEvents: shown.events.length - mostEvents } : {}),
              seen: `Used: ${rule.title}.`,
            }
          : null,
    };
  });
}
