import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Many tests wait for processes and deadlines, so that two workers serve two cores well.
    maxWorkers: 2,
    maxConcurrency: 7,
  },
});
