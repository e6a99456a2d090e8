/** The tests of gate 5 for the mutations on one transport; the transports are files of their own, so that they run side by side. */
import { afterAll, describe, expect, test } from 'vitest';
import type { TransportKind } from '../reference/core/host.ts';
import { mutationCases, resolveRule } from './accuracy.ts';
import { casesInTurn, checkAlone, checkGroup, groupMutations } from './mutation-groups.ts';
import { openReferenceLab } from './reference-server.ts';
import { everything, seed } from './run/options.ts';

export async function testMutations(on: TransportKind): Promise<void> {
  const lab = await openReferenceLab();
  // A mutation of a rule that is yet to be written is held ready; the catalogue's own test looks after it.
  const due = mutationCases(everything).filter(({ mutation }) => resolveRule(mutation.rule) !== undefined);

  // Checks spend most of their time waiting, so several run at a time, on machines with few cores.
  describe('mutations', { timeout: 300_000 }, () => {
    afterAll(() => lab.close());

    if (everything) {
      for (const one of due.filter(({ transport }) => transport === on)) {
        test.concurrent(`${one.id}, ${on}, ${one.revision}`, async () => expect(await checkAlone(lab, one)).toEqual([]));
      }
      return;
    }
    for (const group of groupMutations(casesInTurn(due, seed), seed).filter(({ transport }) => transport === on)) {
      const ids = group.cases.map(({ id }) => id).join(' + ');
      test.concurrent(`${ids}, ${on}, ${group.revision}`, async () => expect((await checkGroup(lab, group)).wrong).toEqual([]));
    }
  });
}
