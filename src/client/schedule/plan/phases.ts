/**
 * The order of a run. Phases follow one another; within a phase the chains run at the same time, as far as the target
 * can serve them. Three kinds of probes need a phase of their own: those whose observation a tool call elsewhere would
 * spoil, those that compare the lists of several connections, and those that end the server.
 */
import { traitsOfSteps } from '../../steps/table.ts';
import { hasTrait } from './chains.ts';
import type { Chain, Probe, ProbePlan } from './probe.ts';

export interface Phase {
  chains: Chain[];
  /** The shared probes, with the chain that ends their session. */
  shared?: Pick<ProbePlan, 'shared' | 'ending'>;
  /** The chains run one after another. */
  alone?: true;
}

interface PhaseOptions {
  /** A hint names what can be seen of a tool at work, so probes that watch for it have something to see. */
  watchesWork: boolean;
  /** Connections see the same lists, and several of them are open. */
  comparesLists: boolean;
  /** mcpc started the server, so it can be ended and started again. */
  mayEndServer: boolean;
}

/** Divides a plan into phases; each probe is in one of them, except those that end a server which mcpc did not start. */
export function phasesOf(plan: ProbePlan, { watchesWork, comparesLists, mayEndServer }: PhaseOptions): Phase[] {
  const quiet: Chain[] = [];
  const needsQuiet = (probe: Probe): boolean => watchesWork && hasTrait([probe], 'needsQuiet');
  const withoutQuiet = (chain: Chain): Chain => {
    // A chain that stays whole stays the same object: a connection may have been opened for it.
    if (!chain.some(needsQuiet)) return chain;
    for (const probe of chain.filter(needsQuiet)) quiet.push([probe]);
    return chain.filter((probe) => !needsQuiet(probe));
  };
  const ending = plan.ending && withoutQuiet(plan.ending);
  const chains = plan.chains.map(withoutQuiet).filter(({ length }) => length > 0);
  const ends = chains.filter((chain) => hasTrait(chain, 'endsServer'));
  const last = chains.filter((chain) => hasTrait(chain, 'comesLast') && !ends.includes(chain));
  const usual = chains.filter((chain) => !ends.includes(chain) && !last.includes(chain));
  const comparing = comparesLists ? usual.filter(comparesListsOnly) : [];
  const phases: Phase[] = [
    { chains: quiet, alone: true },
    { chains: comparing },
    {
      shared: { shared: plan.shared, ...(ending !== undefined && ending.length > 0 ? { ending } : {}) },
      chains: usual.filter((chain) => !comparing.includes(chain)),
    },
    { chains: mayEndServer ? [...last, ...ends] : last, alone: true },
  ];
  return phases.filter(({ chains: some, shared }) => some.length > 0 || shared !== undefined);
}

/** Whether a chain lists on several connections and changes nothing: a tool called meanwhile may change the lists. */
export function comparesListsOnly(chain: Chain): boolean {
  const traits = traitsOfSteps(chain.flatMap(({ steps }) => steps));
  return traits.lists === true && traits.opensAnother === true && traits.callsTools !== true;
}
