/**
 * Probes that watch what the server is at: while another connection has a tool called, what they see is no work of
 * their own. They go before all others, one after another.
 */
import type { Hints } from '../../../core/model/rules/hints.ts';
import { traitsOfSteps } from '../../steps/table.ts';
import { startComparingFirst } from './comparing.ts';
import type { Probe, ProbePlan } from './probe.ts';

/** Takes out of chains what has to go alone; all stays as it is where no hint gives such a probe something to see. */
export function withQuiet(plan: ProbePlan, hints: Hints): ProbePlan {
  if (!Object.values(hints.tools).some(({ seenIn }) => seenIn !== undefined)) return plan;
  const quiet: Probe[] = [];
  const withoutQuiet = (probe: Probe): Probe[] => {
    const [head, ...then] = [probe, ...(probe.then ?? [])].filter((one) => {
      const isQuiet = traitsOfSteps(one.steps).needsQuiet === true;
      if (isQuiet) quiet.push(alone(one));
      return !isQuiet;
    });
    return head === undefined ? [] : [then.length === 0 ? alone(head) : { ...head, then }];
  };
  const { ending, isolated, ...others } = plan;
  const [end] = ending === undefined ? [] : withoutQuiet(ending);
  return { ...others, isolated: isolated.flatMap(withoutQuiet), ...(end === undefined ? {} : { ending: end }), quiet };
}

function alone(probe: Probe): Probe {
  const { then: _, ...rest } = probe;
  return rest;
}

/**
 * Starts everything: what needs quiet first, and all else when that is over.
 * @param compares lists of several connections are compared, so that no tool is called meanwhile
 */
export function startInOrder(
  shared: readonly (() => Promise<void>)[],
  { quiet = [], others }: { quiet: readonly Probe[] | undefined; others: readonly Probe[] },
  start: (probe: Probe) => Promise<void>,
  compares: boolean,
): Promise<void>[] {
  const watching = quiet.length === 0 ? undefined : inSequence(quiet, start);
  const over = watching === undefined ? undefined : Promise.allSettled([watching]);
  const later = <T>(run: () => Promise<T>): Promise<T> => (over === undefined ? run() : over.then(run));
  const sharedLater = shared.map((run) => () => later(run));
  const startLater = (probe: Probe): Promise<void> => later(() => start(probe));
  const begun = compares
    ? startComparingFirst(sharedLater, others, startLater)
    : [...sharedLater.map((run) => run()), ...others.map(startLater)];
  return watching === undefined ? begun : [watching, ...begun];
}

async function inSequence(probes: readonly Probe[], start: (probe: Probe) => Promise<void>): Promise<void> {
  for (const probe of probes) await start(probe);
}
