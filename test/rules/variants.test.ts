/**
 * Gate 5: no rule fails a server that behaves in an unusual but legal way. Several variants share a server, on one
 * transport by turns, and one in 48 of the servers is due in a run; with --mode all each alone, on every transport and
 * revision, and the features that are seen have to be just those of the plain server, with what the variant adds and
 * leaves out.
 */
import { afterAll, describe, expect, test } from 'vitest';
import { variantCases } from '../support/accuracy.ts';
import { openReferenceLab } from '../support/reference-server.ts';
import { everything } from '../support/run/options.ts';
import { someOf } from '../support/run/some-of.ts';
import {
  checkVariants,
  checkVariantWhole,
  groupVariants,
  variantsInTurn,
  type VariantGroup,
} from '../support/variant-groups.ts';

const lab = await openReferenceLab();
afterAll(() => lab.close());

// Checks spend most of their time waiting, so several run at a time, on machines with few cores.
describe('legal variants', { timeout: 300_000 }, () => {
  if (everything) {
    for (const one of variantCases(true)) {
      test.concurrent(`${one.id}, ${one.transport}, ${one.revision}`, async () =>
        expect(await checkVariantWhole(lab, one)).toEqual([]));
    }
    return;
  }
  const idsOf = ({ cases }: VariantGroup): string => cases.map(({ id }) => id).join(' + ');
  const groups = groupVariants(variantsInTurn(variantCases(false)));
  for (const group of someOf(groups, 48, (one) => `${idsOf(one)} ${one.transport} ${one.revision}`)) {
    const ids = idsOf(group);
    test.concurrent(`${ids}, ${group.transport}, ${group.revision}`, async () =>
      expect(await checkVariants(lab, group)).toEqual([]));
  }
});
