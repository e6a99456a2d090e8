/** `judge`: verdicts from a saved trace or a capture of another tool, without the target. */
import type { JudgeFileOptions } from '../../check/judge.ts';
import type { RunReport } from '../../core/model/reports/run-report.ts';
import { packageVersion } from '../version.ts';
import { selectionOf, type RuleOptions } from './rule-options.ts';

export interface JudgeOptions extends RuleOptions {
  /** Whose behaviour is judged; the server's when absent. */
  role?: 'server' | 'client' | 'both';
  /** Format of a capture, as `--from` of `mcpc judge`; found out when absent. */
  from?: JudgeFileOptions['capture']['format'];
  /** Transport and revision of a capture that does not name them. */
  transport?: JudgeFileOptions['capture']['transport'];
  spec?: string;
  /** Called with what a reader should know and is no verdict. */
  onNotice?(line: string): void;
}

/**
 * Judges a file, as `mcpc judge` does.
 * @throws McpcError of stage `usage` for a file that cannot be read, or options that do not fit
 */
export async function judge(file: string, options: JudgeOptions = {}): Promise<RunReport> {
  const { judgeFile } = await import('../../check/judge.ts');
  return judgeFile(file, {
    selection: selectionOf(options),
    ...(options.role === undefined ? {} : { role: options.role }),
    toolVersion: packageVersion(),
    capture: {
      format: options.from,
      transport: options.transport,
      revision: options.spec,
      strict: false,
      keepSecrets: false,
    },
    note: (line) => options.onNotice?.(line),
  });
}
