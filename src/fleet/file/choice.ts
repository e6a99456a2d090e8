/** Reads a fleet file and picks the servers that are asked for. */
import type { Fleet, FleetEntry } from '../../model/fleet.ts';
import { readFleetFile } from './read-file.ts';
import { selectEntries, type EntrySelection } from './select-entries.ts';

/** @throws McpcError usage for a wrong file, and when nothing fits */
export function chooseEntries(file: string, selection: EntrySelection, env: NodeJS.ProcessEnv): { fleet: Fleet; entries: FleetEntry[] } {
  const fleet = readFleetFile(file, env);
  return { fleet, entries: selectEntries(fleet, selection) };
}
