/** What stands behind the summary of a run. */
import { expect, test } from 'vitest';
import { cpuByGate, timesText } from './reporter.ts';

const files = [
  { file: 'test/rules/mutations-http.test.ts', seconds: 30, cpuSeconds: 20 },
  { file: 'test/rules/mutations-stdio.test.ts', seconds: 25, cpuSeconds: 12.5 },
  { file: 'test/rules/puppet.test.ts', seconds: 40, cpuSeconds: 30 },
  { file: 'test/architecture.test.ts', seconds: 0.05, cpuSeconds: 0.5 },
  ...Array.from({ length: 12 }, (_, index) => ({ file: `test/cli/${index}.test.ts`, seconds: index / 10, cpuSeconds: 0.25 })),
];

test('CPU time is summed up by gate, and by folder for the rest', () => {
  expect(cpuByGate(files)).toEqual([
    ['gate 5, mutations', 32.5],
    ['gate 2, puppets', 30],
    ['test/cli', 3],
    ['test/architecture.test.ts', 0.5],
  ]);
});

test('the ten slowest files come slowest first, with the seed behind', () => {
  const text = timesText(files, 'abc');
  const listed = [...text.matchAll(/test\/[\w/.-]+\.test\.ts/g)].map(([file]) => file);
  expect(listed.slice(0, 5)).toEqual(['test/rules/puppet.test.ts', 'test/rules/mutations-http.test.ts', 'test/rules/mutations-stdio.test.ts', 'test/cli/11.test.ts', 'test/cli/10.test.ts']);
  expect(listed.indexOf('test/cli/4.test.ts')).toBe(-1);
  expect(text).toContain('MCPC_SEED=abc npm test');
});
