/** Entries of a timeline as lines for a terminal. Text of servers is made fit to show. */
import pc from 'picocolors';
import type { TimelineEntry } from '../../reporting/timeline.ts';
import { oneLine, shorten, visible } from '../../../report/text.ts';

export interface TimelineStyle {
  /** False to leave colours out; by default the terminal decides. */
  color?: boolean | undefined;
  /** Print messages as JSON below their line. */
  full: boolean;
  /** Columns of a line. */
  width: number;
  /** Times were recorded. */
  timed: boolean;
}

export function timelineLine(entry: TimelineEntry, { color, full, width, timed }: TimelineStyle): string {
  const paint = color === undefined ? pc : pc.createColors(color);
  const arrow = entry.from === 'client' ? paint.cyan('→') : entry.from === 'server' ? paint.green('←') : paint.dim('·');
  const time = timed ? `${entry.t.toFixed(1).padStart(10)} ms` : ' '.repeat(3);
  const head = `${paint.dim(String(entry.seq).padStart(5))} ${paint.dim(time)} ${paint.dim(entry.session.padEnd(4))} ${arrow} `;
  const facts = [
    ...(entry.answers === undefined ? [] : [`to ${entry.answers}`]),
    ...(entry.took === undefined || !timed ? [] : [duration(entry.took)]),
    ...(entry.bytes === undefined ? [] : [size(entry.bytes)]),
    ...(entry.exchange === undefined ? [] : [entry.exchange]),
    ...(entry.deviation === undefined ? [] : [`wrong on purpose: ${entry.deviation}`]),
  ];
  const plain = 5 + 1 + (timed ? 13 : 3) + 1 + 4 + 3;
  const label = oneLine(entry.label);
  const detail = entry.detail === '' ? '' : ` ${oneLine(entry.detail)}`;
  const rest = facts.length === 0 ? '' : ` (${facts.map(oneLine).join(', ')})`;
  const body = shorten(`${label}${rest}${detail}`, Math.max(30, width - plain));
  const painted = entry.error
    ? paint.red(body)
    : entry.kind === 'message'
      ? body.replace(label, () => paint.bold(label))
      : paint.dim(body);
  const json = full ? jsonOf(entry) : undefined;
  return `${head}${painted}\n${json === undefined ? '' : `${indented(json)}\n`}`;
}

function jsonOf({ kind, message, raw }: TimelineEntry): string | undefined {
  if (raw !== undefined && kind !== 'stderr') return raw;
  return message === undefined ? undefined : JSON.stringify(message, null, 2);
}

function indented(text: string): string {
  return visible(text)
    .split('\n')
    .map((line) => `        ${line}`)
    .join('\n');
}

function duration(ms: number): string {
  return ms >= 1000 ? `${(ms / 1000).toFixed(2)} s` : `${ms.toFixed(1)} ms`;
}

function size(bytes: number): string {
  return bytes >= 10_000 ? `${(bytes / 1024).toFixed(1)} KiB` : `${bytes} B`;
}
