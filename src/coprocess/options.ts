/** Options of a coprocess. Shapes only. */
import type { Readable } from 'node:stream';
import type { Revision } from '../core/model/rules/requirement.ts';
import type { SuiteReport } from '../core/model/reports/suite-report.ts';
import type { Target } from '../client/target/target.ts';
import type { ClientFeatures } from '../suites/language/model.ts';
import type { ServeOptions } from '../check/target/serve-options.ts';

export interface CoprocessOptions {
  target: Target;
  name: string;
  serve?: ServeOptions;
  fallback?: boolean;
  spec: Revision | 'auto';
  secrets: string[];
  /** Of each request to the server, in milliseconds. */
  timeoutMs: number;
  startMs?: number;
  /** Capabilities and answers of the client. */
  features?: ClientFeatures;
  traceFile?: string;
  toolVersion: string;
  stdin: Readable;
  /** Writes responses, and resolves when more may be written. */
  write(text: string): Promise<void>;
  signal: AbortSignal;
  /** A line for a reader, without secrets. */
  talk(line: string): void;
  onFault(error: unknown): void;
  /** Writes the reports that were asked for when the coprocess was started. */
  writeReports(report: SuiteReport): Promise<void>;
}
