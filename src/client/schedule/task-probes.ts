/**
 * Probes that wait for tasks of the server. They spend nearly all their time waiting, so they share a session
 * apart from the other shared ones and run side by side on it; but those that make the server ask the client go first and alone, so that
 * it is plain for which task it asks.
 */
import type { Peer } from '../peer/peer.ts';
import type { Probe } from './plan/probe.ts';
import { runSteps } from '../steps/step-runner.ts';
import type { StepContext } from '../steps/support/step-scope.ts';
import { traitsOfSteps } from '../steps/table.ts';

export function waitsForTask({ steps }: Probe): boolean {
  return traitsOfSteps(steps).waitsForTask === true;
}

/**
 * Gives the probes a place among those that run apart from the shared ones: behind one that opened its connection in
 * another way, where the plan has a chain of that sort, and else on a connection of their own. They begin first.
 */
export function withTaskProbes(isolated: readonly Probe[], patient: readonly Probe[]): Probe[] {
  const own: Probe = { steps: ['handshake'], rules: [], beside: patient };
  const led = isolated.find(({ steps, then }) => steps[0] !== 'handshake' && then?.[0]?.steps[0] === 'handshake');
  return led === undefined
    ? [own, ...isolated]
    : [{ ...led, then: [own, ...(led.then ?? [])] }, ...isolated.filter((probe) => probe !== led)];
}

/** Runs the probes on a session of which the handshake is done, and leaves it open. */
export async function runTaskProbes(
  probes: readonly Probe[],
  peer: Peer,
  context: StepContext,
  finished: () => void,
): Promise<void> {
  const run = async (probe: Probe): Promise<void> => {
    await runSteps(probe.steps, peer, context);
    finished();
  };
  const asking = probes.filter(({ steps }) => traitsOfSteps(steps).asksClient === true);
  for (const probe of asking) await run(probe);
  await Promise.all(probes.filter((probe) => !asking.includes(probe)).map(run));
}
