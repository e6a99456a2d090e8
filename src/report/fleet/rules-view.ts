/** The verdicts of a fleet by rule: which rules fail most, and where. Nothing is escaped or decided. */
import type { FleetReport } from '../../core/model/reports/fleet.ts';
import { decodeVerdict } from '../../core/model/reports/verdict-codes.ts';
import type { VerdictState } from '../../core/model/reports/verdict-codes.ts';
import { oneLine, shorten } from '../text.ts';
import type { ServerView } from './server-view.ts';
import { verdictAnchor } from '../verdict-view.ts';

export interface RuleView {
  rule: string;
  title: string;
  area: string;
  /** Strictest level with which it failed, and that a MUST counts as a warning; empty when it failed nowhere. */
  level: string;
  violations: number;
  warnings: number;
  advice: number;
  /** Failed at any severity. */
  failed: number;
  passed: number;
  undecided: number;
  /** Failed of all servers where it was decided. */
  share: string;
  /** The first servers where it fails, and how many more there are. */
  servers: { name: string; href: string | null }[];
  more: number;
}

const levels = ['MUST', 'MUST NOT', 'SHOULD', 'SHOULD NOT', 'MAY'];

/** A MUST that only prose states fails in compliant servers, too, and says why. */
function levelText(level: string, violations: number): string {
  return level.startsWith('MUST') && violations === 0 ? `${level} (a warning: not in the schema)` : level;
}

/**
 * Every rule, most failures first, then by id.
 * @param most maximum number of servers named for a rule
 */
export function ruleViews(report: FleetReport, servers: readonly ServerView[], most: number): RuleView[] {
  const levelOf = new Map<string, string>();
  for (const server of report.servers) {
    for (const { rule, level } of server.failures) {
      const other = levelOf.get(rule);
      if (other === undefined || levels.indexOf(level) < levels.indexOf(other)) levelOf.set(rule, level);
    }
  }
  const views = report.rules.map(({ id, title }, place): RuleView => {
    const count: Record<VerdictState, number> = {
      violation: 0,
      warning: 0,
      advice: 0,
      error: 0,
      'not-exercised': 0,
      conditional: 0,
      pass: 0,
      'not-applicable': 0,
      absent: 0,
    };
    const named: RuleView['servers'] = [];
    for (const [index, server] of report.servers.entries()) {
      const { state } = decodeVerdict(server.verdicts?.[place]);
      count[state] += 1;
      if (named.length < most && (state === 'violation' || state === 'warning' || state === 'advice')) {
        const { name, page } = servers[index]!;
        named.push({ name, href: page === null ? null : `${page}#${verdictAnchor(id)}` });
      }
    }
    const failed = count.violation + count.warning + count.advice;
    return {
      rule: oneLine(id),
      title: shorten(oneLine(title), 200),
      area: oneLine(id.split('/')[0]!),
      level: levelText(levelOf.get(id) ?? '', count.violation),
      violations: count.violation,
      warnings: count.warning,
      advice: count.advice,
      failed,
      passed: count.pass,
      undecided: count['not-exercised'] + count.conditional + count.error,
      share: failed + count.pass === 0 ? '–' : `${Math.round((100 * failed) / (failed + count.pass))} %`,
      servers: named,
      more: failed - named.length,
    };
  });
  return views.sort(
    (a, b) =>
      b.violations - a.violations || b.warnings - a.warnings || b.advice - a.advice || (a.rule < b.rule ? -1 : 1),
  );
}
