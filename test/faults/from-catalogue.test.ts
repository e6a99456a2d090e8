/**
 * Faults of revision 2026-07-28 that were written from its catalogue of requirements, without a look at the rules: a rule
 * of a requirement that the fault violates reports it, but for those that are known to be missed, and no rule of another
 * requirement does. A few in `npm test`; all on all their transports with `--mode all`.
 */
import { afterAll, describe, expect, test } from 'vitest';
import { loadCatalogue } from '../../src/files/package/load-catalogue.ts';
import { requirementAt } from '../../src/core/spec/requirements/catalogue.ts';
import { generatedFile } from '../../src/files/package/package-root.ts';
import { openReferenceLab, patient } from '../support/reference-server.ts';
import { someOf } from '../support/run/some-of.ts';
import { checkFault, type FaultCase } from './from-catalogue/check.ts';
import { revision } from './from-catalogue/fault.ts';
import { catalogueFaults } from './from-catalogue/list.ts';
import known from './known-missed-from-catalogue.json' with { type: 'json' };

/** One in so many is due in a run. */
const share = 240;

const cases = catalogueFaults.flatMap((fault) =>
  fault.transports.map((transport): FaultCase => ({ fault, transport })),
);
const nameOf = ({ fault, transport }: FaultCase): string => `${fault.id}, ${transport}`;

function isKnown({ fault, transport }: FaultCase): boolean {
  return (known.missed as { id: string; transport?: string }[]).some(
    (one) => one.id === fault.id && (one.transport ?? transport) === transport,
  );
}

describe('the list', () => {
  test('has no two faults of one name', () => {
    expect(new Set(catalogueFaults.map(({ id }) => id)).size).toBe(catalogueFaults.length);
  });

  test('names requirements of the revision that bind servers', () => {
    const catalogue = loadCatalogue({ generated: generatedFile('requirements.json') });
    const named = catalogueFaults.flatMap(({ id, violates, alsoBreaks = [] }) =>
      [...violates, ...alsoBreaks].map((requirement) => [id, requirement] as const),
    );
    expect(
      named.filter(
        ([, requirement]) => (requirementAt(catalogue, requirement, revision)?.role ?? 'client') === 'client',
      ),
    ).toEqual([]);
  });

  test('holds whatever is said to be missed', () => {
    expect(known.missed.filter(({ id }: { id: string }) => !catalogueFaults.some((fault) => fault.id === id))).toEqual(
      [],
    );
  });
});

describe('faults from the catalogue', { timeout: 300_000 }, async () => {
  const lab = await openReferenceLab();
  afterAll(() => lab.close());

  /** What is wrong with the verdicts on a fault. */
  async function findings(one: FaultCase, timing?: typeof patient): Promise<string[]> {
    const { reportedBy, silent, unrelated } = await checkFault(lab, one, timing);
    if (isKnown(one))
      return reportedBy.length === 0
        ? unrelated
        : ['is reported now; take it off test/faults/known-missed-from-catalogue.json'];
    return [...(reportedBy.length > 0 ? [] : ['is not reported', ...silent]), ...unrelated];
  }

  // What a busy machine may have brought about is looked at again, with patience.
  test.concurrent.each(someOf(cases, share, nameOf).map((one) => [nameOf(one), one] as const))(
    '%s',
    async (_name, one) => {
      const first = await findings(one);
      expect(first.length === 0 ? first : await findings(one, patient)).toEqual([]);
    },
  );
});
