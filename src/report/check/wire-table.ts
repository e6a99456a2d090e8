/**
 * The wire log of a page as one table: each event appears once, for all verdicts that cite it. The table is bounded,
 * failures first, so that a page stays small whatever the server sent; the trace has everything.
 */
import { shorten } from '../text.ts';
import type { VerdictView } from '../verdict-view.ts';
import type { FeatureView } from '../features/features-view.ts';
import type { WireView } from '../wire-view.ts';

/** By seq: who spoke, arrow, label, where and when, body, deliberate fault. */
export type WireTable = Record<
  string,
  [from: string, arrow: string, label: string, meta: string, body: string, deviation: string]
>;

/** Characters of one body, and of all rows: of failures, of features that are used, and of what passed. */
const longest = { failure: 1500, feature: 300, other: 200 };
const budget = { failure: 24_000, feature: 3_000, other: 8_000 };

/** The events of all cases of the verdicts, and of the first use of each feature. */
export function wireTableOf(
  verdicts: readonly VerdictView[],
  features: readonly Pick<FeatureView, 'wire'>[],
): WireTable {
  const table: WireTable = {};
  const left = { ...budget };
  const add = (entry: WireView, of: keyof typeof budget): void => {
    if (String(entry.seq) in table || (of !== 'failure' && left[of] <= 0)) return;
    const body = shorten(entry.body ?? '', Math.min(longest[of], Math.max(0, left[of])));
    const row: WireTable[string] = [
      entry.from,
      entry.arrow,
      shorten(entry.label, 200),
      `#${entry.seq} · ${entry.session} · ${entry.time}`,
      body,
      entry.deviation ?? '',
    ];
    for (const part of row) left[of] -= part.length;
    table[entry.seq] = row;
  };
  for (const { failed, cases } of verdicts)
    if (failed) for (const { wire } of cases) for (const entry of wire) add(entry, 'failure');
  // The room that failures leave is theirs: a page without any has room.
  left.feature += Math.max(0, left.failure);
  for (const { wire } of features) for (const entry of wire) add(entry, 'feature');
  for (const { failed, status, cases } of verdicts)
    if (!failed && status === 'pass') for (const entry of cases[0]?.wire.slice(0, 4) ?? []) add(entry, 'other');
  return table;
}
