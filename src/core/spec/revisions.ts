/**
 * The revision timeline: which revisions exist, in which order, and to which era each belongs. It is independent of the
 * requirements of revisions.
 */
import type { Era, Revision } from '../model/rules/requirement.ts';

export interface RevisionEntry {
  readonly id: Revision;
  readonly era: Era;
}

/** All revisions, oldest first. */
export const revisionTimeline: readonly RevisionEntry[] = [
  { id: '2024-11-05', era: 'stateful' },
  { id: '2025-03-26', era: 'stateful' },
  { id: '2025-06-18', era: 'stateful' },
  { id: '2025-11-25', era: 'stateful' },
  { id: '2026-07-28', era: 'stateless' },
];

/** The names of all revisions, oldest first. */
export const revisions: readonly Revision[] = revisionTimeline.map((entry) => entry.id);

/** The newest revision of all. */
export const newestRevision: Revision = '2026-07-28';

/** The newest revision that a server can negotiate with an initialize handshake. */
export const newestStatefulRevision: Revision = '2025-11-25';

/** True if `text` is exactly the name of a revision that this version of mcpc knows. */
export function isKnownRevision(text: unknown): text is Revision {
  return revisions.some((revision) => revision === text);
}

const revisionForm = /^(?:\d{4}-\d{2}-\d{2}|DRAFT-\d{4}-v\d+)$/;

/**
 * True if the value could be the name of a revision, known here or newer: a date as YYYY-MM-DD (learn/versioning), or a
 * draft, as the schemas of drafts name them.
 */
export function hasRevisionForm(value: unknown): value is string {
  return typeof value === 'string' && revisionForm.test(value);
}

/** The era that the revision belongs to. */
export function eraOf(revision: Revision): Era {
  const entry = revisionTimeline.find(({ id }) => id === revision);
  // The type admits known revisions only; text from outside must pass isKnownRevision first.
  if (entry === undefined) throw new RangeError(`unknown revision ${revision}`);
  return entry.era;
}

/** The revisions of an era, oldest first. */
export function revisionsOf(era: Era): Revision[] {
  return revisionTimeline.filter((entry) => entry.era === era).map((entry) => entry.id);
}

/** Negative when `left` is older than `right`, positive when newer, 0 when equal: for `sort`. */
export function compareRevisions(left: Revision, right: Revision): number {
  return revisions.indexOf(left) - revisions.indexOf(right);
}

/** True if `revision` is `other` or newer. */
export function isAtLeast(revision: Revision, other: Revision): boolean {
  return compareRevisions(revision, other) >= 0;
}
