/** The step `check`: a whole check of the server of a case against the specification, on connections of its own. */
import { McpcError } from '../../../core/model/errors.ts';
import { ofPart } from '../../../core/model/reports/run-parts.ts';
import type { Hints } from '../../../core/model/rules/hints.ts';
import type { CheckServer, ServerBlock } from '../../language/model.ts';
import type { HarnessAnswer } from '../../language/judge/case-record.ts';
import type { OpenOptions } from '../connect/connection.ts';
import { serverTarget } from '../connect/server-target.ts';

export interface CheckSetting {
  server: ServerBlock | undefined;
  fixture: string | undefined;
  open: Pick<OpenOptions, 'spec' | 'override' | 'env' | 'toolVersion'>;
  /** Information from the user about the server. */
  hints?: Hints;
  /** Ends the check early. */
  signal: AbortSignal;
}

const maxReported = 5;

/** @returns its sum as an answer, or words that say why the step fails */
export async function checkServer(
  what: CheckServer,
  { server, fixture, open, signal, hints }: CheckSetting,
): Promise<{ words: string } | { answer: HarnessAnswer }> {
  if (server === undefined) return { words: 'check failed: the case has no server' };
  const plan =
    open.override === undefined ? serverTarget(server, fixture, open.env) : { target: open.override, secrets: [] };
  if ('words' in plan) return plan;
  const { runCheck } = await import('../../../check/check.ts');
  try {
    const run = await runCheck({
      target: plan.target,
      name: 'server',
      secrets: plan.secrets,
      spec: open.spec,
      fallback: false,
      selection: {
        only: what.only,
        skip: what.skip,
        level: what.level,
        houseRules: [],
        houseRequirements: [],
      },
      timing: {},
      jobs: 1,
      allowDestructive: false,
      hints,
      toolVersion: open.toolVersion,
      signal,
    });
    const report = ofPart(run);
    const failed = report.verdicts.filter(({ status, severity }) => status === 'fail' && severity === 'error');
    if (report.incomplete !== null) return { words: `check: incomplete: ${report.incomplete}` };
    if (!report.compliant)
      return {
        words: `check: not compliant: ${failed
          .slice(0, maxReported)
          .map(({ level, rule, message }) => `${level} ${rule}: ${message}`)
          .join('; ')}${failed.length > maxReported ? ` and ${failed.length - maxReported} more` : ''}`,
      };
    if (what.minGrade !== undefined && (report.grade === null || report.grade > what.minGrade))
      return { words: `check: want grade ${what.minGrade} or better, got ${report.grade ?? 'none'}` };
    return { answer: { result: { compliant: report.compliant, grade: report.grade, score: report.score } } };
  } catch (error) {
    if (!(error instanceof McpcError) || (error.stage !== 'target' && error.stage !== 'usage')) throw error;
    return { words: `check failed: ${error.message}` };
  }
}
