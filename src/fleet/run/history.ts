/** Earlier runs over a fleet, in the same folder as a run directory. Keeps of each only what trends show. */
import path from 'node:path';
import type { FleetPastRun, PastServer } from '../../core/model/reports/fleet-compare.ts';
import type { FleetReport, FleetRunHeader } from '../../core/model/reports/fleet.ts';
import { earlierRuns, readFleetReport, readRunHeader } from './run-directory.ts';

/** Default number of earlier runs in trends. */
export const usualHistory = 30;

/**
 * Earlier runs next to `dir` of the same fleet and profile with a report, oldest first, at most `limit` of the newest.
 * One report is in memory at a time. Empty when `dir` is no run directory.
 */
export function readFleetHistory(dir: string, limit: number): FleetPastRun[] {
  const found: FleetPastRun[] = [];
  for (const { directory, report } of newestFirst(dir)) {
    if (found.length >= limit) break;
    found.push(pastRun(path.basename(directory), report));
  }
  return found.reverse();
}

/**
 * The latest complete run next to `dir` before it, of the same fleet and profile, with its folder; null when there is
 * none.
 */
export function previousRun(dir: string): { dir: string; report: FleetReport } | null {
  for (const run of previousRuns(dir)) return run;
  return null;
}

/** All such runs, the newest first; each is read when it is come to. */
export function* previousRuns(dir: string): Generator<{ dir: string; report: FleetReport }> {
  for (const { directory, report } of newestFirst(dir)) {
    if (report.incomplete === null) yield { dir: directory, report };
  }
}

function* newestFirst(dir: string): Generator<{ directory: string; report: FleetReport }> {
  const before = runsBefore(dir).reverse();
  if (before.length === 0) return;
  const own = readRunHeader(dir);
  const { profile } = own.ruleSet;
  for (const directory of before) {
    let report: FleetReport;
    try {
      // Another fleet may keep its runs in the same folder.
      if (!isSameFleet(own, readRunHeader(directory))) continue;
      report = readFleetReport(directory);
    } catch {
      // A run that was cut off has no report, and is no part of a trend.
      continue;
    }
    // Another profile gives other scores.
    if (report.ruleSet.profile === profile) yield { directory, report };
  }
}

/** Of one fleet file, as far as both say so, with a server in common: between others there is nothing to compare. */
function isSameFleet(one: FleetRunHeader, other: FleetRunHeader): boolean {
  if (one.file !== undefined && other.file !== undefined && one.file !== other.file) return false;
  const ids = new Set(one.servers.map(({ id }) => id));
  return ids.size === 0 || other.servers.length === 0 || other.servers.some(({ id }) => ids.has(id));
}

function runsBefore(dir: string): string[] {
  try {
    return earlierRuns(dir);
  } catch {
    return [];
  }
}

function pastRun(name: string, report: FleetReport): FleetPastRun {
  const servers = report.servers.map(({ id, status, score, grade, compliant, revision }): [string, PastServer] => [
    id,
    { status, score, grade, compliant, revision },
  ]);
  return {
    name,
    startedAt: report.startedAt,
    ruleSet: report.ruleSet.digest,
    incomplete: report.incomplete !== null,
    servers: Object.fromEntries(servers),
  };
}
