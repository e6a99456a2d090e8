/** The use case `fleet merge`: joins runs into one run directory. */
import { randomBytes } from 'node:crypto';
import type { FleetReport } from '../../core/model/reports/fleet.ts';
import { mergeRuns } from './merge.ts';

/** @throws McpcError usage when the runs do not go together, and when the disk is full or cannot be written */
export function mergeFleetRuns(from: readonly string[], to: string, mixed: boolean): Promise<FleetReport> {
  return mergeRuns({ from, to, mixed, id: randomBytes(8).toString('hex') });
}
