/** Whether a connection serves for another probe after the one that opened it, and what is asked again when it was lost. */
import type { Peer } from '../../peer/peer.ts';
import { holdsBack } from './openings.ts';
import type { Probe } from './probe.ts';
import { askSentinel } from '../../steps/support/step-scope.ts';
import { traitsOfSteps } from '../../steps/table.ts';

/** Probes that were asked a second time. */
const repeated = new WeakSet<Probe>();

/**
 * Puts something odd before what follows, to be asked once more elsewhere: the process ended on it, and after all that
 * was asked before nothing tells whether it did so because of that.
 *
 * @returns how many more probes there are now
 */
export function putAgain(peer: Peer, probe: Probe, following: Probe[]): number {
  if (peer.alive || peer.transport !== 'stdio' || repeated.has(probe) || traitsOfSteps(probe.steps).deviates !== true)
    return 0;
  repeated.add(probe);
  following.unshift(probe);
  return 1;
}

/** Connections of which the handshake was ended after all. */
const ended = new WeakSet<Peer>();

/** Ends the handshake, where the probe that opened the connection did not, and asks whether the server is there and answers as it ought to; one that had enough of this client refuses. */
export async function isReady(peer: Peer, { steps }: Probe): Promise<boolean> {
  if (!peer.alive) return false;
  if (holdsBack(steps) && !ended.has(peer)) {
    ended.add(peer);
    await peer.notify('notifications/initialized').exchange?.response;
  }
  const answer = await askSentinel(peer);
  return peer.alive && answer.kind === 'response' && 'result' in answer.message;
}
