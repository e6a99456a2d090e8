/** A report made from a server's line of the fleet, for when the report itself is not there: verdicts without their proof. */
import type { FleetReport, FleetServer } from '../../core/model/reports/fleet.ts';
import { runOf } from '../../core/model/reports/run-parts.ts';
import type { ReportVerdict, RunReport } from '../../core/model/reports/run-report.ts';
import { decodeVerdict } from '../../core/model/reports/verdict-codes.ts';

const missing = 'The report of the server is not in the run directory.';

export function standInReport(fleet: FleetReport, server: FleetServer): RunReport {
  const failures = new Map(server.failures.map((failure) => [failure.rule, failure]));
  const verdicts = fleet.rules.flatMap(({ id, title }, place): ReportVerdict[] => {
    const { state } = decodeVerdict(server.verdicts?.[place]);
    if (state === 'absent') return [];
    const failure = failures.get(id);
    const status =
      state === 'violation' || state === 'warning' || state === 'advice'
        ? 'fail'
        : state === 'conditional'
          ? 'not-exercised'
          : state;
    return [
      {
        rule: id,
        role: 'server',
        title,
        requirements: [],
        statement: title,
        area: id.split('/')[0]!,
        level: failure?.level ?? 'MUST',
        severity: failure?.severity ?? 'error',
        ref: '',
        link: null,
        status,
        message: missing,
        ...(state === 'conditional' ? { open: 'conditional' } : {}),
        expected: null,
        actual: null,
        fix: null,
        advice: [],
        judged: 1,
        failed: status === 'fail' ? 1 : 0,
        evidence: [],
        moreCases: 0,
        ...(failure?.known === true ? { known: true } : {}),
        ...(failure?.cause === undefined ? {} : { cause: failure.cause }),
      },
    ];
  });
  return runOf({
    format: 'mcpc-run-report',
    version: 2,
    tool: fleet.tool,
    target: { name: server.name, ...(server.serverInfo === null ? {} : { serverInfo: server.serverInfo }) },
    transport: server.transport ?? 'stdio',
    revision: server.revision ?? '',
    era: 'stateful',
    ruleSet: fleet.ruleSet,
    startedAt: fleet.startedAt,
    durationMs: server.durationMs,
    compliant: server.compliant ?? false,
    score: server.score,
    grade: server.grade,
    counts: server.counts ?? { fail: 0, error: 0, 'not-exercised': 0, pass: 0, 'not-applicable': 0 },
    decided: server.decided,
    applicable: server.applicable,
    conditional: server.conditional,
    gradeLimits: server.gradeLimits,
    areas: [],
    levels: [],
    verdicts,
    wire: [],
    trace: server.trace,
    incomplete: server.reason,
    skipped: [],
  });
}
