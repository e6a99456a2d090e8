/** Runs a chain of probes on a connection of its own; what is left when that one stops working, on a new one. */
import type { Peer } from '../peer/peer.ts';
import { askSentinel, type StepContext } from '../steps/support/step-scope.ts';
import { runSteps } from '../steps/step-runner.ts';
import { traitsOfSteps } from '../steps/table.ts';
import { holdsBack } from './plan/openings.ts';
import type { Chain, Probe } from './plan/probe.ts';

export interface ChainRun {
  context: StepContext;
  /** The version that the chains after a handshake are planned for. */
  negotiated: string | undefined;
  open(): Promise<Peer>;
  stopped(): boolean;
  begins(probe: Probe, peer: Peer): void;
  finished(): void;
  /** One more probe was added to the run. */
  added(): void;
  /** The chain needs the connection no longer. */
  leave(peer: Peer, chain: Chain): Promise<void>;
}

/** @param begun a connection on which the handshake of the chain was done already */
export async function runChain(chain: Chain, run: ChainRun, begun?: Peer): Promise<void> {
  if (run.stopped()) return;
  const peer = begun ?? (await run.open());
  const left = [...chain];
  try {
    let isFresh = begun === undefined;
    for (let at = 0; left.length > 0 && !run.stopped(); at += 1) {
      if (at > 0 && !(await canGoOn(peer, chain, run))) break;
      const probe = left.shift()!;
      if (at > 0) peer.answerIn('usual');
      run.begins(probe, peer);
      await runSteps(isFresh ? probe.steps : probe.steps.slice(1), peer, run.context);
      run.finished();
      if (!isFresh && endedUnexplained(peer, probe)) {
        left.unshift(probe);
        run.added();
      }
      isFresh = false;
    }
  } finally {
    await run.leave(peer, chain);
  }
  if (left.length > 0 && !run.stopped()) await runChain(left, run);
}

/** Probes that were run a second time. */
const repeated = new WeakSet<Probe>();

/** Whether the process ended on a deviation that came after other probes: only a fresh process can show whether the deviation was the cause. */
function endedUnexplained(peer: Peer, probe: Probe): boolean {
  const ended =
    !peer.alive && peer.transport === 'stdio' && !repeated.has(probe) && traitsOfSteps(probe.steps).deviates === true;
  if (ended) repeated.add(probe);
  return ended;
}

async function canGoOn(peer: Peer, chain: Chain, { negotiated }: ChainRun): Promise<boolean> {
  return peer.negotiated === negotiated && (await isReady(peer, chain[0]!));
}

/** Connections whose `notifications/initialized` was sent late. */
const initialized = new WeakSet<Peer>();

/** Completes the handshake where the first probe did not, and checks that the server still answers on the connection. */
export async function isReady(peer: Peer, { steps }: Probe): Promise<boolean> {
  if (!peer.alive) return false;
  if (holdsBack(steps) && !initialized.has(peer)) {
    initialized.add(peer);
    await peer.notify('notifications/initialized').exchange?.response;
  }
  const answer = await askSentinel(peer);
  return peer.alive && answer.kind === 'response' && 'result' in answer.message;
}
