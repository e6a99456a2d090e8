/** Runs a plan of probes in tests of how they are run: nothing may be called that is not certain to read, and nothing is torn down at the end. */
import { noPermission } from '../../src/core/permission/decide.ts';
import { runProbes, type ProbeRunOptions, type ProbeRunResult } from '../../src/client/schedule/run-probes.ts';

const usual = { permission: noPermission, closeAll: async () => {}, recordListening: () => {} };

export function runPlan(
  options: Omit<ProbeRunOptions, keyof typeof usual> & Partial<Pick<ProbeRunOptions, 'closeAll'>>,
): Promise<ProbeRunResult> {
  return runProbes({ ...usual, ...options });
}
