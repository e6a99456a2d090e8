/** How long the checks of a run took when they were made before. */
import path from 'node:path';
import type { FleetReport } from '../../model/reports/fleet.ts';
import { previousRun } from '../compare/history.ts';
import { holdsRun, quickFolder, readFleetReport } from './run-directory.ts';

/**
 * Milliseconds by the id of the server: of the quick look that went before the run, or else of the run beside it that began
 * last before it. Empty where there is neither.
 *
 * @param directory of a run that was begun
 */
export function lastedBefore(directory: string): Map<string, number> {
  const servers = (quickLook(directory) ?? previousRun(path.resolve(directory))?.report)?.servers ?? [];
  return new Map(servers.map(({ id, durationMs }) => [id, durationMs]));
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
