/** The lock of a fleet, a section for each server, and what the recordings of a run show of them. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { compareOffer } from '../../check/drift/gate.ts';
import { readRecordedOffer } from '../../check/drift/read-recording.ts';
import { failingClasses } from '../../core/drift/failing-classes.ts';
import { lock as lockOf, type LockFile, type ServerLock } from '../../core/drift/lock.ts';
import { usageError } from '../../core/model/errors.ts';
import type { FleetReport } from '../../core/model/reports/fleet.ts';
import { readLock, writeLock } from '../../files/locks/lock-file.ts';
import type { DriftReport } from '../../report/drift/drift-text.ts';

export interface FleetDrift {
  reports: DriftReport[];
  /** Servers that were checked and the lock does not hold; with `add` they are in it now. */
  fresh: string[];
  /** Servers whose recording does not say what they offer, and why. */
  unread: { name: string; why: string }[];
}

/** Read before a run of hours, so that what is wrong is said at once. @throws McpcError usage */
export function openFleetLock(path: string, add: boolean): LockFile {
  if (!existsSync(path) && add) return { format: 'mcpc-lock', version: 1, servers: {} };
  return readLock(path);
}

/**
 * Compares each checked server with its section of the lock. What a server showed differently within its check does not
 * fail: a check declares other capabilities on some connections, and calls tools.
 * @throws McpcError usage for a lock that cannot be written
 */
export async function compareFleet(
  { path, file, failOn, add }: { path: string; file: LockFile; failOn: string; add: boolean },
  directory: string,
  report: FleetReport,
): Promise<FleetDrift> {
  const failsOn = failingClasses(failOn, '--drift-fail-on');
  const drift: FleetDrift = { reports: [], fresh: [], unread: [] };
  for (const { name, status, trace } of report.servers) {
    if (status !== 'checked') continue;
    const recording = trace === null ? undefined : join(directory, trace);
    if (recording === undefined || !existsSync(recording)) {
      drift.unread.push({ name, why: 'its trace was not kept' });
      continue;
    }
    try {
      const { offer } = await readRecordedOffer(recording);
      if (Object.hasOwn(file.servers, name))
        drift.reports.push(compareOffer(file, { path, lockName: name, failsOn }, { offer, unsteady: [] }).report);
      else {
        drift.fresh.push(name);
        if (add) writeSection(path, name, lockOf(offer));
      }
    } catch (error) {
      drift.unread.push({ name, why: (error as Error).message });
    }
  }
  return drift;
}

function writeSection(path: string, name: string, server: ServerLock): void {
  try {
    writeLock(path, name, server);
  } catch (error) {
    throw usageError(`The lock cannot be written: ${(error as Error).message}`, 'Name another with --lock.', error);
  }
}
