/** Processes that serve many test files: their CPU time is read while they run, for nobody has seen them end yet. */
import { ofWorker } from './of-worker.ts';

/** The ids of such processes of this worker. */
export const lastingProcesses = ofWorker('lastingProcesses', () => new Set<number>());
