/** The profile of a report as pages show it: what the specification permits, and whether it was used. */
import type { PartReport } from '../../core/model/reports/run-parts.ts';
import type { ReportFeature, WireEntry } from '../../core/model/reports/run-report.ts';
import { oneLine, plural } from '../text.ts';
import { wireOf, type WireView } from '../wire-view.ts';

export interface FeatureView {
  rule: string;
  requirement: string;
  title: string;
  area: string;
  role: string;
  used: boolean;
  /** `used` or `not seen`. */
  status: string;
  /** As in `3 times`; empty where no use was seen. */
  times: string;
  /** The events of the first use, as in `3, 4`; null where there is none. */
  events: string | null;
  /** The messages of the first use that the report holds. */
  wire: WireView[];
  /** Their seqs, for pages that look them up. */
  seqs: string;
}

export interface FeaturesView {
  used: FeatureView[];
  unseen: FeatureView[];
  /** As in `12 of 40 used`. */
  summary: string;
}

/** Null for reports without a profile: those of older versions, and runs of rules that are no permissions. */
export function featuresView(
  { features = [] }: Pick<PartReport, 'features'>,
  wire: ReadonlyMap<number, WireEntry>,
): FeaturesView | null {
  if (features.length === 0) return null;
  const views = features
    .map((feature) => featureView(feature, wire))
    .sort((a, b) => (a.rule < b.rule ? -1 : a.rule > b.rule ? 1 : 0));
  const used = views.filter((one) => one.used);
  return { used, unseen: views.filter((one) => !one.used), summary: `${used.length} of ${views.length} used` };
}

function featureView(
  { rule, requirement, title, area, role, status, uses, evidence }: ReportFeature,
  entries: ReadonlyMap<number, WireEntry>,
): FeatureView {
  const used = status === 'used';
  const { wire } = wireOf(evidence?.events ?? [], entries);
  return {
    rule: oneLine(rule),
    requirement: oneLine(requirement),
    title: oneLine(title),
    area: oneLine(area),
    role: oneLine(role),
    used,
    status: used ? 'used' : 'not seen',
    times: used ? plural(uses, 'time') : '',
    events: evidence === null ? null : evidence.events.join(', '),
    wire,
    seqs: wire.map(({ seq }) => seq).join(' '),
  };
}
