/**
 * Which probes go before all others on a server that several connections share: those that compare what connections
 * list. A tool that is called meanwhile, on whatever connection, may change the lists, and then a difference tells
 * nothing.
 */
import { traitsOfSteps } from '../../steps/table.ts';
import { everyProbe, type Probe } from './probe.ts';

/** Whether a probe walks through lists on several connections, and leaves them as they are. */
export function comparesLists(probe: Probe): boolean {
  const { lists, opensAnother } = traitsOfSteps(probe.steps);
  return lists === true && opensAnother === true && !callsTools(probe);
}

/** Whether a probe calls a tool, or one does that follows it or goes on beside it. */
export function callsTools(probe: Probe): boolean {
  return everyProbe({ shared: [...(probe.beside ?? [])], isolated: [probe] }).some(
    ({ steps }) => traitsOfSteps(steps).callsTools === true,
  );
}

/**
 * Starts probes so that none calls a tool before all that compare lists are over; those that call none go on beside them.
 * @param shared starts what goes on on connections that several probes share
 * @param own probes on connections of their own
 * @returns what was started, or will be
 */
export function startComparingFirst(
  shared: readonly (() => Promise<void>)[],
  own: readonly Probe[],
  start: (probe: Probe) => Promise<void>,
): Promise<void>[] {
  const ahead = own.filter(comparesLists);
  if (ahead.length === 0) return [...shared.map((one) => one()), ...own.map(start)];
  const compared = ahead.map(start);
  const over = Promise.allSettled(compared);
  const behind = shared.map((one) => over.then(one));
  const others = own
    .filter((probe) => !ahead.includes(probe))
    .map((probe) => (callsTools(probe) ? over.then(() => start(probe)) : start(probe)));
  return [...compared, ...behind, ...others];
}
