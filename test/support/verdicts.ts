/** Makes verdicts for tests of scores and policies. */
import type { ReportVerdict } from '../../src/core/model/reports/run-report.ts';

/** A passed MUST of area `ping`, with what the test cares about replaced. */
export function verdictWith(more: Partial<ReportVerdict> = {}): ReportVerdict {
  return {
    rule: 'ping/answered',
    role: 'server',
    title: 'A ping is answered',
    requirements: ['ping.answer'],
    statement: 'A ping is answered.',
    area: 'ping',
    level: 'MUST',
    severity: 'error',
    ref: 'basic/ping#section',
    link: null,
    status: 'pass',
    message: 'Seen.',
    expected: null,
    actual: null,
    fix: null,
    advice: [],
    judged: 1,
    failed: 0,
    evidence: [],
    moreCases: 0,
    ...more,
  };
}
