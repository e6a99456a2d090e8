/**
 * Gate 5 for a reference server that wants tokens: with a good one it passes like the open one, without any its
 * authorization is judged and nothing else, and no rule of authorization stays undecided without a reason. A sixth of
 * the servers in `npm test`; all of them with --mode all.
 */
import { afterAll, describe, expect, test } from 'vitest';
import type { RunReport } from '../../src/core/model/reports/run-report.ts';
import type { GuardKind } from '../../src/server/session/guard.ts';
import type { Revision } from '../../src/server/protocol/revisions.ts';
import { lineOf } from '../support/accuracy.ts';
import { loadProject } from '../support/rules.ts';
import { openReferenceLab } from '../support/reference-server.ts';
import { someOf } from '../support/run/some-of.ts';

const lab = await openReferenceLab();
afterAll(() => lab.close());

/** Many checks share this process, so that an answer may wait for its turn. */
const timing = { answerMs: 6000 };
const patience = 600_000;

interface Case {
  guard: GuardKind;
  revision: Revision;
  /** Rules of authorization that cannot be decided here, by reason. */
  undecided: Record<string, readonly string[]>;
}

/** Only an authorization server that is checked itself shows them. */
const ofIssuers = (await loadProject()).plan.rules
  .filter(({ kind }) => kind === 'issuance')
  .map(({ id }) => id.replace('authorization/', ''));

const legacyRules = ['legacy-server-metadata', 'legacy-server-default-paths', 'legacy-metadata-location'];
const cases: readonly Case[] = [
  {
    guard: 'framework',
    revision: '2025-03-26',
    undecided: { 'the server follows the framework of later revisions': legacyRules },
  },
  { guard: 'legacy', revision: '2025-03-26', undecided: { 'there is metadata': ['legacy-server-default-paths'] } },
  {
    guard: 'default-endpoints',
    revision: '2025-03-26',
    undecided: {
      'there is no metadata': [
        'legacy-metadata-location',
        'oauth-dynamic-registration-server',
        'security-https-endpoints',
      ],
    },
  },
  ...(['2025-06-18', '2025-11-25', '2026-07-28'] as const).map(
    (revision): Case => ({
      guard: 'framework',
      revision,
      undecided: {},
    }),
  ),
];

function ofAuthorization(report: RunReport, ...statuses: string[]): string[] {
  return report.parts[0]!.verdicts.filter(
    ({ area, status }) => area === 'authorization' && statuses.includes(status),
  ).map(({ rule }) => rule.replace('authorization/', ''));
}

function failures(report: RunReport): string[] {
  return report.parts[0]!.verdicts.filter(({ status }) => status === 'fail' || status === 'error').map(lineOf);
}

describe.concurrent.each(someOf(cases, 6, ({ guard, revision }) => `${guard} ${revision}`))(
  'a server guarded by $guard at $revision',
  ({ guard, revision, undecided }) => {
    const excused = [...Object.values(undecided).flat(), ...ofIssuers];
    /** The default endpoints alone fall short of a recommendation. */
    const short = guard === 'default-endpoints' ? ['authorization/legacy-server-metadata'] : [];

    test(
      'passes with a token',
      async () => {
        const { report, gaveUp } = await lab.check({ transport: 'http', revision, guard, timing });
        expect(gaveUp).toBeUndefined();
        expect(report.incomplete).toBeNull();
        expect(failures(report).filter((line) => !short.some((rule) => line.startsWith(`fail ${rule}:`)))).toEqual([]);
        expect(report.compliant).toBe(true);
        expect(
          ofAuthorization(report, 'not-exercised', 'not-applicable').filter((rule) => !excused.includes(rule)),
        ).toEqual([]);
        expect(excused.filter((rule) => ofAuthorization(report, 'pass', 'fail').includes(rule))).toEqual([]);
      },
      patience,
    );

    test(
      'is judged without a token by its authorization alone',
      async () => {
        const { report, gaveUp } = await lab.check({ transport: 'http', revision, guard, withoutToken: true, timing });
        expect(gaveUp).toBeUndefined();
        expect(report.incomplete).toContain('--token');
        expect(failures(report).filter((line) => !short.some((rule) => line.startsWith(`fail ${rule}:`)))).toEqual([]);
        expect(ofAuthorization(report, 'pass').length).toBeGreaterThan(5);
        const decidedElsewhere = report.parts[0]!.verdicts.filter(
          ({ area, status }) => area !== 'authorization' && status === 'fail',
        );
        expect(decidedElsewhere.map(lineOf)).toEqual([]);
      },
      patience,
    );
  },
);

test(
  'a token that is wrong is told',
  async () => {
    const { report } = await lab.check({
      transport: 'http',
      revision: '2025-11-25',
      guard: 'framework',
      token: 'no-such-token',
      timing,
    });
    expect(report.incomplete).toBe('the server refuses the credentials given (HTTP 401)');
    expect(failures(report)).toEqual([]);
  },
  patience,
);
