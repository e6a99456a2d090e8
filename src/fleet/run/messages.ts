/** Messages between the main process of a fleet run and its worker processes. Shapes only. */
import type { FleetServer } from '../../core/model/reports/fleet.ts';
import type { FleetEntry } from '../../check/settings/fleet-entry.ts';
import type { RunEntryOptions } from './run-entry.ts';

export interface CheckTask
  extends Pick<RunEntryOptions, 'folder' | 'attempt' | 'selection' | 'profile' | 'toolVersion' | 'connections'> {
  entry: FleetEntry;
  open?: { cacheDir?: string; allowScripts?: boolean };
}

export type ToWorker =
  | { say: 'check'; job: number; task: CheckTask }
  /** Ends a check, which is answered as interrupted. */
  | { say: 'abort'; job: number }
  /** Ends the process. */
  | { say: 'stop' };

export type FromWorker =
  | { say: 'settled'; job: number; server: FleetServer; rssMb: number }
  | { say: 'interrupted'; job: number }
  /** Packages are installed, and the check begins, which may take so many milliseconds. */
  | { say: 'begun'; job: number; checkMs: number }
  /** The check could not be kept or could not be run at all: the run ends. */
  | {
      say: 'failed';
      job: number;
      error: { message: string; code?: string; stage?: 'usage' | 'internal'; remedy?: string };
    }
  /** Process groups of servers, so that they can be ended should the worker be lost. */
  | { say: 'group'; pid: number; alive: boolean }
  /** Every few seconds: the worker is not stuck; how late its timers were since the last time, and how full its heap is. */
  | { say: 'alive'; lateMs: number; heap: number };
