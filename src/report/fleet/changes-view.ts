/** Changes since another run, grouped for a reader: by rule, and by server. Bounded; nothing is escaped or decided. */
import type { FleetDiff, Reached, RuleChange, ServerName } from '../../core/model/reports/fleet-compare.ts';
import type { FleetRule } from '../../core/model/reports/fleet.ts';
import type { VerdictState } from '../../core/model/reports/verdict-codes.ts';
import { formatScore, formatTime, oneLine, plural, shorten } from '../text.ts';
import { verdictAnchor } from '../verdict-view.ts';
import { nameOf, statusWords } from './server-view.ts';
import type { ServerView } from './server-view.ts';

export interface ChangedServer {
  name: string;
  /** The verdict on the server's page, or null. */
  href: string | null;
  /** Its earlier state, for example `passed before`. */
  before: string;
  known: boolean;
}

export interface ChangedRule {
  rule: string;
  title: string;
  level: string;
  severity: RuleChange['severity'];
  /** Counts for the gate: at least one server whose baseline does not know of it, at severity `error`. */
  counts: boolean;
  total: number;
  servers: ChangedServer[];
  /** Servers that are not listed. */
  more: number;
}

export interface ChangesView {
  since: string;
  sinceIso: string;
  worse: number;
  fixed: number;
  /** One sentence. */
  summary: string;
  ruleSetChanged: boolean;
  regressions: ChangedRule[];
  /** Rules with regressions that are not listed. */
  moreRegressions: number;
  fixes: ChangedRule[];
  newRules: ChangedRule[];
  undecided: ChangedRule[];
  lost: { name: string; status: string; reason: string }[];
  /** Not to be checked before, checked now. */
  returned: string[];
  scores: {
    name: string;
    href: string | null;
    from: string;
    to: string;
    delta: string;
    tone: 'good' | 'bad' | 'open';
  }[];
  moreScores: number;
  /** Suites of servers with a changed case. */
  suites: { name: string; failing: string; mended: string; from: string; to: string }[];
  /** Servers that use other optional features than before. */
  features: { name: string; came: string; went: string }[];
  moreFeatures: number;
  added: string;
  removed: string;
  notRun: string;
  /** Checked by another revision than before, so not compared. */
  revisions: { name: string; from: string; to: string }[];
  renamed: { from: string; to: string }[];
  /** Nothing at all differs. */
  nothing: boolean;
}

export interface ChangeLimits {
  rules: number;
  servers: number;
}

const before: Record<VerdictState, string> = {
  violation: 'violated before',
  warning: 'warned before',
  advice: 'advised before',
  error: 'not judged before',
  'not-exercised': 'undecided before',
  conditional: 'undecided before',
  pass: 'passed before',
  'not-applicable': 'did not apply before',
  absent: 'not judged before',
};

export function changesView(diff: FleetDiff, servers: readonly ServerView[], limits: ChangeLimits): ChangesView {
  const pages = new Map(servers.map((server) => [server.id, server.page]));
  const grouped = (changes: readonly RuleChange[]): ChangedRule[] => byRule(changes, pages, limits);
  const changed = [...diff.scores].sort((a, b) => fall(b) - fall(a));
  return {
    since: formatTime(diff.older.startedAt),
    sinceIso: oneLine(diff.older.startedAt),
    worse: diff.worse,
    fixed: diff.fixes.length,
    summary: summaryOf(diff),
    ruleSetChanged: diff.ruleSetChanged,
    regressions: grouped(diff.regressions),
    moreRegressions: Math.max(0, new Set(diff.regressions.map(({ rule }) => rule)).size - limits.rules),
    fixes: grouped(diff.fixes),
    newRules: grouped(diff.newRules),
    undecided: grouped(diff.undecided),
    lost: diff.lost.slice(0, limits.servers).map(({ name, to, reason }) => ({
      name: nameOf(name),
      status: statusWords[to].label,
      reason: reason === null ? '' : shorten(oneLine(reason), 300),
    })),
    returned: diff.statusChanges
      .filter(({ to }) => to === 'checked')
      .slice(0, limits.servers)
      .map(({ name }) => nameOf(name)),
    scores: changed.slice(0, limits.servers).map((change) => ({
      name: nameOf(change.name),
      href: pages.get(change.id) ?? null,
      from: reachedText(change.from, change.to),
      to: reachedText(change.to, change.from),
      ...deltaOf(change.from, change.to),
    })),
    moreScores: Math.max(0, changed.length - limits.servers),
    suites: diff.suites.slice(0, limits.servers).map(({ name, failing, mended, from, to }) => ({
      name: nameOf(name),
      failing: casesText(failing),
      mended: casesText(mended),
      from: rateText(from),
      to: rateText(to),
    })),
    features: diff.features
      .slice(0, limits.servers)
      .map(({ name, came, went }) => ({ name: nameOf(name), came: rulesText(came), went: rulesText(went) })),
    moreFeatures: Math.max(0, diff.features.length - limits.servers),
    added: names(diff.added, limits),
    removed: names(diff.removed, limits),
    notRun: names(diff.notRun, limits),
    revisions: diff.revisionChanges
      .slice(0, limits.servers)
      .map(({ name, from, to }) => ({ name: nameOf(name), from: oneLine(from), to: oneLine(to) })),
    renamed: diff.renamed.slice(0, limits.servers).map(({ from, to }) => ({ from: nameOf(from), to: nameOf(to) })),
    nothing: [
      diff.regressions,
      diff.fixes,
      diff.newRules,
      diff.undecided,
      diff.statusChanges,
      diff.scores,
      diff.suites,
      diff.features,
      diff.added,
      diff.removed,
      diff.notRun,
      diff.renamed,
      diff.revisionChanges,
    ].every((list) => list.length === 0),
  };
}

function rulesText(rules: readonly FleetRule[]): string {
  return rules.map(({ id }) => oneLine(id)).join(', ');
}

const mostCases = 5;

function casesText(names: readonly string[]): string {
  const shown = names
    .slice(0, mostCases)
    .map((name) => shorten(oneLine(name), 80))
    .join(', ');
  return names.length > mostCases ? `${shown} and ${names.length - mostCases} more` : shown;
}

function rateText(rate: number | null): string {
  return rate === null ? '–' : `${rate} %`;
}

/** One sentence with what got worse and what got better. */
function summaryOf({ worse, regressions, fixes, lost, suites }: FleetDiff): string {
  if (worse === 0 && fixes.length === 0) return 'Nothing got worse, and nothing was fixed.';
  const cases = suites.reduce((sum, { failing }) => sum + failing.length, 0);
  const counted = worse - lost.length - cases;
  const minor = regressions.length - counted;
  const bad = [
    counted > 0 ? plural(counted, 'regression') : '',
    cases > 0 ? `${plural(cases, 'case')} of suites ${cases === 1 ? 'fails' : 'fail'} now` : '',
    lost.length > 0 ? `${plural(lost.length, 'server')} lost` : '',
    minor > 0 ? `${plural(minor, 'change')} for the worse that ${minor === 1 ? 'does' : 'do'} not count` : '',
  ].filter((part) => part !== '');
  return `${bad.length === 0 ? 'Nothing got worse' : bad.join(', ')}; ${plural(fixes.length, 'failure')} fixed.`;
}

function byRule(
  changes: readonly RuleChange[],
  pages: ReadonlyMap<string, string | null>,
  limits: ChangeLimits,
): ChangedRule[] {
  const groups = new Map<string, RuleChange[]>();
  for (const change of changes) {
    const group = groups.get(change.rule);
    if (group === undefined) groups.set(change.rule, [change]);
    else group.push(change);
  }
  const order = { error: 0, warning: 1, info: 2 } as const;
  return [...groups.values()]
    .map((own): ChangedRule => {
      const worst = own.reduce((a, b) => (order[b.severity] < order[a.severity] ? b : a));
      return {
        rule: oneLine(worst.rule),
        title: shorten(oneLine(worst.title), 200),
        level: worst.level,
        severity: worst.severity,
        counts: own.some((change) => change.severity === 'error' && !change.known),
        total: own.length,
        servers: own.slice(0, limits.servers).map((change) => {
          const page = pages.get(change.id) ?? null;
          return {
            name: nameOf(change.name),
            href: page === null ? null : `${page}#${verdictAnchor(change.rule)}`,
            before: before[change.before],
            known: change.known,
          };
        }),
        more: Math.max(0, own.length - limits.servers),
      };
    })
    .sort(
      (a, b) =>
        Number(b.counts) - Number(a.counts) ||
        order[a.severity] - order[b.severity] ||
        b.total - a.total ||
        (a.rule < b.rule ? -1 : 1),
    )
    .slice(0, limits.rules);
}

function names(servers: readonly ServerName[], limits: ChangeLimits): string {
  const shown = servers
    .slice(0, limits.servers)
    .map(({ name }) => nameOf(name))
    .join(', ');
  return servers.length > limits.servers ? `${shown} and ${servers.length - limits.servers} more` : shown;
}

function fall({ from, to }: { from: Reached; to: Reached }): number {
  return (from.score ?? 0) - (to.score ?? 0);
}

/** `91.2 (B)`, with what else differs from the other side. */
function reachedText(one: Reached, other: Reached): string {
  const parts = [`${formatScore(one.score)}${one.grade === null ? '' : ` (${oneLine(one.grade)})`}`];
  if (one.compliant !== other.compliant && one.compliant !== null)
    parts.push(one.compliant ? 'compliant' : 'not compliant');
  if (one.revision !== other.revision && one.revision !== null) parts.push(`MCP ${oneLine(one.revision)}`);
  return parts.join(', ');
}

function deltaOf(from: Reached, to: Reached): { delta: string; tone: 'good' | 'bad' | 'open' } {
  if (from.score === null || to.score === null || from.score === to.score) return { delta: '', tone: 'open' };
  const delta = Math.round((to.score - from.score) * 10) / 10;
  return { delta: `${delta > 0 ? '+' : '−'}${Math.abs(delta).toFixed(1)}`, tone: delta > 0 ? 'good' : 'bad' };
}
