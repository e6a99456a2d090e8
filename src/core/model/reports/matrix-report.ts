/** The result of `mcpc matrix`. Shapes only. */
import type { CaseStatus, SuiteReport } from './suite-report.ts';

export interface MatrixColumn {
  /** As `old http 2025-11-25 node 22`: what the columns differ in. */
  name: string;
  /** Name of the server; null for those of the suite. */
  server: string | null;
  transport: string | null;
  /** Revision that was asked for. */
  spec: string | null;
  /** Version of node that started the server. */
  node: string | null;
  language: string | null;
  counts: SuiteReport['counts'];
  durationMs: number;
  /** Why its run ended early; null when it did not. */
  incomplete: string | null;
  notices: string[];
}

export interface MatrixCell {
  status: CaseStatus;
  /** Why it failed or was skipped; empty when it passed. */
  detail: string;
  durationMs: number;
}

export interface MatrixRow {
  id: string;
  name: string;
  file: string;
  line: number;
  /** The cells have different states. */
  differs: boolean;
  /** In the order of the columns; null where the case was not run. */
  cells: (MatrixCell | null)[];
}

export interface MatrixReport {
  format: 'mcpc-matrix-report';
  version: 1;
  tool: { name: 'mcpc'; version: string };
  suites: string[];
  startedAt: string;
  durationMs: number;
  columns: MatrixColumn[];
  /** Cases whose cells differ first, else in the order of the suites. */
  rows: MatrixRow[];
  counts: { cases: number; differing: number; failed: number; failedEverywhere: number };
  /** Why the matrix ended early; null when it did not. */
  incomplete: string | null;
}
