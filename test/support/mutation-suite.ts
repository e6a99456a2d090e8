/** The tests of gate 5 for the mutations on one transport; the transports are files of their own, so that they run side by side. */
import pLimit from 'p-limit';
import { afterAll, describe, expect, test } from 'vitest';
import type { TransportKind } from '../reference/core/host.ts';
import { lineOf, mutationCases, resolveRule, runMutation } from './accuracy.ts';
import { openReferenceLab } from './reference-server.ts';

/** Checks spend most of their time waiting, so several run at a time; vitest reports them one by one. */
const atATime = 4;

export async function testMutations(on: TransportKind): Promise<void> {
  const lab = await openReferenceLab();
  const limit = pLimit(atATime);
  // A mutation of a rule that is yet to be written is held ready; the catalogue's own test looks after it.
  const due = mutationCases().filter(({ transport, mutation }) => transport === on && resolveRule(mutation.rule) !== undefined);
  const runs = due.map((one) => ({ ...one, outcome: limit(() => runMutation(lab, one)) }));
  // Each is awaited by its own test; until then a failure must not count as unhandled.
  for (const { outcome } of runs) outcome.catch(() => {});

  describe(`mutations on ${on}`, () => {
    afterAll(async () => {
      await Promise.allSettled(runs.map(({ outcome }) => outcome));
      await lab.close();
    });

    test.each(runs)(
      '$id is failed by its rule and no unrelated one at $revision',
      async ({ mutation, outcome }) => {
        const { byName, named, unrelated, errors } = await outcome;
        expect(errors.map(lineOf)).toEqual([]);
        expect(unrelated.map(lineOf)).toEqual([]);
        if (mutation.advisory !== true) expect({ [mutation.rule]: byName ? 'fail' : named }).toEqual({ [mutation.rule]: 'fail' });
      },
      900_000,
    );
  });
}
