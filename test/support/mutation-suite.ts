/** The tests of gate 5 for the mutations on one transport; the transports are files of their own, so that they run side by side. */
import { afterAll, describe, expect, test } from 'vitest';
import type { TransportKind } from '../../src/server/session/host.ts';
import { mutationCases, resolveRule } from './accuracy.ts';
import { casesInTurn, checkAlone, checkGroup, groupMutations, type MutationGroup } from './mutation-groups.ts';
import { openReferenceLab } from './reference-server.ts';
import { changed, everything } from './run/options.ts';
import { someOf } from './run/some-of.ts';

/** One in so many servers is due in a run, and those of rules that changed. */
const share = 48;

export async function testMutations(on: TransportKind): Promise<void> {
  const lab = await openReferenceLab();
  // A mutation of a rule that is yet to be written is held ready; the catalogue's own test looks after it.
  const due = mutationCases(everything).filter(({ mutation }) => resolveRule(mutation.rule) !== undefined);

  // Checks spend most of their time waiting, so several run at a time, on machines with few cores.
  describe('mutations', { timeout: 300_000 }, () => {
    afterAll(() => lab.close());

    if (everything) {
      for (const one of due.filter(({ transport }) => transport === on)) {
        test.concurrent(`${one.id}, ${on}, ${one.revision}`, async () =>
          expect(await checkAlone(lab, one)).toEqual([]));
      }
      return;
    }
    const idsOf = ({ cases }: MutationGroup): string => cases.map(({ id }) => id).join(' + ');
    const groups = groupMutations(casesInTurn(due)).filter(({ transport }) => transport === on);
    const isDue = ({ cases }: MutationGroup): boolean =>
      cases.some(({ mutation }) => changed.has(resolveRule(mutation.rule) ?? mutation.rule));
    for (const group of someOf(groups, share, idsOf, isDue)) {
      const ids = idsOf(group);
      test.concurrent(`${ids}, ${on}, ${group.revision}`, async () =>
        expect((await checkGroup(lab, group)).wrong).toEqual([]));
    }
  });
}
