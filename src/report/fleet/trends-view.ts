/** A fleet over its runs: how many servers were compliant, and their mean score. Nothing is escaped or decided. */
import type { FleetPastRun, PastServer } from '../../core/model/reports/fleet-compare.ts';
import type { FleetReport } from '../../core/model/reports/fleet.ts';
import { formatTime, oneLine } from '../text.ts';
import { sparkOf } from './spark.ts';
import type { Spark } from './spark.ts';

export interface TrendRun {
  name: string;
  startedAt: string;
  startedAtIso: string;
  servers: number;
  checked: number;
  compliant: number;
  /** Mean of the scores there are; an en dash without any. */
  mean: string;
  /** `12 A, 3 B`. */
  grades: string;
  /** Another rule set than the run before it: scores do not compare. */
  ruleSetChanged: boolean;
  /** Servers were checked by other revisions than in the run before it, or by more of them: the mean is one of other scores. */
  revisionsChanged: boolean;
  incomplete: boolean;
  current: boolean;
}

export interface TrendsView {
  /** Newest first. */
  runs: TrendRun[];
  /** Per cent of all servers. */
  compliant: Spark | null;
  mean: Spark | null;
}

/** Null when there is no earlier run. */
export function trendsView(report: FleetReport, history: readonly FleetPastRun[]): TrendsView | null {
  if (history.length === 0) return null;
  const now: FleetPastRun = {
    name: 'this run',
    startedAt: report.startedAt,
    ruleSet: report.ruleSet.digest,
    incomplete: report.incomplete !== null,
    servers: Object.fromEntries(report.servers.map((server) => [server.id, server])),
  };
  const all = [...history, now];
  const figures = all.map((run) => figuresOf(Object.values(run.servers)));
  const runs = all.map((run, index): TrendRun => {
    const { servers, checked, compliant, mean, grades } = figures[index]!;
    return {
      name: oneLine(run.name),
      startedAt: formatTime(run.startedAt),
      startedAtIso: oneLine(run.startedAt),
      servers,
      checked,
      compliant,
      mean: mean === null ? '–' : mean.toFixed(1),
      grades,
      ruleSetChanged: index > 0 && all[index - 1]!.ruleSet !== run.ruleSet,
      revisionsChanged: index > 0 && haveOtherRevisions(all[index - 1]!, run),
      incomplete: run.incomplete,
      current: run === now,
    };
  });
  return {
    runs: runs.reverse(),
    compliant: sparkOf(figures.map(({ servers, compliant }) => (servers === 0 ? null : (100 * compliant) / servers))),
    mean: sparkOf(figures.map(({ mean }) => mean)),
  };
}

/** True if a server of both runs was checked by other revisions; each revision of several is a line `name@revision`. */
function haveOtherRevisions(before: FleetPastRun, now: FleetPastRun): boolean {
  const [older, newer] = [before, now].map((run) => revisionsByServer(run));
  return [...newer!].some(([server, revisions]) => (older!.get(server) ?? revisions) !== revisions);
}

function revisionsByServer({ servers }: FleetPastRun): Map<string, string> {
  const found = new Map<string, string[]>();
  for (const [id, { revision }] of Object.entries(servers)) {
    if (revision === null) continue;
    const server = id.endsWith(`@${revision}`) ? id.slice(0, -revision.length - 1) : id;
    found.set(server, [...(found.get(server) ?? []), revision]);
  }
  return new Map([...found].map(([server, revisions]) => [server, revisions.sort().join()]));
}

export interface FleetFigures {
  servers: number;
  checked: number;
  compliant: number;
  mean: number | null;
  grades: string;
}

export function figuresOf(servers: readonly PastServer[]): FleetFigures {
  const scores = servers.flatMap(({ score }) => (score === null ? [] : [score]));
  const grades = [...new Set(servers.flatMap(({ grade }) => (grade === null ? [] : [grade])))].sort();
  return {
    servers: servers.length,
    checked: servers.filter(({ status }) => status === 'checked').length,
    compliant: servers.filter(({ compliant }) => compliant === true).length,
    mean: scores.length === 0 ? null : scores.reduce((sum, score) => sum + score, 0) / scores.length,
    grades: grades
      .map((grade) => `${servers.filter((server) => server.grade === grade).length} ${oneLine(grade)}`)
      .join(', '),
  };
}
