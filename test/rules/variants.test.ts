/**
 * Gate 5: no rule fails a server that behaves in an unusual but legal way. Each variant takes part on one transport by
 * turns, several in one server; with --mode all alone, on every transport and revision.
 */
import { afterAll, describe, expect, test } from 'vitest';
import { variantCases } from '../support/accuracy.ts';
import { openReferenceLab } from '../support/reference-server.ts';
import { everything, seed } from '../support/run/options.ts';
import { checkVariantAlone, checkVariants, groupVariants, variantsInTurn } from '../support/variant-groups.ts';

const lab = await openReferenceLab();
afterAll(() => lab.close());

// Checks spend most of their time waiting, so several run at a time, on machines with few cores.
describe('legal variants', { timeout: 300_000 }, () => {
  if (everything) {
    for (const one of variantCases(true)) {
      test.concurrent(`${one.id}, ${one.transport}, ${one.revision}`, async () => expect(await checkVariantAlone(lab, one)).toEqual([]));
    }
    return;
  }
  for (const group of groupVariants(variantsInTurn(variantCases(false), seed), seed)) {
    const ids = group.cases.map(({ id }) => id).join(' + ');
    test.concurrent(`${ids}, ${group.transport}, ${group.revision}`, async () => expect(await checkVariants(lab, group)).toEqual([]));
  }
});
