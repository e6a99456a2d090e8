/** The report of `mcpc fuzz`. Shapes only. Members have the names that scripts around mcp-assert read. */
import type { WireEntry } from './run-report.ts';

export const fuzzClasses = ['crash', 'timeout', 'protocol', 'internal-error', 'leak', 'invalid-accepted'] as const;
export type FuzzClass = (typeof fuzzClasses)[number];

export interface FuzzFailure {
  /** Which case showed it first, as `text: empty`. */
  label: string;
  status: FuzzClass;
  detail: string;
  duration_ms: number;
  /** The smallest arguments that show it, and the original ones. */
  arguments: unknown;
  first_arguments: unknown;
  /** Runs of the tool that showed the same. */
  times: number;
  /** The smallest arguments showed it again on a fresh connection. */
  reproduced: boolean;
  wire: WireEntry[];
}

export interface FuzzedTool {
  tool: string;
  runs: number;
  passed: number;
  failures: FuzzFailure[];
  duration_ms: number;
  /** Why it was not called. */
  skipped?: string;
  /** Why not all of its runs were made. */
  stopped?: string;
}

export interface FuzzReport {
  format: 'mcpc-fuzz-report';
  version: 1;
  mcpc: string;
  server: string;
  transport: string;
  revision: string;
  seed: number;
  runs_per_tool: number;
  tools: FuzzedTool[];
  summary: { tools: number; runs: number; passed: number; failed: number; failures: number };
  generated_at: string;
  duration_ms: number;
  /** Why the run ended early; null when it did not. */
  incomplete: string | null;
}
