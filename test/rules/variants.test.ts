/** Gate 5: no rule fails a server that behaves in an unusual but legal way. */
import pLimit from 'p-limit';
import { afterAll, describe, expect, test } from 'vitest';
import { lineOf, runVariant, variantCases } from '../support/accuracy.ts';
import { openReferenceLab } from '../support/reference-server.ts';

const lab = await openReferenceLab();
afterAll(() => lab.close());

const limit = pLimit(4);
const runs = variantCases().map((one) => ({ ...one, found: limit(() => runVariant(lab, one)) }));
for (const { found } of runs) found.catch(() => {});

describe('every legal variant', () => {
  test.each(runs)(
    '$id is failed by no rule on $transport at $revision',
    async ({ found }) => {
      expect((await found).map(lineOf)).toEqual([]);
    },
    600_000,
  );
});
