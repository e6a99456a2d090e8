/**
 * Probes that wait for tasks of the server. They spend nearly all their time waiting, so they share a session of
 * their own and run side by side on it; but those that make the server ask the client go first and alone, so that
 * it is plain for which task it asks.
 */
import type { Peer } from './client/peer.ts';
import type { Probe } from './planner.ts';
import { runSteps } from './steps/step-runner.ts';
import type { StepSurroundings } from './steps/step-scope.ts';

function mentions(probe: Probe, text: string): boolean {
  return JSON.stringify(probe.steps).includes(text);
}

export function isPatient(probe: Probe): boolean {
  return mentions(probe, '"pollTask"');
}

/** Runs the probes on a session of which the handshake is done, and leaves it open. */
export async function runPatiently(probes: readonly Probe[], peer: Peer, around: StepSurroundings, finished: () => void): Promise<void> {
  const run = async (probe: Probe): Promise<void> => {
    await runSteps(probe.steps, peer, around);
    finished();
  };
  const asking = probes.filter((probe) => mentions(probe, '"asks-client"'));
  for (const probe of asking) await run(probe);
  await Promise.all(probes.filter((probe) => !asking.includes(probe)).map(run));
}
