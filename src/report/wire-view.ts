/** Wire entries as displayed with a verdict. Shows bytes as they were: no reformatting beyond making them visible. */
import type { EvidenceCase, WireEntry } from '../core/model/reports/run-report.ts';
import { formatDuration, oneLine, plural, shorten, visible } from './text.ts';

/** More entries than this do not help readers of a verdict; the trace has them all. */
const maxEntries = 40;

const longestLine = 280;

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
  /** The body on one line, cut; null without one. */
  line: string | null;
  /** A long body scrolls, and so needs to take the keyboard focus. */
  long: boolean;
  /** Which deliberate fault of ours it is, or null. */
  deviation: string | null;
}

/** One case of a verdict with its messages. */
export interface CaseView {
  subject: string;
  /** Null where the verdict says the same. */
  seen: string | null;
  wire: WireView[];
  /** Cited events that are not shown, in words, or null. */
  moreWire: string | null;
  /** The seqs of what is shown, for pages that look them up. */
  seqs: string;
  /** The first four of them. */
  fewSeqs: string;
}

/** The messages of a case, in order, and how many could not be shown. @param message of the verdict */
export function caseView(
  { subject, events, moreEvents = 0, seen }: EvidenceCase,
  message: string,
  wire: ReadonlyMap<number, WireEntry>,
): CaseView {
  const { wire: shown, moreWire } = wireOf(events, wire, moreEvents);
  return {
    subject: oneLine(subject),
    seen: seen === '' || message.startsWith(seen) ? null : oneLine(seen),
    wire: shown,
    moreWire,
    seqs: shown.map(({ seq }) => seq).join(' '),
    fewSeqs: shown
      .slice(0, 4)
      .map(({ seq }) => seq)
      .join(' '),
  };
}

/** The entries with these seqs, in order, and how many could not be shown. */
export function wireOf(
  events: readonly number[],
  wire: ReadonlyMap<number, WireEntry>,
  more = 0,
): { wire: WireView[]; moreWire: string | null } {
  const wanted = [...new Set(events)].sort((a, b) => a - b);
  const shown = wanted.flatMap((seq) => wire.get(seq) ?? []).slice(0, maxEntries);
  const missing = wanted.length - shown.length + more;
  return {
    wire: shown.map(wireView),
    moreWire: missing === 0 ? null : `${plural(missing, 'further event')} in the trace`,
  };
}

/**
 * The few messages that show the fault: the one to blame, and before it what it answers or follows. A case of no more
 * than that many is shown whole.
 */
export function tellingEntries(wire: readonly WireView[], blamed: number | null, most: number): WireView[] {
  if (wire.length <= most) return [...wire];
  const at = Math.max(0, blamed === null ? wire.length - 1 : wire.findIndex(({ seq }) => seq === blamed));
  const found = new Set([at]);
  const opposite = wire.findLastIndex(
    (entry, index) => index < at && entry.from !== wire[at]!.from && entry.kind === 'message',
  );
  if (opposite !== -1) found.add(opposite);
  for (let index = at - 1; index >= 0 && found.size < most; index--)
    if (wire[index]!.kind === 'message') found.add(index);
  for (let index = at + 1; index < wire.length && found.size < most; index++) found.add(index);
  return [...found]
    .slice(0, most)
    .sort((a, b) => a - b)
    .map((index) => wire[index]!);
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
    line:
      body === ''
        ? null
        : shorten(
            body
              .split('\n')
              .map((line) => line.trim())
              .join(' '),
            longestLine,
          ),
    long: body.length > 1500 || body.split('\n').length > 18,
    deviation: entry.deviation === undefined ? null : oneLine(entry.deviation),
  };
}
