/** The result of `mcpc snapshot` for a terminal. */
import pc from 'picocolors';
import { append } from '../../core/model/lists.ts';
import type { SnapshotEntry, SnapshotReport, SnapshotStatus } from '../../core/model/reports/snapshot-report.ts';
import { oneLine, shorten, visible } from '../text.ts';

export interface SnapshotTextOptions {
  color?: boolean;
  /** Without what matches, and what was skipped. */
  quiet?: boolean;
}

const words: Record<SnapshotStatus, string> = {
  match: 'MATCH',
  changed: 'DIFF',
  missing: 'MISS',
  new: 'NEW',
  updated: 'UPDATE',
  obsolete: 'OBSOLETE',
  pruned: 'PRUNED',
  failed: 'FAIL',
  skipped: 'SKIP',
};
const quietOnes: ReadonlySet<SnapshotStatus> = new Set(['match', 'skipped']);
const mostLines = 60;

/** A line for each entry, with the diff of what changed. */
export function snapshotLines(entries: readonly SnapshotEntry[], options: SnapshotTextOptions): string {
  const c = pc.createColors(options.color ?? pc.isColorSupported);
  const paint: Record<SnapshotStatus, (text: string) => string> = {
    match: c.green,
    changed: c.red,
    missing: c.red,
    new: c.green,
    updated: c.yellow,
    obsolete: c.yellow,
    pruned: c.yellow,
    failed: c.red,
    skipped: c.dim,
  };
  const lines: string[] = [];
  for (const { file, case: name, step, status, diff, detail, line } of entries) {
    if (options.quiet === true && quietOnes.has(status)) continue;
    const about = [name === '' ? file : name, step]
      .filter((part) => part !== '')
      .map(oneLine)
      .join(' › ');
    lines.push(`  ${paint[status](words[status].padEnd(8))} ${about}`);
    if (detail !== null)
      append(
        lines,
        visible(detail)
          .split('\n')
          .slice(0, mostLines)
          .map((text) => `           ${shorten(text, 500)}`),
      );
    if (status === 'changed' || status === 'failed')
      lines.push(`           ${c.dim(`at ${visible(file)}${line === null ? '' : `:${line}`}`)}`);
    if (diff !== null) append(lines, diffLines(diff, c));
  }
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
}

function diffLines(diff: string, c: ReturnType<typeof pc.createColors>): string[] {
  const all = visible(diff).split('\n');
  const paint = (line: string): string =>
    line.startsWith('+') ? c.green(line) : line.startsWith('-') ? c.red(line) : c.dim(line);
  return [
    ...all.slice(0, mostLines).map((line) => `           ${paint(shorten(line, 500))}`),
    ...(all.length > mostLines ? [`           … ${all.length - mostLines} more lines`] : []),
  ];
}

/** Lines after the entries. */
export function snapshotSummary({ counts, incomplete, written }: SnapshotReport, options: SnapshotTextOptions): string {
  const c = pc.createColors(options.color ?? pc.isColorSupported);
  const reported: Record<SnapshotStatus, string> = {
    match: 'match',
    changed: 'differ',
    missing: 'are not stored',
    new: 'new',
    updated: 'updated',
    obsolete: 'obsolete',
    pruned: 'pruned',
    failed: 'failed',
    skipped: 'skipped',
  };
  const parts = (Object.entries(counts) as [SnapshotStatus, number][])
    .filter(([, count]) => count > 0)
    .map(([status, count]) => `${count} ${reported[status]}`);
  const lines = ['', parts.length === 0 ? 'no snapshots' : parts.join(', ')];
  if (counts.changed + counts.missing > 0) lines.push('"mcpc snapshot --update" stores what the server answers now.');
  if (counts.obsolete > 0) lines.push('"mcpc snapshot --prune" removes what is obsolete.');
  for (const file of written) lines.push(c.dim(`written: ${visible(file)}`));
  if (incomplete !== null) lines.push(c.yellow(`Incomplete: ${oneLine(incomplete)}; nothing was written.`));
  return `${lines.join('\n')}\n`;
}
