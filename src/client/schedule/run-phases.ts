/** Runs the phases of a plan one after another, each as fast as the target's capacity allows. */
import { append, takePreferred } from '../../core/model/lists.ts';
import type { Capacity } from './capacity.ts';
import type { Chain } from './plan/probe.ts';
import type { Phase } from './plan/phases.ts';

export interface PhaseRun {
  capacity: Pick<Capacity, 'take' | 'sharing'>;
  chain(chain: Chain): Promise<void>;
  /** Runs shared probes on one more session. @param index 0 for the session that goes on to the end */
  shared(phase: NonNullable<Phase['shared']>, index: number): Promise<void>;
  /** True if a chain would only wait for another connection now. */
  waits(chain: Chain): boolean;
  /** Runs between two phases. */
  settle(): Promise<void>;
}

/** @returns how each chain and session ended; what fails stops none of the others */
export async function runPhases(phases: readonly Phase[], run: PhaseRun): Promise<PromiseSettledResult<void>[]> {
  const results: PromiseSettledResult<void>[] = [];
  for (const { chains, shared, alone } of phases) {
    if (alone) for (const chain of chains) append(results, await Promise.allSettled([run.chain(chain)]));
    else {
      const sessions = shared === undefined ? 0 : run.capacity.sharing;
      const left: { chain?: Chain; start(): Promise<void> }[] = [
        ...Array.from({ length: sessions }, (_, index) => ({ start: () => run.shared(shared!, index) })),
        ...chains.map((chain) => ({ chain, start: () => run.chain(chain) })),
      ];
      const next = (): Promise<void> =>
        takePreferred(left, ({ chain }) => chain === undefined || !run.waits(chain))!.start();
      append(results, await Promise.allSettled(left.map(() => run.capacity.take(next))));
    }
    await run.settle();
  }
  return results;
}
