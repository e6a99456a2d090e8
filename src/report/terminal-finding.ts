/**
 * One finding on a terminal: in a few lines, with the messages that it speaks of, or in full (`--verbose`). What of a
 * message does not fit its line is in the trace, and in the other formats.
 */
import type pc from 'picocolors';
import wrapAnsi from 'wrap-ansi';
import { append } from '../core/model/lists.ts';
import { excerptOf } from './check/message-excerpt.ts';
import { shorten } from './text.ts';
import type { Tone } from './tones.ts';
import type { VerdictView } from './verdict-view.ts';
import type { WireView } from './wire-view.ts';

/** Colours and columns. */
export interface Pen {
  c: ReturnType<typeof pc.createColors>;
  width: number;
}

/** The sign of a verdict in its colour. */
export function symbol(verdict: Pick<VerdictView, 'tone' | 'symbol'>, { c }: Pen): string {
  const paint: Record<Tone, (text: string) => string> = {
    violation: c.red,
    warning: c.yellow,
    advice: c.cyan,
    error: c.magenta,
    'not-exercised': c.dim,
    conditional: c.dim,
    pass: c.green,
    'not-applicable': c.dim,
  };
  return paint[verdict.tone](verdict.symbol);
}

/** Lines of a short finding, and of its messages. */
const most = { lines: 8, messages: 3 };

/** Observation, messages, fix, link and command for a new check; the fix is never cut. */
export function short(verdict: VerdictView, pen: Pen): string[] {
  const { c } = pen;
  const known = `${verdict.weight === null ? '' : c.dim(` (${verdict.weight})`)}${verdict.known ? c.dim(' (known)') : ''}`;
  const fit = (text: string, lines: number): string[] => {
    const all = indent(text, 2, pen);
    return all.length <= lines
      ? all
      : [...all.slice(0, lines - 1), `${shorten(all[lines - 1]!.trimEnd(), pen.width - 2)} …`];
  };
  const last = verdict.failed ? [`  ${c.dim('Clause')} ${c.cyan(verdict.link ?? verdict.ref)}`] : [];
  const also = verdict.also.length === 0 ? [] : fit(`Same cause: ${verdict.also.join(', ')}`, 1).map(c.dim);
  const again = verdict.again === null ? [] : [`  ${c.dim('Again')}  ${verdict.again}`];
  const fix = verdict.fix === null ? [] : indent(`Fix: ${verdict.sdkFix ?? verdict.fix}`, 2, pen);
  const seen = fit(verdict.message, 2);
  const room = Math.max(2, most.lines - 1 - seen.length - fix.length - also.length - last.length);
  const shown = closest(verdict, Math.min(most.messages, room));
  return [
    `${symbol(verdict, pen)} ${c.bold(verdict.rule)}  ${c.dim(verdict.level)}${known}`,
    ...seen,
    ...shown.map((entry) => messageLine(entry, entry.seq === verdict.event ? verdict.member : null, pen)),
    ...fix,
    ...also,
    ...last,
    ...again,
  ];
}

/** The wrong message and its closest neighbours. */
function closest({ telling, event }: VerdictView, count: number): WireView[] {
  if (telling.length <= count) return telling;
  const at = telling.findIndex(({ seq }) => seq === event);
  const end = at === -1 ? telling.length : Math.max(at + 1, count);
  return telling.slice(Math.max(0, end - count), end);
}

/** A message on one line; a deliberate fault by its words rather than by its text. */
function messageLine(entry: WireView, member: string | null, pen: Pen): string {
  const { c, width } = pen;
  const paint = { client: c.blue, server: c.magenta, harness: c.dim }[entry.from];
  const room = Math.max(16, width - 8 - String(entry.seq).length);
  return `  ${c.dim(`#${entry.seq}`)} ${paint(entry.arrow)} ${messageText(entry, member, room, pen)}`;
}

function messageText(entry: WireView, member: string | null, room: number, { c }: Pen): string {
  if (entry.deviation !== null) {
    const label = shorten(entry.label, Math.floor(room / 2));
    return `${label} ${c.yellow(shorten(`(deliberate: ${entry.deviation})`, room - label.length - 1))}`;
  }
  const excerpt = entry.kind === 'message' && entry.body !== null ? excerptOf(entry.body, member) : undefined;
  if (excerpt === undefined)
    return shorten(
      entry.kind === 'message' || entry.kind === 'unparsable'
        ? compact(entry)
        : [entry.label, compact({ ...entry, label: '' })].filter((part) => part !== '').join('  '),
      room,
    );
  const { before, fault, after } = excerpt;
  if (fault === '') return shorten(after, room);
  const marked = `${mark} ${fault}`;
  const left = room - before.length - marked.length;
  if (left < 1) return `${before}${c.red(shorten(marked, Math.max(16, room - before.length)))}`;
  return `${before}${c.red(marked)}${shorten(after, left)}`;
}

/** Marks the wrong property. */
const mark = '▸';

/** A body without its layout; the label where there is none. */
function compact({ body, label }: Pick<WireView, 'body' | 'label'>): string {
  return body === null
    ? label
    : body
        .split('\n')
        .map((line) => line.trim())
        .join(' ')
        .replaceAll('\t', ' ')
        .trim();
}

/** A verdict with its requirement, expectation and observation, exchange, clause and fix. */
export function detailed(verdict: VerdictView, pen: Pen): string[] {
  const { c } = pen;
  const known = `${verdict.weight === null ? '' : c.dim(` (${verdict.weight})`)}${verdict.known ? c.dim(' (known)') : ''}`;
  const lines = [
    `${symbol(verdict, pen)} ${c.bold(verdict.rule)}  ${c.dim(verdict.level)}${known}`,
    ...field('Requirement', verdict.statement, pen),
    ...field('Seen', verdict.message, pen),
  ];
  if (verdict.expected !== null) append(lines, field('Expected', verdict.expected, pen, c.green));
  if (verdict.actual !== null) append(lines, field('Actual', shorten(verdict.actual, 800), pen, c.red));
  if (verdict.judged !== null) append(lines, field('Judged', verdict.judged, pen));
  if (verdict.fix !== null) append(lines, field('Fix', verdict.fix, pen));
  if (verdict.sdkFix !== null) append(lines, field('With SDK', verdict.sdkFix, pen));
  for (const advice of verdict.advice) append(lines, field('Note', advice, pen));
  // An address that is broken over lines cannot be followed.
  const clause = verdict.link ?? verdict.ref;
  append(lines, field('Clause', clause, { ...pen, width: Math.max(pen.width, clause.length + 20) }, c.cyan));
  if (verdict.again !== null) lines.push(`  ${c.dim('Again'.padEnd(labelWidth))}${verdict.again}`);
  if (verdict.also.length > 0) append(lines, field('Same cause', verdict.also.join(', '), pen));
  for (const { subject, seen, wire, moreWire } of verdict.cases) {
    append(lines, field('Exchange', [subject, seen].filter((text) => text !== null).join(': '), pen, c.dim));
    append(
      lines,
      wire.flatMap((entry) => wireLines(entry, pen)),
    );
    if (moreWire !== null) append(lines, indent(c.dim(moreWire), 4, pen));
  }
  if (verdict.moreCases !== null) append(lines, indent(c.dim(verdict.moreCases), 4, pen));
  return lines;
}

function wireLines(entry: WireView, pen: Pen): string[] {
  const { c } = pen;
  const paint = { client: c.blue, server: c.magenta, harness: c.dim }[entry.from];
  const deviation = entry.deviation === null ? '' : c.yellow(`  (deliberate: ${entry.deviation})`);
  const head = `${c.dim(`#${entry.seq}`)} ${paint(entry.arrow)} ${shorten(entry.label, pen.width - 16)}${deviation}`;
  if (entry.body === null) return indent(head, 4, pen);
  const body = shorten(entry.body, pen.width * 4 - 40);
  return [...indent(head, 4, pen), ...indent(body, 8, pen).map(paint)];
}

const labelWidth = 13;
/** Longer texts are cut: a reader does not get to their end, and the time of wrapping grows with the square of a long word. */
const mostWrapped = 4000;

/** `Label        text`, wrapped next to the label. */
function field(label: string, text: string, pen: Pen, paint: (text: string) => string = String): string[] {
  const lines = indent(text, 2 + labelWidth, pen);
  const head = `  ${pen.c.dim(label.padEnd(labelWidth))}`;
  return lines.map((line, i) => (i === 0 ? head : ' '.repeat(2 + labelWidth)) + paint(line.slice(2 + labelWidth)));
}

/** Wrapped to the width; hard breaks only where a word is longer than a line. */
export function indent(text: string, by: number, pen: Pen): string[] {
  const room = Math.max(16, pen.width - by);
  const wrapped = (line: string): string[] =>
    wrapAnsi(line, room, { hard: true, trim: false })
      .split('\n')
      // The blank at which a line was broken, where the line before is full.
      .map((part, at) => (at === 0 ? part : part.trimStart()));
  return shorten(text, mostWrapped)
    .replaceAll('\t', '  ')
    .split('\n')
    .flatMap(wrapped)
    .map((line) => ' '.repeat(by) + line);
}
