import { describe, expect, it } from 'vitest';
import {
  applyBaseline,
  formatBaseline,
  parseBaseline,
  updateBaseline,
  withBaseline,
} from '../../src/core/score/baseline.ts';
import type { Baseline } from '../../src/core/score/baseline.ts';
import type { ReportPart } from '../../src/core/model/reports/run-report.ts';
import { runOf } from '../../src/core/model/reports/run-parts.ts';
import { sampleReport } from '../support/sample-report.ts';
import { verdictWith } from '../support/verdicts.ts';

const baseline = (...failures: Baseline['failures']): Baseline => ({
  format: 'mcpc-baseline',
  version: 1,
  revision: '2025-11-25',
  failures,
});

describe('applying', () => {
  const verdicts = [
    verdictWith({ rule: 'z/known', status: 'fail' }),
    verdictWith({ rule: 'a/fresh', status: 'fail' }),
    verdictWith({ rule: 'b/stale', status: 'pass' }),
    verdictWith({ rule: 'c/silent', status: 'not-exercised' }),
    verdictWith({ rule: 'd/other', status: 'not-applicable' }),
    verdictWith({ rule: 'e/broken', status: 'error' }),
  ];

  it('tells known, fresh, stale and undecided apart', () => {
    const listed = ['z/known', 'b/stale', 'c/silent', 'd/other', 'e/broken', 'f/absent'].map((rule) => ({ rule }));
    expect(applyBaseline(verdicts, baseline(...listed), '2025-11-25')).toEqual({
      known: ['z/known'],
      fresh: ['a/fresh'],
      stale: ['b/stale'],
      undecided: ['c/silent', 'd/other', 'e/broken', 'f/absent'],
    });
  });

  it('refuses a baseline of another revision', () => {
    expect(() => applyBaseline(verdicts, baseline(), '2025-06-18')).toThrow(
      /written for revision 2025-11-25.*2025-06-18/,
    );
  });

  it('makes no entry stale by a check that asked for less', () => {
    const { baseline: _old, ...one } = sampleReport();
    const known = baseline({ rule: 'ping/answer-empty-result' }, { rule: 'tools/list-answered' });
    const [whole, quick] = [{}, { profile: 'quick' as const }].map(
      (profile) =>
        withBaseline(runOf({ ...one, ruleSet: { ...one.ruleSet, ...profile } }), known, 'b.json').parts[0]!.baseline,
    );
    expect(whole!.stale).toEqual(['tools/list-answered']);
    expect(quick).toEqual({ ...whole, stale: [] });
  });

  it('marks known failures in a copy of the report', () => {
    const { baseline: _old, ...one } = sampleReport();
    const report = runOf(one);
    const before = structuredClone(report);
    const [marked] = withBaseline(
      report,
      baseline({ rule: 'ping/answer-empty-result' }, { rule: 'tools/list-answered' }),
      'b.json',
    ).parts as [ReportPart];
    expect(report).toEqual(before);
    expect(marked.baseline).toMatchObject({
      file: 'b.json',
      known: ['ping/answer-empty-result'],
      stale: ['tools/list-answered'],
    });
    expect(marked.verdicts.find((v) => v.rule === 'ping/answer-empty-result')?.known).toBe(true);
    expect(marked.verdicts.find((v) => v.rule === 'lifecycle/protocol-version-echoed')?.known).toBeUndefined();
  });
});

describe('updating', () => {
  it('takes what counts, keeps reasons and what could not be decided, drops what passes', () => {
    const previous = baseline(
      { rule: 'tools/list-answered', reason: 'passes now' },
      { rule: 'stdio/stdout-messages-only', reason: 'the banner goes in 2.0' },
      { rule: 'progress/value-increases', reason: 'not seen this time' },
      { rule: 'cancellation/cancelled-request-unanswered', reason: 'only a warning, but listed by hand' },
      { rule: 'gone/rule' },
    );
    const next = updateBaseline(runOf(sampleReport()), previous);
    expect(next.failures).toEqual([
      { rule: 'cancellation/cancelled-request-unanswered', reason: 'only a warning, but listed by hand' },
      { rule: 'gone/rule' },
      { rule: 'lifecycle/protocol-version-echoed' },
      { rule: 'ping/answer-empty-result' },
      { rule: 'progress/value-increases', reason: 'not seen this time' },
      { rule: 'stdio/stdout-messages-only', reason: 'the banner goes in 2.0' },
    ]);
    expect(next.target).toBe('example-server');
  });

  it('is the same file for equal runs, and reads back', () => {
    const report = sampleReport();
    const text = formatBaseline(updateBaseline(runOf(report)));
    report.verdicts.reverse();
    expect(formatBaseline(updateBaseline(runOf(report)))).toBe(text);
    const read = parseBaseline(text, 'b.json');
    expect(formatBaseline(updateBaseline(runOf(report), read))).toBe(text);
    expect(applyBaseline(report.verdicts, read, report.revision)).toMatchObject({ stale: [], undecided: [] });
  });
});

describe('reading', () => {
  it.each([
    ['{', /not JSON/],
    ['[]', /not a JSON object/],
    ['{"format":"other"}', /"format"/],
    ['{"format":"mcpc-baseline","version":2}', /"version"/],
    ['{"format":"mcpc-baseline","version":1}', /"revision"/],
    ['{"format":"mcpc-baseline","version":1,"revision":"r","target":1,"failures":[]}', /"target"/],
    ['{"format":"mcpc-baseline","version":1,"revision":"r"}', /"failures"/],
    ['{"format":"mcpc-baseline","version":1,"revision":"r","failures":["x"]}', /failures\[0\] needs a "rule"/],
    [
      '{"format":"mcpc-baseline","version":1,"revision":"r","failures":[{"rule":"a","reason":3}]}',
      /failures\[0\]: "reason"/,
    ],
    ['{"format":"mcpc-baseline","version":1,"revision":"r","failures":[{"rule":"a"},{"rule":"a"}]}', /a appears twice/],
  ])('refuses %s', (text, message) => {
    expect(() => parseBaseline(text, 'file.json')).toThrow(message);
    expect(() => parseBaseline(text, 'file.json')).toThrow(/file\.json/);
  });
});
