/** A run over a fleet as it lies on the disk, finished or not, for the commands that only look at it. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { usageError } from '../../core/model/errors.ts';
import type { FleetDiff, PolicyOutcome } from '../../core/model/reports/fleet-compare.ts';
import type { FleetReport, FleetServer } from '../../core/model/reports/fleet.ts';
import type { RunReport } from '../../core/model/reports/run-report.ts';
import { readJournal } from '../run/journal.ts';
import {
  fleetFile,
  journalFile,
  readFleetReport,
  readRunHeader,
  readServerReport,
  runFile,
} from '../run/run-directory.ts';
import { diffFleet } from './diff.ts';
import { fleetReport } from './fleet-report.ts';
import { fleetOutcome } from './outcome.ts';

export interface FleetRun {
  /** The run directory, or the folder of a report that was copied out of one. */
  dir: string;
  /** Which of it was read, for errors. */
  file: string;
  report: FleetReport;
  /** There is a header, and with it policies and earlier runs. */
  whole: boolean;
}

/**
 * A run by its directory or its fleet.json. Of a run that is not finished the report is made from its journal.
 * @throws McpcError usage when there is none, or it cannot be read
 */
export async function openFleetRun(place: string): Promise<FleetRun> {
  if (place.endsWith('.json')) {
    const dir = path.dirname(place);
    return {
      dir,
      file: place,
      report: readFleetReport(place),
      whole: path.basename(place) === fleetFile && existsSync(path.join(dir, runFile)),
    };
  }
  const file = path.join(place, fleetFile);
  const whole = existsSync(path.join(place, runFile));
  if (!whole && !existsSync(file))
    throw usageError(
      `${place} holds no run of a fleet.`,
      'Name a folder that mcpc fleet check wrote, or a fleet.json.',
    );
  const written = existsSync(file) ? readFleetReport(file) : undefined;
  // The report of a run that was cut short may be older than its journal.
  if (!whole || written?.incomplete === null) return { dir: place, file, report: written!, whole };
  const header = readRunHeader(place);
  const journal = path.join(place, journalFile);
  const { settled, last } = await readJournal(journal);
  if (settled.size < (written?.servers.length ?? 0)) return { dir: place, file, report: written!, whole };
  const durationMs = Math.max(0, Date.parse(last ?? header.startedAt) - Date.parse(header.startedAt));
  const servers = new Map([...settled].map(([id, { server }]) => [id, server]));
  return {
    dir: place,
    file: journal,
    report: fleetReport(header, servers, { durationMs, stopped: 'the run has not ended' }),
    whole,
  };
}

/** Outcome of a run: compared with the previous or given run, and with the policies of its header. */
export function outcomeOf(
  { dir, report, whole }: FleetRun,
  older?: FleetReport,
): { diff: FleetDiff | null; policies: PolicyOutcome | null } {
  if (whole) return fleetOutcome(dir, report, {}, older);
  return { diff: older === undefined ? null : diffFleet(older, report), policies: null };
}

export function compareRuns(older: FleetReport, newer: FleetReport): FleetDiff {
  return diffFleet(older, newer);
}

/** The report of a server, or null when it has none or it was taken away. @throws McpcError usage when it cannot be read */
export function readReportOf(dir: string, server: FleetServer): RunReport | null {
  if (server.report === null || !existsSync(path.join(dir, server.report))) return null;
  return readServerReport(dir, server.report);
}
