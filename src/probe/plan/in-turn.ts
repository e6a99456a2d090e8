/**
 * Which probes can follow one another on one connection. Starting a server is what a check over stdio costs most; a
 * probe that leaves the server as it found it needs no process of its own. They go from harmless to rude, so that what
 * may put a server out of order comes when little follows; whoever runs them looks between two of them whether the
 * connection still answers.
 */
import { traitsOfSteps } from '../steps/table.ts';
import { canonical, type Probe } from './probe.ts';

/** What a probe may leave behind on its connection, from the least to the most. */
const leavings = ['nothing', 'another log level', 'cancelled work', 'an oddity', 'a connection for nothing else'] as const;
const spent = leavings.length - 1;

/**
 * Gathers probes that begin with the same handshake into chains.
 * @param probes each on a connection of its own
 * @returns the same probes; those that follow another one stand in its `then`
 */
export function inTurn(probes: readonly Probe[]): Probe[] {
  const groups = new Map<string, Probe[]>();
  for (const probe of probes) {
    const begins = canonical(probe.steps[0]);
    const group = groups.get(begins);
    if (group) group.push(probe);
    else groups.set(begins, [probe]);
  }
  return [...groups.values()].flatMap((group) => (beginsWithHandshake(group[0]!) ? chained(group) : group));
}

function beginsWithHandshake({ steps: [first] }: Probe): boolean {
  return first === 'handshake' || (typeof first === 'object' && 'handshake' in first);
}

/** One chain of all; of those that leave a connection for nothing else only one can end it. */
function chained(group: readonly Probe[]): Probe[] {
  const sorted = group.map((probe) => ({ probe, left: leavings.indexOf(leftBy(probe)) })).sort((a, b) => a.left - b.left);
  const end = sorted.findIndex(({ left }) => left === spent);
  const length = end === -1 ? sorted.length : end + 1;
  const [head, ...then] = sorted.slice(0, length).map(({ probe }) => probe);
  const alone = sorted.slice(length).map(({ probe }) => probe);
  return [then.length === 0 ? head! : { ...head!, then }, ...alone];
}

function leftBy({ steps }: Probe): (typeof leavings)[number] {
  const { spendsConnection, deviates, cancels, setsLogLevel } = traitsOfSteps(steps);
  if (spendsConnection) return 'a connection for nothing else';
  if (deviates) return 'an oddity';
  if (cancels) return 'cancelled work';
  return setsLogLevel ? 'another log level' : 'nothing';
}
