/** The tests of gate 5 for the mutations on one transport; the transports are files of their own, so that they run side by side. */
import { afterAll, describe, expect, test } from 'vitest';
import type { TransportKind } from '../reference/core/host.ts';
import { everyRevision, lineOf, mutationCases, resolveRule, runMutation } from './accuracy.ts';
import { openReferenceLab } from './reference-server.ts';

export async function testMutations(on: TransportKind): Promise<void> {
  const lab = await openReferenceLab();
  // A mutation of a rule that is yet to be written is held ready; the catalogue's own test looks after it.
  const due = mutationCases(everyRevision, true).filter(({ transport, mutation }) => transport === on && resolveRule(mutation.rule) !== undefined);

  // Several run at a time, on machines with few cores.
  describe(`mutations on ${on}`, { timeout: 300_000 }, () => {
    afterAll(() => lab.close());

    // Checks spend most of their time waiting, so several run at a time.
    test.concurrent.each(due)('$id is failed by its rule and no unrelated one at $revision', async (one) => {
      const { byName, named, unrelated, errors } = await runMutation(lab, one);
      expect(errors.map(lineOf)).toEqual([]);
      expect(unrelated.map(lineOf)).toEqual([]);
      if (one.mutation.advisory !== true) expect({ [one.mutation.rule]: byName ? 'fail' : named }).toEqual({ [one.mutation.rule]: 'fail' });
    });
  });
}
