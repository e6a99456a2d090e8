import { describe, expect, it } from 'vitest';
import { diffFleet } from '../../src/fleet/compare/diff.ts';
import { judgePolicies } from '../../src/fleet/compare/policies.ts';
import type { FleetReport, FleetServer } from '../../src/core/model/reports/fleet.ts';
import { olderFleet, sampleFleet } from '../support/sample-fleet.ts';

/** A fleet of the named servers of the sample. */
function fleetOf(ids: string[], more: Partial<FleetServer> = {}): FleetReport {
  const { report } = sampleFleet();
  return {
    ...report,
    servers: report.servers.filter(({ id }) => ids.includes(id)).map((server) => ({ ...server, ...more })),
  };
}
const judge = (report: FleetReport, options: Partial<Parameters<typeof judgePolicies>[1]> = {}) =>
  judgePolicies(report, { tagPolicies: [], ...options });
const brokenBy = (report: FleetReport, options: Partial<Parameters<typeof judgePolicies>[1]>): string[] =>
  judge(report, options).broken.map(({ server, policy, tag }) =>
    [server?.id ?? 'fleet', policy, ...(tag === undefined ? [] : [tag])].join(' '),
  );

describe('exit code', () => {
  it.each<[string, FleetReport, number, RegExp]>([
    ['all compliant', fleetOf(['billing'], { expectedGrade: 'A' }), 0, /^Compliant: 1 server\.$/],
    [
      'known failures only',
      fleetOf(['billing', 'legacy'], { stale: [], disabled: [] }),
      0,
      /^Within the baselines: 1 server with known failures only\.$/,
    ],
    [
      'a baseline gone stale',
      fleetOf(['legacy'], { disabled: [] }),
      1,
      /^1 server has a baseline with entries that pass now \(legacy\)\.$/,
    ],
    [
      'an entry of disable past its day',
      fleetOf(['legacy'], { stale: ['ping/answer-empty-result'] }),
      1,
      /^1 server has entries of disable that are stale \(legacy\)\.$/,
    ],
    ['a violation', fleetOf(['billing', 'fresh']), 1, /^1 server violates requirements \(fresh\)\.$/],
    ['one that cannot be reached', fleetOf(['billing', 'gone']), 1, /^1 server has no verdict \(gone\)\.$/],
    ['none that can be reached', fleetOf(['gone', 'slow']), 3, /^None of the 2 servers could be reached\.$/],
    ['the only one not reached', fleetOf(['gone']), 3, /^The server could not be reached\.$/],
    ['one that mcpc could not install', fleetOf(['gone', 'uninstalled']), 1, /^2 servers have no verdict/],
    ['nothing at all', fleetOf([]), 1, /^Nothing was checked/],
    [
      'a run cut short',
      { ...fleetOf(['billing']), incomplete: 'Interrupted.' },
      1,
      /^The run is incomplete: Interrupted\.$/,
    ],
    [
      'a check cut short',
      fleetOf(['billing'], { reason: 'target lost' }),
      1,
      /^1 server has an incomplete check \(billing\)\.$/,
    ],
    [
      'rules that mcpc could not judge',
      fleetOf(['billing'], { counts: { fail: 0, error: 2, 'not-exercised': 0, pass: 12, 'not-applicable': 0 } }),
      4,
      /^mcpc failed to judge rules of 1 server: billing\.$/,
    ],
    ['nothing decided', fleetOf(['billing'], { decided: 0 }), 1, /^1 server had nothing decided \(billing\)\.$/],
  ])('%s', (_what, report, code, why) => {
    const { exit } = judge(report);
    expect(exit.code).toBe(code);
    expect(exit.why).toMatch(why);
  });

  it('is that of a broken policy, though all are compliant', () => {
    expect(judge(fleetOf(['mail']), { minScore: 99 })).toMatchObject({
      held: false,
      exit: { code: 1, why: '1 broken policy.' },
    });
  });

  it('names three servers and counts the rest, and cuts long names', () => {
    const report = fleetOf(['gone', 'slow', 'uninstalled', 'billing']);
    report.servers = [
      ...report.servers,
      { ...report.servers.find(({ id }) => id === 'gone')!, id: 'x', name: 'x'.repeat(500) },
    ];
    expect(judge(report).exit.why).toBe('4 servers have no verdict (gone, slow, uninstalled and 1 more).');
    report.servers.reverse();
    expect(judge(report).exit.why.length).toBeLessThan(150);
  });
});

describe('policies', () => {
  it('of the run bind every server, also those without a verdict', () => {
    const report = fleetOf(['mail', 'search', 'gone'], {});
    expect(brokenBy(report, { minGrade: 'B' })).toEqual([
      'search min-grade',
      'search expected grade',
      'gone min-grade',
    ]);
    expect(brokenBy(report, { minScore: 60 })).toEqual(['search min-score', 'search expected grade', 'gone min-score']);
  });

  it('of a tag bind what has the tag', () => {
    const report = fleetOf(['billing', 'mail', 'fresh', 'script-alert-1']);
    expect(
      brokenBy(report, {
        tagPolicies: [
          { tag: 'edge', compliant: true, minGrade: 'C' },
          { tag: 'prod', minScore: 98 },
        ],
      }),
    ).toEqual([
      'mail min-score prod',
      'script-alert-1 min-grade edge',
      'script-alert-1 compliant edge',
      'fresh compliant edge',
    ]);
    expect(brokenBy(report, { tagPolicies: [{ tag: 'absent', minGrade: 'A' }] })).toEqual([]);
  });

  it('of a server bind it alone', () => {
    expect(judge(fleetOf(['search'])).broken).toEqual([
      { policy: 'expected grade', server: { id: 'search', name: 'search' }, why: 'The grade D is below A.' },
    ]);
  });

  it('allow so many regressions', () => {
    const report = sampleFleet().report;
    const diff = diffFleet(olderFleet().report, report);
    expect(brokenBy(report, { diff, maxRegressions: 2 })).toContain('fleet max-regressions');
    expect(brokenBy(report, { diff, maxRegressions: 3 })).not.toContain('fleet max-regressions');
    expect(brokenBy(report, { diff: null, maxRegressions: 0 })).not.toContain('fleet max-regressions');
  });

  it.each([{ minGrade: 'Z' }, { tagPolicies: [{ tag: 'prod', minGrade: 'a' }] }])(
    'refuse a grade that is none: %j',
    (options) => {
      expect(() => judge(fleetOf(['billing']), options)).toThrow(/"[Za]" is no grade; use one of A, B/);
    },
  );
});
