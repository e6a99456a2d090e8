/** What a run of the tests was asked for; vitest.config.ts reads it once for all workers. */
import { inject } from 'vitest';

declare module 'vitest' {
  export interface ProvidedContext {
    everything: boolean;
    thorough: boolean;
    changed: string[];
  }
}

/** `--mode all`: every case on every transport and revision, each mutation alone; otherwise one transport, chosen by name, and mutations in groups. */
export const everything = inject('everything');

/** Whether tests that take more than about a second of CPU time run: in the full run, and where changed files reach them. */
export const thorough = inject('thorough');

/** Ids of the rules that changed (`npm run test:changed`): all of their examples and mutations are due. */
export const changed: ReadonlySet<string> = new Set(inject('changed'));
