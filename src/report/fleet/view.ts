/**
 * FleetReport -> view: counted, sorted, grouped, numbers formatted, text of servers made visible. Templates only
 * lay it out. No member is ever undefined. Nothing here escapes for a format, and nothing here decides.
 */
import { type Noun, nounOf } from '../entry-noun.ts';
import type { FleetDiff, FleetPastRun, PolicyOutcome } from '../../core/model/reports/fleet-compare.ts';
import type { FleetReport, FleetServer, FleetStatus } from '../../core/model/reports/fleet.ts';
import { formatDuration, formatTime, oneLine, plural, profileWords, shorten } from '../text.ts';
import { usedFeatures, type UsedFeature } from '../features/fleet-features.ts';
import { disabledView, type DisabledEntry } from '../check/disabled-view.ts';
import { changesView } from './changes-view.ts';
import type { ChangesView } from './changes-view.ts';
import { ruleViews } from './rules-view.ts';
import type { RuleView } from './rules-view.ts';
import { nameOf, serverViews, statusWords } from './server-view.ts';
import type { ServerView } from './server-view.ts';
import { figuresOf, trendsView } from './trends-view.ts';
import type { TrendsView } from './trends-view.ts';

export interface FleetView {
  tool: { name: string; version: string };
  ruleSet: { digest: string; shortDigest: string; rules: number; set: string | null };
  /** Null where everything was asked. */
  profile: string | null;
  startedAt: string;
  startedAtIso: string;
  duration: string;
  seconds: string;
  incomplete: string | null;
  shards: string;
  /** `95 of 118 servers compliant`. */
  headline: string;
  headlineTone: 'good' | 'bad' | 'open';
  /** One sentence below it. */
  reason: string;
  /** "servers", "clients" or "servers and clients". */
  entries: string;
  total: number;
  checked: number;
  compliant: number;
  unreachable: number;
  mean: string;
  grades: string;
  /** Sum of all failures that count, and of warnings. */
  violations: number;
  warnings: number;
  changes: ChangesView | null;
  /** In the order of the board, by section. */
  ranked: ServerView[];

  /** Without a whole verdict, in the order of the report. */
  without: { name: string; status: string; heading: string; reason: string; owner: string }[];
  moreWithout: number;
  /** Revisions that servers were asked for and do not speak, a line for each server. */
  unspoken: string[];
  /** Results of the suites of servers, failed ones first. */
  suites: { name: string; tone: 'good' | 'bad'; words: string; failures: string }[];
  moreSuites: number;
  /** Failing rules, most failures first. */
  failing: RuleView[];
  moreFailing: number;
  /** Optional features that are used somewhere, those of most servers first; all of them. */
  features: UsedFeature[];
  broken: { policy: string; tag: string; server: string; why: string }[];
  moreBroken: number;
  /** Null when no policy was judged. */
  policies: string | null;
  policiesHeld: boolean;
  /** What the project file disables, stale entries first. */
  disabled: {
    summary: string;
    entries: (DisabledEntry & { name: string; page: string | null })[];
    more: number;
  } | null;
  trends: TrendsView | null;
  /** For filters: what occurs. */
  tags: string[];
  statuses: { status: FleetStatus; label: string; count: number }[];
}

export interface FleetSources {
  report: FleetReport;
  diff: FleetDiff | null;
  history: readonly FleetPastRun[];
  policies: PolicyOutcome | null;
}

/** Number of entries of each list that a format shows. */
export interface FleetLimits {
  rules: number;
  servers: number;
  /** Servers that are named for a failing rule, and for a change. */
  named: number;
  changed: number;
}

/** @param pages whether each report has a page that can be linked to */
export function fleetView(
  { report, diff, history, policies }: FleetSources,
  limits: FleetLimits,
  pages: boolean,
): FleetView {
  const servers = serverViews(report.servers, history, pages);
  const ranked = [...servers].sort((a, b) => a.order - b.order);
  const figures = figuresOf(report.servers);
  const failing = ruleViews(report, servers, limits.named).filter((rule) => rule.failed > 0);
  const cut = servers.filter((server) => server.status === 'checked' && server.reason !== null);
  const without = [...servers.filter((server) => server.status !== 'checked'), ...cut];
  const suites = suiteViews(report.servers);
  const broken = policies?.broken ?? [];
  const tagNames = [...new Set(servers.flatMap((server) => server.tags))].sort();
  const changes = diff === null ? null : changesView(diff, servers, { rules: limits.rules, servers: limits.changed });
  const failures = report.servers.flatMap((server) => server.failures.filter(({ cause }) => cause === undefined));
  return {
    tool: { name: oneLine(report.tool.name), version: oneLine(report.tool.version) },
    ruleSet: {
      digest: oneLine(report.ruleSet.digest),
      shortDigest: oneLine(report.ruleSet.digest)
        .replace(/^sha256[:-]/, '')
        .slice(0, 12),
      rules: report.ruleSet.rules,
      set: report.ruleSet.set === undefined ? null : oneLine(report.ruleSet.set),
    },
    profile: profileWords(report.ruleSet),
    startedAt: formatTime(report.startedAt),
    startedAtIso: oneLine(report.startedAt),
    duration: formatDuration(report.durationMs),
    seconds: (report.durationMs / 1000).toFixed(3),
    incomplete: report.incomplete === null ? null : oneLine(report.incomplete),
    shards: (report.shards ?? []).map(oneLine).join(', '),
    ...headlineOf(
      figures.servers,
      figures.compliant,
      figures.checked,
      cut.filter((server) => server.complianceTone === 'open').length,
      nounOf(report.servers),
    ),
    entries: nounOf(report.servers)[1],
    total: figures.servers,
    checked: figures.checked,
    compliant: figures.compliant,
    unreachable: figures.servers - figures.checked,
    mean: figures.mean === null ? '–' : figures.mean.toFixed(1),
    grades: figures.grades,
    violations: failures.filter(({ severity }) => severity === 'error').length,
    warnings: failures.filter(({ severity }) => severity === 'warning').length,
    changes,
    ranked,
    without: without.slice(0, limits.servers).map((server) => ({
      name: server.name,
      ...standingOf(server),
      reason: server.reason ?? '',
      owner: server.owner,
    })),
    moreWithout: Math.max(0, without.length - limits.servers),
    unspoken: unspokenViews(report).slice(0, limits.servers),
    suites: suites.slice(0, limits.servers),
    moreSuites: Math.max(0, suites.length - limits.servers),
    failing: failing.slice(0, limits.rules),
    moreFailing: Math.max(0, failing.length - limits.rules),
    features: usedFeatures(report, servers, limits.named),
    broken: broken.slice(0, limits.servers).map(({ policy, tag, server, why }) => ({
      policy: oneLine(policy),
      tag: tag === undefined ? '' : shorten(oneLine(tag), 40),
      server: server === undefined ? 'the fleet' : nameOf(server.name),
      why: shorten(oneLine(why), 300),
    })),
    moreBroken: Math.max(0, broken.length - limits.servers),
    policies: policies === null ? null : oneLine(policies.exit.why),
    policiesHeld: policies?.held ?? true,
    disabled: disabledOf(report.servers, servers, limits.servers),
    trends: trendsView(report, history),
    tags: tagNames.slice(0, 200),
    statuses: (Object.keys(statusWords) as FleetStatus[])
      .map((status) => ({
        status,
        label: statusWords[status].label,
        count: servers.filter((server) => server.status === status).length,
      }))
      .filter(({ count }) => count > 0),
  };
}

/** `search: MCP 2025-03-26, 2024-11-05` */
function unspokenViews({ unspoken = [] }: FleetReport): string[] {
  const servers = new Map<string, string[]>();
  for (const { name, revision } of unspoken) {
    const server = name.endsWith(`@${revision}`) ? name.slice(0, -revision.length - 1) : name;
    servers.set(server, [...(servers.get(server) ?? []), oneLine(revision)]);
  }
  return [...servers].map(([server, revisions]) => `${nameOf(server)}: MCP ${revisions.join(', ')}`);
}

/** Entries of the project file by server, those that have to go first. */
function disabledOf(
  servers: readonly FleetServer[],
  views: readonly ServerView[],
  most: number,
): FleetView['disabled'] {
  const all = servers.flatMap(({ disabled = [] }) => disabled);
  const summary = disabledView(all)?.summary;
  if (all.length === 0 || summary === undefined) return null;
  const entries = servers
    .flatMap(({ disabled }, index) =>
      (disabledView(disabled)?.entries ?? []).map((entry) => ({
        ...entry,
        name: views[index]!.name,
        page: views[index]!.page,
      })),
    )
    .toSorted((a, b) => Number(b.stale) - Number(a.stale));
  return { summary, entries: entries.slice(0, most), more: Math.max(0, entries.length - most) };
}

const mostCases = 5;

function suiteViews(servers: readonly FleetServer[]): FleetView['suites'] {
  const views = servers.flatMap(({ name, suite }): FleetView['suites'] => {
    if (suite === undefined) return [];
    if (suite === null) return [{ name: nameOf(name), tone: 'bad', words: 'not run', failures: '' }];
    const { passed, total, skipped, passRate, failed, undecided, failures, incomplete } = suite;
    const shown = failures
      .slice(0, mostCases)
      .map((one) => shorten(oneLine(one), 80))
      .join(', ');
    const words = [
      `${passed} of ${total - skipped} passed${passRate === null ? '' : ` (${passRate} %)`}`,
      skipped > 0 ? `${skipped} skipped` : '',
      undecided > 0 ? `${undecided} undecided` : '',
      incomplete === null ? '' : `INCOMPLETE: ${shorten(oneLine(incomplete), 100)}`,
    ]
      .filter((part) => part !== '')
      .join(', ');
    return [
      {
        name: nameOf(name),
        tone: failed === 0 && incomplete === null ? 'good' : 'bad',
        words,
        failures: failed > mostCases ? `${shown} and ${failed - mostCases} more` : shown,
      },
    ];
  });
  return views.toSorted((a, b) => Number(a.tone === 'good') - Number(b.tone === 'good'));
}

/** Why a server is in the list of missing or incomplete verdicts. */
function standingOf({ status, statusLabel, statusHeading, compliance }: ServerView): {
  status: string;
  heading: string;
} {
  if (compliance.startsWith('Speaks ')) return { status: compliance, heading: compliance };
  return status === 'checked'
    ? { status: 'INCOMPLETE', heading: 'INCOMPLETE' }
    : { status: statusLabel, heading: statusHeading };
}

/** @param cut servers whose check is incomplete and found no violation */
function headlineOf(
  total: number,
  compliant: number,
  checked: number,
  cut: number,
  noun: Noun,
): Pick<FleetView, 'headline' | 'headlineTone' | 'reason'> {
  if (total === 0)
    return { headline: 'No server was checked', headlineTone: 'open', reason: 'The run has no results.' };
  const failed = checked - compliant - cut;
  const reasons = [
    failed > 0 ? `${plural(failed, `${noun[0]} is`, `${noun[1]} are`)} not compliant` : '',
    cut > 0 ? `${plural(cut, 'check is', 'checks are')} INCOMPLETE` : '',
    total > checked ? `${plural(total - checked, `${noun[0]} has`, `${noun[1]} have`)} no verdict` : '',
  ].filter((part) => part !== '');
  return {
    headline:
      compliant === total
        ? `${total === 1 ? `The ${noun[0]} is` : `All ${total} ${noun[1]} are`} compliant`
        : `${compliant} of ${plural(total, noun[0], noun[1])} compliant`,
    headlineTone: compliant === total ? 'good' : 'bad',
    reason: reasons.length === 0 ? 'No requirement that counts is violated anywhere.' : `${reasons.join(', ')}.`,
  };
}
