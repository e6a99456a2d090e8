/**
 * Gate 5: the compliant reference server passes every rule on every transport and revision that it speaks:
 * nothing fails, nothing is an error of ours, and what stays undecided stands on a list with reasons.
 */
import pLimit from 'p-limit';
import { afterAll, describe, expect, test } from 'vitest';
import type { RunReport } from '../../src/model/run-report.ts';
import { lineOf, settings } from '../support/accuracy.ts';
import { openReferenceLab } from '../support/reference-server.ts';
import { undecidedHere } from './undecided-on-reference.ts';

const lab = await openReferenceLab();
afterAll(() => lab.close());

const limit = pLimit(3);
const runs = settings.map((setting) => ({ ...setting, outcome: limit(() => lab.check(setting)) }));
/** Where a server listens is seen only by a check that starts it. */
const served = (['http', 'sse'] as const).map((transport) => ({ transport, outcome: limit(() => lab.check({ transport, revision: '2025-06-18', served: true })) }));
for (const { outcome } of [...runs, ...served]) outcome.catch(() => {});

function undecided(report: RunReport): string[] {
  return report.verdicts.filter(({ status }) => status === 'not-exercised').map(({ rule }) => rule);
}

describe('the reference server', () => {
  test.each(runs)(
    'passes on $transport at $revision',
    async ({ outcome, revision }) => {
      const { report, gaveUp } = await outcome;
      expect(gaveUp).toBeUndefined();
      expect(report.incomplete).toBeNull();
      expect(report.revision).toBe(revision);
      expect(report.verdicts.filter(({ status }) => status === 'fail' || status === 'error').map(lineOf)).toEqual([]);
      expect(report.compliant).toBe(true);
      expect(undecided(report).filter((rule) => undecidedHere[rule] === undefined)).toEqual([]);
    },
    600_000,
  );

  test.each(served)(
    'listens on loopback when the check starts it over $transport',
    async ({ outcome }) => {
      const { report } = await outcome;
      expect(report.verdicts.filter(({ status }) => status === 'fail' || status === 'error').map(lineOf)).toEqual([]);
      expect(report.verdicts.find(({ rule }) => rule === 'http/security-loopback-binding')?.status).toBe('pass');
    },
    600_000,
  );

  test(
    'leaves undecided only what the list says',
    async () => {
      const all = await Promise.all(runs.map(({ outcome }) => outcome));
      const seen = new Set(all.flatMap(({ report }) => undecided(report)));
      expect(Object.keys(undecidedHere).filter((rule) => !seen.has(rule))).toEqual([]);
    },
    600_000,
  );
});
