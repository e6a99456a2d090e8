/**
 * Shared probes of which several sessions take the next one, since each answer of the target takes long. Those that
 * begin alike stay together for as long as there is other work; who has none left takes over from the others.
 */
import { isObject } from '../../../core/model/json.ts';
import type { Step } from '../../../core/model/rules/rule.ts';
import { groupsByBeginning } from './beginnings.ts';
import type { Probe } from './probe.ts';

export interface Shares {
  /** For one session: gives it one probe after another, until none is left. */
  take(): () => Probe | undefined;
  /** How many were given to nobody yet. */
  left(): number;
}

/** Shares out probes; those with a common beginning are neighbours. */
export function shareOut(probes: readonly Probe[]): Shares {
  const waiting = groupsByBeginning(probes);
  const begun: Probe[][] = [];
  const next = (): Probe[] => {
    const group = waiting.shift();
    if (group !== undefined) {
      begun.push(group);
      return group;
    }
    const longest = begun.reduce((one, other) => (other.length > one.length ? other : one), []);
    return longest.splice(-1);
  };
  return {
    take() {
      let group: Probe[] = [];
      return () => {
        if (group.length === 0) group = next();
        return group.shift();
      };
    },
    left: () => [...waiting, ...begun].reduce((sum, group) => sum + group.length, 0),
  };
}

/** So many pings in a row are worth a session of their own. */
const long = 4;

/** Takes the pings at the end of long probes out of them, which need nothing of what comes before them. They come first, since they take long. */
export function withPingsApart(probes: readonly Probe[]): Probe[] {
  const pings: Probe[] = [];
  const others = probes.map((probe) => {
    const { steps, rules } = probe;
    const from = steps.findLastIndex((step) => !isPing(step)) + 1;
    if (steps.length - from < long) return probe;
    pings.push({ steps: steps.slice(from), rules });
    return { ...probe, steps: steps.slice(0, from) };
  });
  return [...pings, ...others];
}

function isPing(step: Step): boolean {
  return (
    isObject(step) && step.request === 'ping' && Object.keys(step).every((name) => name === 'request' || name === 'id')
  );
}
