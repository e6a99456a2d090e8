/** What a run of the tests was asked for; vitest.config.ts reads it once for all workers. */
import { inject } from 'vitest';

declare module 'vitest' {
  export interface ProvidedContext {
    everything: boolean;
    seed: string;
    changed: string[];
  }
}

/** `--mode all`: every case on every transport and revision, each mutation alone; otherwise one transport by turns, mutations in groups. */
export const everything = inject('everything');

/** Decides whose turn it is, which mutations are grouped, and which part of many cases runs; see seed.ts and some-of.ts. */
export const seed = inject('seed');

/** Ids of the rules that this commit or the work tree changes: what belongs to them is due in any case. */
export const changed: ReadonlySet<string> = new Set(inject('changed'));
