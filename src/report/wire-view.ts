/** Wire entries as they stand beside a verdict. Shows bytes as they were: no reformatting beyond making them visible. */
import type { WireEntry } from '../model/reports/run-report.ts';
import { formatDuration, oneLine, plural, visible } from './text.ts';

/** More entries than this beside one verdict help nobody; the trace has them all. */
const maxEntries = 40;

export interface WireView {
  seq: number;
  time: string;
  session: string;
  from: WireEntry['from'];
  /** `→` from client to server, `←` back, `•` an act of mcpc itself. */
  arrow: string;
  kind: string;
  label: string;
  /** May hold line feeds and tabs, no other control; null when the label says all. */
  body: string | null;
  /** A long body scrolls, and so needs to take the keyboard focus. */
  long: boolean;
  /** Which deliberate fault of ours it is, or null. */
  deviation: string | null;
}

/** The entries that a verdict cites, in order, and how many could not be shown. */
export function wireOf(
  evidence: readonly number[],
  wire: ReadonlyMap<number, WireEntry>,
): { wire: WireView[]; moreWire: string | null } {
  const wanted = [...new Set(evidence)].sort((a, b) => a - b);
  const shown = wanted.flatMap((seq) => wire.get(seq) ?? []).slice(0, maxEntries);
  const missing = wanted.length - shown.length;
  return {
    wire: shown.map(wireView),
    moreWire: missing === 0 ? null : `${plural(missing, 'further event')} in the trace`,
  };
}

function wireView(entry: WireEntry): WireView {
  const body = visible(entry.body);
  return {
    seq: entry.seq,
    time: formatDuration(entry.t),
    session: oneLine(entry.session),
    from: entry.from,
    arrow: { client: '→', server: '←', harness: '•' }[entry.from],
    kind: oneLine(entry.kind),
    label: oneLine(entry.label),
    body: body === '' ? null : body,
    long: body.length > 1500 || body.split('\n').length > 18,
    deviation: entry.deviation === undefined ? null : oneLine(entry.deviation),
  };
}
