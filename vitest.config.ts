import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/run/longest-first.ts';
import { TimesReporter } from './test/support/run/reporter.ts';

/** Files that put other modules in the place of some, or count what a whole process has: each gets modules of its own. */
const apart = ['test/report/templates.test.ts', 'test/fleet/journal.test.ts'];

const shared = {
  testTimeout: 120_000,
  hookTimeout: 120_000,
  maxConcurrency: 7,
  setupFiles: ['test/support/run/cpu-time.ts'],
};

/**
 * `--mode all` (`npm run test:all`) plays every case on every transport and checks every mutation alone; `--mode changed`
 * (`npm run test:changed`) adds the slow tests, and all cases of the rules in MCPC_CHANGED.
 */
export default defineConfig(({ mode }) => {
  // Said to each project again: a project that extends this file reads it with a mode of its own.
  const provide = {
    everything: mode === 'all',
    thorough: mode === 'all' || mode === 'changed',
    changed: (process.env['MCPC_CHANGED'] ?? '').split(',').filter(Boolean),
  };
  return {
    test: {
      // Many tests wait for processes and deadlines: as many workers as cores leave a third of them idle.
      maxWorkers: 4,
      provide,
      reporters: ['default', new TimesReporter()],
      sequence: { sequencer: LongestFirst },
      projects: [
        // One set of loaded modules for all files of a worker.
        {
          extends: true,
          test: { ...shared, provide, name: 'shared', isolate: false, include: ['test/**/*.test.ts'], exclude: apart },
        },
        { extends: true, test: { ...shared, provide, name: 'apart', isolate: true, include: apart } },
      ],
    },
  };
});
