/** The end of a run over a fleet: reports, exit code and why. Shared by the commands that end with one. */
import { fleetOutcome, type OutcomeWish } from '../../compare/outcome.ts';
import type { FleetReport } from '../../../core/model/reports/fleet.ts';
import { oneLine } from '../../../report/text.ts';
import type { Printer } from '../../../check/commands/support/conclude.ts';
import { writeFleetReports, type FleetSinks } from './sinks.ts';

export interface FleetEnd {
  directory: string;
  report: FleetReport;
  wish: OutcomeWish;
  /** The run to compare with, where one was named. */
  older: FleetReport | undefined;
  sinks: FleetSinks;
  flags: { dashboard: boolean; 'no-color': boolean; quiet: boolean };
}

/** Writes everything and gives the exit code. @throws McpcError usage for files that cannot be written */
export async function concludeFleet(
  { directory, report, wish, older, sinks, flags }: FleetEnd,
  { print, talk }: Printer,
): Promise<number> {
  const { diff, policies } = fleetOutcome(directory, report, wish, older);
  const written = await writeFleetReports(
    { dir: directory, report, diff, policies },
    sinks,
    { dashboard: flags.dashboard, quiet: flags.quiet, ...(flags['no-color'] ? { color: false } : {}) },
    print,
  );
  if (!flags.quiet) {
    for (const path of written) talk(`Wrote ${path}`);
    talk(`Run: ${directory}`);
    talk(`${policies.exit.code === 0 ? '' : `Exit ${policies.exit.code}: `}${oneLine(policies.exit.why)}`);
  }
  return policies.exit.code;
}
