/**
 * The report of `mcpc audit`: what came of each tool of a server. Shapes only. Members have the names that scripts
 * around mcp-assert read.
 */
import type { SuiteViolation } from './suite-report.ts';

/** Result of a tool; of several faults the first of this list counts. */
export const auditClasses = [
  'crash',
  'timeout',
  'protocol-error',
  'leak',
  'output-mismatch',
  'invalid-accepted',
  'annotation',
  'refused',
  'healthy',
  'skipped',
] as const;
export type AuditClass = (typeof auditClasses)[number];

export interface AuditFinding {
  class: AuditClass;
  /** Which call showed it: arguments that fit the schema, or that miss it by one thing. */
  call: 'valid' | 'near-miss';
  detail: string;
  /** The arguments, as JSON. */
  arguments: string;
}

export interface AuditResult {
  tool: string;
  description?: string;
  status: AuditClass;
  /** E201 for a crash, E202 for a timeout. */
  error_code?: string;
  detail: string;
  /** Of the valid call. */
  is_error: boolean;
  has_content: boolean;
  duration_ms: number;
  /** All findings, the worst first; the first is in `status` and `detail`. */
  findings: AuditFinding[];
  /** Rules of the specification that the calls broke. */
  violations: SuiteViolation[];
}

export interface AuditReport {
  format: 'mcpc-audit-report';
  version: 1;
  mcpc: string;
  /** Command line or address. */
  server: string;
  transport: string;
  revision: string;
  tool_count: number;
  /** Tools that count for the score: all except skipped and refused ones. */
  tested: number;
  /** Percent of the tested tools that are healthy, rounded down; 100 when none was tested. */
  score: number;
  counts: Record<AuditClass, number>;
  results: AuditResult[];
  /** Rules that something else than a call of a tool broke, such as the handshake or a list. */
  violations: SuiteViolation[];
  generated_at: string;
  duration_ms: number;
  /** Why the audit ended early; null when it did not. */
  incomplete: string | null;
}
