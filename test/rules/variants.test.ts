/** Gate 5: no rule fails a server that behaves in an unusual but legal way. */
import { afterAll, describe, expect, test } from 'vitest';
import { everyRevision, lineOf, runVariant, variantCases } from '../support/accuracy.ts';
import { openReferenceLab } from '../support/reference-server.ts';

const lab = await openReferenceLab();
afterAll(() => lab.close());

/** Several run at a time, on machines with few cores. */
const patience = { timeout: 300_000 };

describe('every legal variant', patience, () => {
  test.concurrent.each(variantCases(everyRevision, true))('$id is failed by no rule on $transport at $revision', async (one) => {
    expect((await runVariant(lab, one)).map(lineOf)).toEqual([]);
  });
});
