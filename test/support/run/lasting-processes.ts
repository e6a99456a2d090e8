/** Processes that serve many test files: their CPU time is read while they run, for nobody has seen them end yet. */
const key = Symbol.for('mcpc.tests.lastingProcesses');
const kept = process as { [key]?: Set<number> };

/** The ids of such processes of this worker; kept beside the modules, which may be loaded anew. */
export const lastingProcesses: Set<number> = (kept[key] ??= new Set());
