import { describe, expect, it } from 'vitest';
import { diffFleet } from '../../src/fleet/compare/diff.ts';
import type { FleetReport } from '../../src/core/model/reports/fleet.ts';
import {
  decodeVerdict,
  encodeVerdicts,
  fleetRules,
  reorderVerdicts,
} from '../../src/core/model/reports/verdict-codes.ts';
import { largeFleet, olderFleet, sampleFleet } from '../support/sample-fleet.ts';
import { verdictWith } from '../support/verdicts.ts';

const older = (): FleetReport => olderFleet().report;
const newer = (): FleetReport => sampleFleet().report;
const pairs = (changes: readonly { id: string; rule: string }[]): string[] =>
  changes.map(({ id, rule }) => `${id} ${rule}`).sort();

describe('letters of verdicts', () => {
  const rules = fleetRules([
    { id: 'b/x', title: 'B' },
    { id: 'a/x', title: 'A' },
    { id: 'b/x', title: 'B' },
  ]);

  it('stand in the order of the rules, each rule once', () => {
    expect(rules.map(({ id }) => id)).toEqual(['a/x', 'b/x']);
    expect(
      encodeVerdicts(rules, [
        verdictWith({ rule: 'b/x', status: 'fail', severity: 'warning' }),
        verdictWith({ rule: 'c/x' }),
      ]),
    ).toBe('.w');
  });

  it.each([
    [{ status: 'pass' }, 'p', 'pass', false],
    [{ status: 'fail', severity: 'error' }, 'v', 'violation', false],
    [{ status: 'fail', severity: 'error', known: true }, 'V', 'violation', true],
    [{ status: 'fail', severity: 'info', known: true }, 'I', 'advice', true],
    [{ status: 'error' }, 'e', 'error', false],
    [{ status: 'not-exercised' }, 'o', 'not-exercised', false],
    [{ status: 'not-applicable' }, 'n', 'not-applicable', false],
  ] as const)('%j is %s', (verdict, letter, state, known) => {
    expect(encodeVerdicts([{ id: 'a/x', title: '' }], [verdictWith({ rule: 'a/x', ...verdict })])).toBe(letter);
    expect(decodeVerdict(letter)).toEqual({ state, known });
  });

  it('say nothing of what is not there', () => {
    for (const letter of ['.', '', '?', undefined])
      expect(decodeVerdict(letter)).toEqual({ state: 'absent', known: false });
  });

  it('follow their rules into another order', () => {
    const to = [
      { id: 'c/x', title: '' },
      { id: 'b/x', title: '' },
      { id: 'a/x', title: '' },
    ];
    expect(reorderVerdicts('pv', rules, to)).toBe('.vp');
    expect(reorderVerdicts(null, rules, to)).toBeNull();
  });
});

describe('two runs', () => {
  const diff = diffFleet(older(), newer());

  it('tell regressions from rules that are new', () => {
    expect(diff.ruleSetChanged).toBe(true);
    expect(pairs(diff.regressions)).toEqual([
      'search cancellation/cancelled-request-unanswered',
      'search lifecycle/protocol-version-echoed',
      'search stdio/stdout-messages-only',
      'search tools/description-given',
      'search tools/list-answered',
    ]);
    expect(diff.regressions.find(({ rule }) => rule === 'stdio/stdout-messages-only')).toMatchObject({
      known: true,
      before: 'pass',
      now: 'violation',
      severity: 'error',
      level: 'MUST NOT',
    });
    expect(pairs(diff.newRules)).toEqual(['mail tools/unknown-name-refused']);
    expect(diff.newRules[0]).toMatchObject({ before: 'absent', now: 'warning' });
  });

  it('count what costs compliance and is in no baseline, and servers that were lost', () => {
    // Two of the five regressions, and the server that is gone.
    expect(diff.worse).toBe(3);
    expect(diff.lost).toMatchObject([{ id: 'gone', from: 'checked', to: 'unreachable' }]);
  });

  it('call fixed only what passes now', () => {
    expect(pairs(diff.fixes)).toEqual(['legacy progress/value-increases', 'mail ping/answer-empty-result']);
    const blind = newer();
    const mail = blind.servers.find(({ id }) => id === 'mail')!;
    const place = blind.rules.findIndex(({ id }) => id === 'ping/answer-empty-result');
    mail.verdicts = `${mail.verdicts!.slice(0, place)}o${mail.verdicts!.slice(place + 1)}`;
    const other = diffFleet(older(), blind);
    expect(pairs(other.fixes)).toEqual(['legacy progress/value-increases']);
    expect(other.undecided).toMatchObject([
      { id: 'mail', rule: 'ping/answer-empty-result', before: 'violation', now: 'not-exercised' },
    ]);
    // Of a check that was cut short, only what failed is certain.
    const cut = newer();
    cut.servers.find(({ id }) => id === 'mail')!.status = 'timeout';
    expect(pairs(diffFleet(older(), cut).undecided)).toEqual(['mail ping/answer-empty-result']);
  });

  it('tell which optional features came and went, where both runs looked for them and came to their end', () => {
    const [embedded, progress] = ['tools/result-embedded-resource', 'progress/receiver-permission'];
    expect(
      diff.features.map(({ id, came, went }) => [id, came.map((one) => one.id), went.map((one) => one.id)]),
    ).toEqual([['search', [embedded], [progress]]]);
    const changed = (change: (older: FleetReport, newer: FleetReport) => void): unknown => {
      const [before, now] = [older(), newer()];
      change(before, now);
      return diffFleet(before, now).features.map(({ came, went }) => [came.length, went.length]);
    };
    const search = ({ servers }: FleetReport) => servers.find(({ id }) => id === 'search')!;
    expect(changed((_before, now) => (search(now).reason = 'The check was cut short.'))).toEqual([[1, 0]]);
    expect(changed((before) => (search(before).reason = 'The check was cut short.'))).toEqual([[0, 1]]);
    expect(changed((before) => (before.features = before.features!.filter(({ id }) => id !== embedded)))).toEqual([
      [0, 1],
    ]);
    expect(changed((before) => delete search(before).features)).toEqual([]);
    expect(changed((before) => delete before.features)).toEqual([]);
    expect(diff.worse).toBe(3);
  });

  it('name servers that came, went and were renamed', () => {
    expect(diff.added.map(({ id }) => id)).toEqual(['slow', 'uninstalled', 'fresh']);
    expect(diff.removed).toEqual([{ id: 'retired', name: 'retired' }]);
    expect(diff.renamed).toMatchObject([{ id: 'script-alert-1', from: 'hostile before' }]);
    expect(diff.scores.map(({ id }) => id)).toEqual(['search', 'mail', 'script-alert-1', 'legacy']);
  });

  it.each<[string, Partial<FleetReport>]>([
    ['cut short', { incomplete: 'Interrupted.' }],
    ['a shard', { shards: ['1/2'] }],
  ])('do not call a server removed when the newer one is %s', (_what, more) => {
    const part = diffFleet(older(), { ...newer(), ...more });
    expect(part.removed).toEqual([]);
    expect(part.notRun).toEqual([{ id: 'retired', name: 'retired' }]);
  });

  it('have nothing to say of a server that had no verdict in one of them', () => {
    const back = diffFleet(newer(), older());
    expect(back.statusChanges).toMatchObject([{ id: 'gone', from: 'unreachable', to: 'checked' }]);
    expect(back.lost).toEqual([]);
    expect(back.regressions.some(({ id }) => id === 'gone')).toBe(false);
  });

  it('are equal to themselves', () => {
    const fleet = largeFleet(40, 60);
    expect(diffFleet(fleet, fleet)).toMatchObject({
      worse: 0,
      regressions: [],
      fixes: [],
      undecided: [],
      newRules: [],
      scores: [],
      added: [],
      removed: [],
      ruleSetChanged: false,
    });
  });
});
