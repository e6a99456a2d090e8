/** Compares a run over a fleet with the lock, and prints the changes. */
import { join } from 'node:path';
import type { FleetReport } from '../../../core/model/reports/fleet.ts';
import { writeOutput } from '../../../files/output/output.ts';
import { driftShortfall, terminalText } from '../../../report/drift/drift-text.ts';
import { plural, visible } from '../../../report/text.ts';

export interface FleetLockFlags {
  lock: string;
  'drift-fail-on': string;
  'add-to-lock': boolean;
}

export interface OpenedFleetDrift {
  /** Prints the changes and writes drift.json into the run. @returns true if a change fails */
  compare(directory: string, report: FleetReport, talk: (line: string) => void): Promise<boolean>;
}

/** @throws McpcError usage for a lock that is not valid, or classes that are not known */
export async function openFleetDrift(flags: FleetLockFlags): Promise<OpenedFleetDrift> {
  const [{ compareFleet, openFleetLock }, { failingClasses }] = await Promise.all([
    import('../../run/fleet-drift.ts'),
    import('../../../core/drift/failing-classes.ts'),
  ]);
  const { lock: path, 'drift-fail-on': failOn, 'add-to-lock': add } = flags;
  failingClasses(failOn, '--drift-fail-on');
  const locked = openFleetLock(path, add);
  return {
    async compare(directory, report, talk) {
      const { reports, fresh, unread } = await compareFleet({ path, file: locked, failOn, add }, directory, report);
      for (const one of reports.filter(({ changes }) => changes.length > 0)) talk(terminalText(one).trimEnd());
      if (fresh.length > 0)
        talk(
          `${plural(fresh.length, 'server')} ${add ? 'added to' : 'not in'} ${visible(path)}: ${visible(fresh.join(', '))}`,
        );
      for (const { name, why } of unread) talk(`${visible(name)} was not compared with the lock: ${visible(why)}`);
      const file = {
        path: join(directory, 'drift.json'),
        what: 'the drift',
        replaces: 'anything',
        overwrite: true,
      } as const;
      writeOutput(
        file,
        `${JSON.stringify({ format: 'mcpc-fleet-drift', version: 1, lock: path, servers: reports, fresh, unread }, null, 2)}\n`,
      );
      const failing = reports.filter((one) => driftShortfall(one).length > 0);
      if (failing.length > 0)
        talk(
          `Exit 1: ${plural(failing.length, 'server')} changed since ${visible(path)}: ${visible(failing.map(({ server }) => server).join(', '))}`,
        );
      return failing.length > 0;
    },
  };
}
