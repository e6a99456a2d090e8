/** What stands behind the summary of a run. */
import { expect, test } from 'vitest';
import { longestFirst } from './longest-first.ts';
import { cpuByGate, secondsText, timesText, type KeptTimes } from './reporter.ts';

const files = [
  { file: 'test/rules/mutations-http.test.ts', seconds: 30, cpuSeconds: 20 },
  { file: 'test/rules/mutations-stdio.test.ts', seconds: 25, cpuSeconds: 12.5 },
  { file: 'test/rules/puppet.test.ts', seconds: 40, cpuSeconds: 30 },
  { file: 'test/architecture.test.ts', seconds: 0.05, cpuSeconds: 0.5 },
  ...Array.from({ length: 12 }, (_, index) => ({
    file: `test/cli/${index}.test.ts`,
    seconds: index / 10,
    cpuSeconds: 0.25,
  })),
];

test('CPU time is summed up by gate, and by folder for the rest', () => {
  expect(cpuByGate(files)).toEqual([
    ['gate 5, mutations', 32.5],
    ['gate 2, puppets', 30],
    ['test/cli', 3],
    ['test/architecture.test.ts', 0.5],
  ]);
});

test('the ten slowest files come slowest first', () => {
  const text = timesText(files);
  const listed = [...text.matchAll(/test\/[\w/.-]+\.test\.ts/g)].map(([file]) => file);
  expect(listed.slice(0, 5)).toEqual([
    'test/rules/puppet.test.ts',
    'test/rules/mutations-http.test.ts',
    'test/rules/mutations-stdio.test.ts',
    'test/cli/11.test.ts',
    'test/cli/10.test.ts',
  ]);
  expect(listed.indexOf('test/cli/4.test.ts')).toBe(-1);
});

test('kept times put the longest files first, and unknown ones ahead of the short', () => {
  const kept = JSON.parse(secondsText(files)) as KeptTimes;
  expect(kept['test/rules/mutations-stdio.test.ts']).toEqual([25, 13]);
  const given = [
    'test/cli/0.test.ts',
    'test/rules/mutations-stdio.test.ts',
    'test/new.test.ts',
    'test/rules/puppet.test.ts',
  ];
  expect(longestFirst(given, (file) => file, kept)).toEqual([
    'test/rules/puppet.test.ts',
    'test/rules/mutations-stdio.test.ts',
    'test/new.test.ts',
    'test/cli/0.test.ts',
  ]);
});
