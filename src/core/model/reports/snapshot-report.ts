/** The result of `mcpc snapshot`. Shapes only. */

/**
 * `match`, `changed` and `missing`: what was stored, compared. `new` and `updated`: what was written. `obsolete`: stored,
 * but no step of the suite gives it; `pruned`: such an entry, removed. `failed`: the case could not be carried out to
 * its end. `skipped`: it was not run.
 */
export type SnapshotStatus =
  | 'match'
  | 'changed'
  | 'missing'
  | 'new'
  | 'updated'
  | 'obsolete'
  | 'pruned'
  | 'failed'
  | 'skipped';

export interface SnapshotEntry {
  /** The suite. */
  file: string;
  /** Name of the case; empty for a file of snapshots without a suite. */
  case: string;
  /** Place of the case; null when it no longer exists. */
  line: number | null;
  /** The action, as `tools/call echo`; empty for the whole case. */
  step: string;
  status: SnapshotStatus;
  /** Of what changed: a unified diff. */
  diff: string | null;
  /** Of what failed or was skipped: why. */
  detail: string | null;
}

export interface SnapshotReport {
  format: 'mcpc-snapshot-report';
  version: 1;
  tool: { name: 'mcpc'; version: string };
  suites: string[];
  counts: Record<SnapshotStatus, number>;
  entries: SnapshotEntry[];
  /** Files that were written or removed. */
  written: string[];
  notices: string[];
  /** Why the run ended early; null when it did not. */
  incomplete: string | null;
}
