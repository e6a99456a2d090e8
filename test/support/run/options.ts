/** What a run of the tests was asked for; vitest.config.ts reads it once for all workers. */
import { inject } from 'vitest';

declare module 'vitest' {
  export interface ProvidedContext {
    everything: boolean;
    seed: string;
  }
}

/** `--mode all`: every case on every transport and revision, each mutation alone; otherwise one transport by turns, mutations in groups. */
export const everything = inject('everything');

/** Decides whose turn it is, and which mutations are grouped; see seed.ts. */
export const seed = inject('seed');
