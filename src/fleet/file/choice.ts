/** Reads a fleet file and picks the servers that are asked for. */
import type { Fleet, FleetEntry } from '../../check/settings/fleet-entry.ts';
import { readFleetFile } from '../../check/fleet-file/read-file.ts';
import { selectEntries, type EntrySelection } from '../../check/fleet-file/select-entries.ts';

/** @throws McpcError usage for a wrong file, and when nothing fits */
export function chooseEntries(
  file: string,
  selection: EntrySelection,
  env: NodeJS.ProcessEnv,
): { fleet: Fleet; entries: FleetEntry[] } {
  const fleet = readFleetFile(file, env);
  const entries = selectEntries(fleet, selection);
  const open = entries
    .filter(({ network }) => network?.insecure === true)
    .map(
      ({ from, name }) =>
        `WARNING: ${from}: server "${name}": certificates are NOT checked (insecure): anyone on the network path can read and change everything, including tokens.`,
    );
  return { fleet: { ...fleet, notices: [...fleet.notices, ...open] }, entries };
}
