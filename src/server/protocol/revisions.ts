/**
 * The revisions that the reference server speaks, and how they compare. Must not hold behaviour.
 */

export const statefulRevisions = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'] as const;
export const statelessRevision = '2026-07-28';
export const allRevisions: readonly Revision[] = [...statefulRevisions, statelessRevision];

export type StatefulRevision = (typeof statefulRevisions)[number];
export type Revision = StatefulRevision | typeof statelessRevision;

export function isRevision(value: unknown): value is Revision {
  return (allRevisions as readonly unknown[]).includes(value);
}

export function isStateful(revision: Revision): revision is StatefulRevision {
  return revision !== statelessRevision;
}

/** True if `revision` is `floor` or newer. Revision names are dates, so they sort as text. */
export function atLeast(revision: Revision, floor: Revision): boolean {
  return revision >= floor;
}
