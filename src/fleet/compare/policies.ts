/**
 * Policies of a fleet run and the resulting exit code: every server compliant (except for its baseline), and the
 * requirements of flags, tags and servers. Pure; it prints nothing and does not exit.
 */
import { nounOf } from '../../report/entry-noun.ts';
import { capital, plural } from '../../report/text.ts';
import { exitCodes, usageError } from '../../core/model/errors.ts';
import type { BrokenPolicy, FleetDiff, PolicyOutcome } from '../../core/model/reports/fleet-compare.ts';
import type { FleetReport, FleetServer, TagPolicy } from '../../core/model/reports/fleet.ts';
import type { DisabledOutcome } from '../../core/model/reports/run-report.ts';
import { whyStale } from '../../core/score/disabled.ts';
import { defaultScoring, type GradeBand } from '../../core/score/scoring.ts';

const isStale = (one: DisabledOutcome): boolean => whyStale(one) !== undefined;

export interface PolicyOptions {
  /** One of the grades of the bands. */
  minGrade?: string;
  /** 0 to 100. */
  minScore?: number;
  /** 0 to 100, of servers that have suites. */
  minPassRate?: number;
  /** Maximum number of regressions (`FleetDiff.worse`); needs `diff`. */
  maxRegressions?: number;
  tagPolicies: readonly TagPolicy[];
  /** Null: there was no earlier run, so that there are no regressions either. */
  diff?: FleetDiff | null;
  /** Best grade first; the built-in grades when absent. */
  bands?: readonly GradeBand[];
}

/**
 * Every policy against every server that it binds. A server without a verdict breaks each policy that binds it.
 * @throws McpcError (usage) for a grade that is none
 */
export function judgePolicies(report: FleetReport, options: PolicyOptions): PolicyOutcome {
  const { bands = defaultScoring.bands, tagPolicies, diff, maxRegressions } = options;
  for (const grade of [
    options.minGrade,
    ...tagPolicies.map((policy) => policy.minGrade),
    ...report.servers.map((server) => server.expectedGrade),
  ])
    checkGrade(grade, bands);
  const broken: BrokenPolicy[] = [];
  for (const server of report.servers) {
    const demand = (policy: string, why: string | null, tag?: string): void => {
      if (why !== null)
        broken.push({
          policy,
          server: { id: server.id, name: server.name },
          tag,
          why,
        });
    };
    demand('min-grade', belowGrade(server, options.minGrade, bands));
    demand('min-score', belowScore(server, options.minScore));
    demand('min-pass-rate', belowPassRate(server, options.minPassRate));
    demand('expected grade', belowGrade(server, server.expectedGrade, bands));
    for (const { tag, minGrade, minScore, minPassRate, compliant } of tagPolicies) {
      if (!server.tags.includes(tag)) continue;
      demand('min-grade', belowGrade(server, minGrade, bands), tag);
      demand('min-score', belowScore(server, minScore), tag);
      demand('min-pass-rate', belowPassRate(server, minPassRate), tag);
      if (compliant === true && server.compliant !== true)
        demand('compliant', server.compliant === null ? withoutVerdict(server) : 'It is not compliant.', tag);
    }
  }
  if (maxRegressions !== undefined && diff && diff.worse > maxRegressions) {
    broken.push({
      policy: 'max-regressions',
      why: `There are ${plural(diff.worse, 'regression')} since ${diff.older.startedAt}, and ${maxRegressions === 0 ? 'none is' : `${maxRegressions} are`} allowed.`,
    });
  }
  return { held: broken.length === 0, broken, exit: exitOf(report, broken) };
}

/**
 * In this order: no server reached (3), servers with violations outside their baseline, servers without a verdict,
 * stale baselines, broken policies and a run cut short (1), rules that mcpc failed to judge (4).
 */
function exitOf(report: FleetReport, broken: readonly BrokenPolicy[]): PolicyOutcome['exit'] {
  const { servers, incomplete } = report;
  const no = (why: string): PolicyOutcome['exit'] => ({ code: exitCodes.notCompliant, why });
  if (servers.length === 0)
    return no(
      incomplete === null
        ? 'Nothing was checked, so nothing is proven.'
        : `The run is incomplete: ${incomplete.replace(/\.$/, '')}.`,
    );
  const without = servers.filter((server) => server.status !== 'checked');
  if (without.length === servers.length && without.every((server) => server.status !== 'error')) {
    return {
      code: exitCodes.target,
      why:
        servers.length === 1
          ? `The ${nounOf(servers)[0]} could not be reached.`
          : `None of the ${counted(servers)} could be reached.`,
    };
  }
  const violating = servers.filter((server) =>
    server.failures.some((failure) => failure.severity === 'error' && failure.known !== true),
  );
  const reasons = [
    some(violating, 'violates requirements', 'violate requirements'),
    some(without, 'has no verdict', 'have no verdict'),
    some(
      servers.filter(({ disabled = [] }) => disabled.some(isStale)),
      'has entries of disable that are stale',
      'have entries of disable that are stale',
    ),
    some(
      servers.filter(({ stale = [], disabled = [] }) =>
        stale.some((rule) => !disabled.some((one) => one.rule === rule && isStale(one))),
      ),
      'has a baseline with entries that pass now',
      'have baselines with entries that pass now',
    ),
    broken.length === 0 ? '' : `${plural(broken.length, 'broken policy', 'broken policies')}`,
    some(
      servers.filter((server) => server.status === 'checked' && server.reason !== null),
      'has an incomplete check',
      'have incomplete checks',
    ),
    incomplete === null ? '' : `the run is incomplete: ${incomplete.replace(/\.$/, '')}`,
    some(
      servers.filter((server) => server.status === 'checked' && server.decided === 0 && server.applicable > 0),
      'had nothing decided',
      'had nothing decided',
    ),
  ].filter((reason) => reason !== '');
  if (reasons.length > 0) return no(sentence(reasons.join('; ')));
  const unjudged = servers.filter((server) => (server.counts?.error ?? 0) > 0);
  if (unjudged.length > 0)
    return {
      code: exitCodes.internal,
      why: `mcpc failed to judge rules of ${counted(unjudged)}: ${sample(unjudged)}.`,
    };
  const known = servers.filter((server) => server.compliant === false);
  return {
    code: exitCodes.compliant,
    why:
      known.length === 0
        ? `Compliant: ${counted(servers)}.`
        : `Within the baselines: ${counted(known)} with known failures only.`,
  };
}

function belowGrade(server: FleetServer, wanted: string | undefined, bands: readonly GradeBand[]): string | null {
  if (wanted === undefined) return null;
  if (server.grade === null) return withoutVerdict(server);
  const rank = (grade: string): number => {
    const index = bands.findIndex((band) => band.grade === grade);
    return index === -1 ? bands.length : index;
  };
  return rank(server.grade) > rank(wanted) ? `The grade ${server.grade} is below ${wanted}.` : null;
}

function belowScore(server: FleetServer, wanted: number | undefined): string | null {
  if (wanted === undefined) return null;
  if (server.score === null) return withoutVerdict(server);
  return server.score < wanted ? `The score ${server.score} is below ${wanted}.` : null;
}

/** A server that names no suites has nothing to pass. */
function belowPassRate({ suite }: FleetServer, wanted: number | undefined): string | null {
  if (wanted === undefined || suite === undefined) return null;
  if (suite === null || suite.passRate === null)
    return suite === null ? 'Its suites were not run.' : 'No case of its suites was run.';
  if (suite.incomplete !== null) return 'The run of its suites is incomplete.';
  return suite.passRate < wanted
    ? `${suite.passed} of ${suite.total - suite.skipped} cases of its suites pass (${suite.passRate} %), fewer than ${wanted} %.`
    : null;
}

function withoutVerdict({ status, reason }: FleetServer): string {
  if (status === 'checked' && reason !== null) return 'Its check is incomplete.';
  return {
    checked: 'Nothing was decided.',
    unreachable: 'It could not be reached.',
    timeout: 'Its check did not end in time.',
    error: 'It could not be checked.',
  }[status];
}

function checkGrade(grade: string | undefined, bands: readonly GradeBand[]): void {
  if (grade === undefined || bands.some((band) => band.grade === grade)) return;
  throw usageError(`"${grade}" is no grade; use one of ${bands.map((band) => band.grade).join(', ')}.`);
}

/** "2 clients violate requirements (a, b)"; nothing without servers. */
function some(servers: readonly FleetServer[], does: string, theyDo: string): string {
  if (servers.length === 0) return '';
  return `${counted(servers)} ${servers.length === 1 ? does : theyDo} (${sample(servers)})`;
}

function counted(servers: readonly FleetServer[]): string {
  const [one, many] = nounOf(servers);
  return plural(servers.length, one, many);
}

function sample(servers: readonly FleetServer[]): string {
  const shown = servers
    .slice(0, 3)
    .map(({ name }) => (name.length > 40 ? `${name.slice(0, 39)}…` : name))
    .join(', ');
  return servers.length > 3 ? `${shown} and ${servers.length - 3} more` : shown;
}

function sentence(text: string): string {
  return `${capital(text)}.`;
}
