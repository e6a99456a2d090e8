/** The looks of `check --watch`: which rules are asked when, and what is told of each. The target is a table of verdicts. */
import { expect, test } from 'vitest';
import { createRounds, type Ask, type Look } from '../../src/check/commands/support/watch-rounds.ts';
import { usageError } from '../../src/core/model/errors.ts';
import { runOf } from '../../src/core/model/reports/run-parts.ts';
import type { RunReport } from '../../src/core/model/reports/run-report.ts';
import { sampleReport } from '../support/sample-report.ts';
import { verdictWith } from '../support/verdicts.ts';

type Status = 'pass' | 'fail' | 'not-exercised';

function report(verdicts: Record<string, Status>): RunReport {
  return runOf({
    ...sampleReport(),
    verdicts: Object.entries(verdicts).map(([rule, status]) => verdictWith({ rule, status, message: `of ${rule}` })),
  });
}

/** Rounds over a target that answers each look from a table; what was asked and told, in order. */
function watcher(deepest: Look['profile'] = 'full') {
  const told: string[] = [];
  const rounds = createRounds(deepest, (line) => told.push(line));
  const signal = new AbortController();
  return {
    signal,
    /** @param tables by look: failed, quick, full; a rule that is not there is not exercised */
    async round(
      tables: Partial<Record<'failed' | 'quick' | 'full', Record<string, Status>>>,
      before?: (name: string) => void,
    ): Promise<string[]> {
      told.length = 0;
      const ask: Ask = async ({ only, profile }) => {
        const name = only === undefined ? profile : 'failed';
        before?.(name);
        told.push(only === undefined ? profile : `only ${only.join(' ')}`);
        return report(tables[name] ?? {});
      };
      await rounds.round(signal.signal, ask);
      return [...told];
    },
  };
}

test('what failed is asked first, and each change is told with the look that shows it', async () => {
  const { round } = watcher();
  expect(
    await round({ quick: { 'a/x': 'fail', 'a/y': 'pass' }, full: { 'a/x': 'fail', 'a/y': 'pass', 'a/z': 'fail' } }),
  ).toEqual(['quick', 'A quick look finds 1 that fails: a/x. The whole check follows.', 'full']);
  expect(
    await round({
      failed: { 'a/x': 'pass', 'a/z': 'fail' },
      quick: { 'a/x': 'pass', 'a/y': 'fail' },
      full: { 'a/x': 'pass', 'a/y': 'fail', 'a/z': 'pass' },
    }),
  ).toEqual([
    'Asking first for what failed: 2 rules.',
    'only a/x a/z',
    'Passes now: a/x',
    'quick',
    'Fails now: a/y: of a/y',
    'full',
    'Passes now: a/z',
  ]);
  expect(await round({ failed: { 'a/y': 'pass' }, quick: { 'a/y': 'pass' }, full: { 'a/y': 'pass' } })).toEqual([
    'Asking first for what failed: 1 rule.',
    'only a/y',
    'Passes now: a/y',
    'quick',
    'full',
  ]);
  expect(await round({ quick: { 'a/y': 'pass' }, full: { 'a/y': 'pass' } })).toEqual(['quick', 'full']);
});

test('what passes when less is asked, and fails in the whole check, is not told as mended round after round', async () => {
  const { round } = watcher();
  const same = { failed: { 'a/x': 'pass' }, quick: { 'a/x': 'pass' }, full: { 'a/x': 'fail' } } as const;
  await round(same);
  // Asked by itself it passes: that may be so, until the whole check says otherwise.
  expect((await round(same)).filter((line) => line.includes('now'))).toEqual([
    'Passes now: a/x',
    'Fails now: a/x: of a/x',
  ]);
  expect((await round(same)).filter((line) => line.includes('now'))).toEqual([]);
  // A quick look alone never says so.
  expect((await round({ ...same, failed: {} })).filter((line) => line.includes('now'))).toEqual([]);
  expect((await round({ ...same, full: { 'a/x': 'pass' } })).filter((line) => line.includes('now'))).toEqual([
    'Passes now: a/x',
  ]);
});

test('what failed and is decided no longer is told once, and asked first no more', async () => {
  const { round } = watcher();
  await round({ full: { 'a/x': 'fail', 'a/y': 'pass' } });
  expect(await round({ full: { 'a/x': 'not-exercised', 'a/y': 'pass' } })).toEqual([
    'Asking first for what failed: 1 rule.',
    'only a/x',
    'quick',
    'full',
    'No longer decided: a/x',
  ]);
  expect(await round({ full: { 'a/x': 'not-exercised', 'a/y': 'pass' } })).toEqual(['quick', 'full']);
});

test('a round that is given up asks and tells no more, and the next one begins with what is known', async () => {
  const { round, signal } = watcher();
  await round({ full: { 'a/x': 'fail', 'a/y': 'fail' } });
  expect(
    await round(
      { failed: { 'a/x': 'pass', 'a/y': 'fail' }, quick: { 'a/x': 'fail' } },
      (name) => name === 'quick' && signal.abort(),
    ),
  ).toEqual(['Asking first for what failed: 2 rules.', 'only a/x a/y', 'Passes now: a/x', 'quick']);
});

test('with the quick profile there is no whole check', async () => {
  const { round } = watcher('quick');
  expect(await round({ quick: { 'a/x': 'fail' } })).toEqual(['quick']);
  expect(await round({ failed: { 'a/x': 'fail' }, quick: { 'a/x': 'pass' } })).toEqual([
    'Asking first for what failed: 1 rule.',
    'only a/x',
    'quick',
    'Passes now: a/x',
  ]);
});

test('rules that are gone are passed over', async () => {
  const told: string[] = [];
  const rounds = createRounds('quick', (line) => told.push(line));
  const { signal } = new AbortController();
  await rounds.round(signal, async () => report({ 'a/x': 'fail' }));
  const asked: (string[] | undefined)[] = [];
  const withoutIt: Ask = async ({ only }) => {
    asked.push(only);
    if (only !== undefined) throw usageError('No rule fits "a/x".');
    return report({ 'a/y': 'pass' });
  };
  await rounds.round(signal, withoutIt);
  await rounds.round(signal, withoutIt);
  expect(asked).toEqual([['a/x'], undefined, undefined]);
  expect(told).toEqual(['Asking first for what failed: 1 rule.']);
});
