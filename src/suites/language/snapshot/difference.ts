/** Differences of two snapshots as a unified diff. Pure. */
import { createTwoFilesPatch } from 'diff';

/** Texts of more lines than this are compared as wholes: finding the shortest difference takes long. */
const mostEdits = 2_000;

/** Lines of a unified diff, without a line break at its end. */
export function snapshotDiff(stored: string, now: string): string {
  const patch = createTwoFilesPatch('stored', 'now', stored, now, undefined, undefined, {
    context: 3,
    maxEditLength: mostEdits,
  });
  if (patch === undefined) return `--- stored\n+++ now\nmore than ${mostEdits} lines differ`;
  return patch.replace(/^=+\n/, '').trimEnd();
}
