/**
 * Faults made by machine, in the reference server: a rule that names their requirement reports them, but for those that
 * are known to be missed, and no rule fails the legal variants beside them. A sample that never changes, so that what
 * fails is the work of the commit at hand; `npm run accuracy -- --generated` draws others.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { GeneratedFault } from '../../src/testkit/generated-faults/generated-fault.ts';
import { settings, type Setting } from '../support/accuracy.ts';
import { openSetting, shareOf } from '../support/generated/cases.ts';
import { isLike, knownMiss, knownMisses } from '../support/generated/known-missed.ts';
import { grouped, mustBeAlone, runGroup, type CaseOutcome } from '../support/generated/run-cases.ts';
import { openReferenceLab } from '../support/reference-server.ts';
import { everything, thorough } from '../support/run/options.ts';

/** With `--mode all` the draw of `npm run accuracy -- --generated --sample 300`; else 15 in one setting, of those that share a server. */
const seed = everything ? 'mcpc' : 'sample';
const drawnIn: readonly Setting[] = everything ? settings : [{ transport: 'stdio', revision: '2025-11-25' }];
/** What came of all that was drawn. */
const seen: CaseOutcome[] = [];
const few = { faults: 12, variants: 3 };

describe.runIf(thorough)('generated faults', { timeout: 300_000 }, () => {
  let lab: Awaited<ReturnType<typeof openReferenceLab>>;
  beforeAll(async () => {
    lab = await openReferenceLab();
  });
  afterAll(() => lab.close());

  test.concurrent.each(drawnIn)('are reported and their variants are not, $transport, $revision', async (setting) => {
    const { draw } = await openSetting(lab, setting);
    const each = everything ? await shareOf(setting, 300) : few;
    // What is known to be missed, or leaves nothing else to be seen, costs a check of its own; npm test takes others in its place.
    const isCheap = (generated: GeneratedFault): boolean =>
      knownMiss(generated.id) === undefined && !mustBeAlone({ generated, revision: setting.revision });
    const { faults, variants } = await draw(each, seed, (generated) => everything || isCheap(generated));
    // Over a transport of its own a setting may show fewer than its share.
    expect(faults.length).toBeGreaterThan(each.faults / 2);
    expect(variants.length).toBeGreaterThan(each.variants / 2);
    const groups = [...grouped(faults, seed), ...grouped(variants, seed)];
    const outcomes = (await Promise.all(groups.map((group) => runGroup(lab, group))))
      .flat()
      .filter(({ silent }) => !silent);
    expect(outcomes.length).toBeGreaterThan(each.faults / 2);
    const wrong = outcomes.filter(
      ({ one, right }) => !right && (one.rules === undefined || knownMiss(one.id) === undefined),
    );
    expect(
      wrong.map(
        ({ one, failed }) =>
          `${one.id}: ${one.rules === undefined ? 'legal, and failed' : `not reported by ${[...one.rules].join(' or ')}`}; failed: ${failed.join('; ')}`,
      ),
    ).toEqual([]);
    for (const outcome of outcomes) seen.push(outcome);
  });
});

// The settings are behind it then.
test.runIf(everything)('what is known to be missed is still missed', () => {
  const drawn = knownMisses.map((known) => ({
    known,
    outcomes: seen.filter(({ one }) => one.rules !== undefined && isLike(known, one.id)),
  }));
  const reported = drawn.filter(({ outcomes }) => outcomes.length > 0 && outcomes.every(({ right }) => right));
  expect(reported.map(({ known }) => `${known} is reported now; take it off test/faults/known-missed.json`)).toEqual(
    [],
  );
});

test.each([
  ['a*', 'abc', true],
  ['*c', 'abc', true],
  ['a*c', 'abc', true],
  ['*b*', 'abc', true],
  ['abc', 'abc', true],
  ['a*c', 'ac', true],
  ['ab*bc', 'abc', false],
  ['b*', 'abc', false],
  ['*b', 'abc', false],
  ['ab', 'abc', false],
])('%s stands for %s: %s', (pattern, text, expected) => {
  expect(isLike(pattern, text)).toBe(expected);
});
