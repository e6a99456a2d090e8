/** Durations of checks in earlier runs. */
import path from 'node:path';
import type { FleetReport } from '../../core/model/reports/fleet.ts';
import { previousRuns } from './history.ts';
import { holdsRun, quickFolder, readFleetReport } from './run-directory.ts';

/** Number of runs to search for servers that later ones did not check. */
const mostRuns = 5;

/**
 * Milliseconds by the id of the server: of the preceding quick run, or of the latest run in the same folder with the
 * server. Empty where there is neither.
 *
 * @param directory of a run that was begun
 * @param ids of its servers
 */
export function lastedBefore(directory: string, ids: readonly string[]): Map<string, number> {
  const quick = quickLook(directory);
  if (quick !== undefined) return timesOf(quick, ids, new Map());
  const times = new Map<string, number>();
  let looked = 0;
  for (const { report } of previousRuns(path.resolve(directory))) {
    timesOf(report, ids, times);
    looked += 1;
    if (looked === mostRuns || ids.every((id) => times.has(id))) break;
  }
  return times;
}

/** Adds the times of the run for servers without a time. */
function timesOf({ servers }: FleetReport, ids: readonly string[], known: Map<string, number>): Map<string, number> {
  const wanted = new Set(ids);
  for (const { id, durationMs } of servers) if (wanted.has(id) && !known.has(id)) known.set(id, durationMs);
  return known;
}

function quickLook(directory: string): FleetReport | undefined {
  const quick = quickFolder(directory);
  try {
    return holdsRun(quick) ? readFleetReport(quick) : undefined;
  } catch {
    // It was cut off, and has no report.
    return undefined;
  }
}
