/** Differences of two conversations as lines for a reader. */
import pc from 'picocolors';
import type { Difference } from '../../capture/compare.ts';
import { append } from '../../../core/model/lists.ts';
import { visible } from '../../../report/text.ts';

const longest = 120;
const mostLines = 200;

/** @param color false to leave colours out; by default the terminal decides */
export function differenceLines(
  differences: readonly Difference[],
  left: string,
  right: string,
  color?: boolean,
): string[] {
  const paint = color === undefined ? pc : pc.createColors(color);
  if (differences.length === 0) return [`No difference in behaviour between ${visible(left)} and ${visible(right)}.`];
  const count = `${differences.length} difference${differences.length === 1 ? '' : 's'} in behaviour`;
  const lines = [paint.bold(`${count}: ${paint.red(`- ${visible(left)}`)}, ${paint.green(`+ ${visible(right)}`)}`)];
  let place = '';
  for (const difference of differences.slice(0, mostLines)) {
    if (difference.where !== place) lines.push(visible(difference.where));
    place = difference.where;
    append(lines, reported(difference, paint));
  }
  if (differences.length > mostLines) lines.push(`… and ${differences.length - mostLines} more`);
  return lines;
}

function reported(
  { what, path, left, right, leftSeq, rightSeq }: Difference,
  paint: ReturnType<typeof pc.createColors>,
): string[] {
  const at = (seq: number | undefined): string => (seq === undefined ? '' : paint.dim(` (event ${seq})`));
  if (what === 'missing')
    return [`  ${paint.red('- only there')}${left === undefined ? '' : `: ${short(left)}`}${at(leftSeq)}`];
  if (what === 'added')
    return [`  ${paint.green('+ only here')}${right === undefined ? '' : `: ${short(right)}`}${at(rightSeq)}`];
  return [
    `  ${visible(path)}`,
    `    ${paint.red(`- ${short(left)}`)}${at(leftSeq)}`,
    `    ${paint.green(`+ ${short(right)}`)}${at(rightSeq)}`,
  ];
}

function short(value: unknown): string {
  if (value === undefined) return 'absent';
  const text = visible(JSON.stringify(value));
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}
