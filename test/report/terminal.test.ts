import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { renderReport } from '../support/render-part.ts';
import { sampleReport, seen } from '../support/sample-report.ts';
import { verdictWith } from '../support/verdicts.ts';

const render = (options: object = {}, report = sampleReport()) =>
  renderReport(report, 'terminal', { color: false, width: 100, ...options });

it('emits no control but line feeds without colour, and only colours with it', () => {
  // eslint-disable-next-line no-control-regex -- looking for them is the test
  const control = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/;
  expect(render({ verbose: true })).not.toMatch(control);
  const coloured = render({ color: true, verbose: true });
  // eslint-disable-next-line no-control-regex -- the escapes of colours
  expect(coloured.replace(/\u001b\[\d+m/g, '')).not.toMatch(control);
  expect(coloured).toContain('\u001b[');
});

it('shows the same text with and without colour', () => {
  const words = (text: string) => stripVTControlCharacters(text).replace(/[█x!?░\s]+/g, ' ');
  expect(words(render({ color: true }))).toBe(words(render()));
});

it.each([60, 80, 120])('keeps to %d columns, whole addresses aside', (width) => {
  const lines = render({ width, verbose: true })
    .replaceAll('👩‍🔬', 'xx')
    .split('\n')
    .filter((line) => !/^  Clause +https:\/\/\S+$/.test(line));
  expect(lines.filter((line) => [...line].length > width)).toEqual([]);
  expect(Math.max(...lines.map((line) => [...line].length))).toBeGreaterThan(width - 12);
});

describe('order and content', () => {
  const text = render();
  const at = (part: string): number => {
    const index = text.indexOf(part);
    expect(index, part).toBeGreaterThanOrEqual(0);
    return index;
  };

  it('goes scorecard, violations, warnings, advice, errors, open, left out, totals', () => {
    const places = [
      'NOT COMPLIANT',
      'Violations (3)',
      'Warnings (1)',
      'Notes (1)',
      'mcpc could not judge (1)',
      'Not reached: 1',
      'Conditional: 1',
      'Left out (4)',
      'Baseline mcpc-baseline.json',
      '3 violated, 1 warned',
    ].map(at);
    expect(places).toEqual([...places].sort((a, b) => a - b));
  });

  it('shows for a violation the requirement, what was due and seen, the fix, the clause and the exchange', () => {
    const part = text.slice(at('✗ lifecycle/protocol-version-echoed'), at('✗ ping/'));
    for (const word of [
      'MUST',
      'The server answered 1999-01-01',
      'Fix',
      'Clause',
      'https://',
      '#2 → {',
      '#3 ← ',
      '#3 ←',
    ])
      expect(part).toContain(word);
    expect(part.trimEnd().split('\n').length).toBeLessThanOrEqual(8);
  });

  it('shows with --verbose the requirement, and what was due and seen, in full', () => {
    const whole = render({ verbose: true });
    const part = whole.slice(whole.indexOf('✗ lifecycle/protocol-version-echoed'), whole.indexOf('✗ ping/'));
    for (const word of [
      'MUST',
      'Requirement',
      'Expected',
      '"protocolVersion": "2025-11-25"',
      'Actual',
      '"1999-01-01"',
      'Fix',
      'Clause',
      'https://',
      '#2 → initialize',
      '#3 ←',
    ])
      expect(part).toContain(word);
  });

  it('marks what was sent wrong on purpose', () => {
    const report = sampleReport();
    report.verdicts = [verdictWith({ status: 'fail', evidence: [seen(8)] })];
    expect(render({}, report)).toContain('(deliberate: cancelled at once)');
  });

  it('lists what was not exercised only when asked', () => {
    expect(text).not.toContain('progress/value-increases');
    expect(render({ verbose: true })).toContain('◌ progress/value-increases');
  });
});

it('is short when quiet', () => {
  expect(render({ quiet: true }).trimEnd().split('\n')).toEqual([
    'NOT COMPLIANT  example-server  score 53.1  grade D  decided 9/11',
    '✗ lifecycle/protocol-version-echoed',
    '✗ ping/answer-empty-result',
    '✗ stdio/stdout-messages-only (known)',
    '! cancellation/cancelled-request-unanswered',
    '‼ errors/code-is-integer',
  ]);
});

it('shows a clean run in a few lines', () => {
  const report = sampleReport();
  delete report.baseline;
  Object.assign(report, {
    compliant: true,
    score: 100,
    grade: 'A',
    verdicts: [verdictWith()],
    areas: [],
    levels: [],
    skipped: [],
    calls: { called: [], notCalled: [] },
    wire: [],
  });
  const text = render({}, report);
  expect(text).toContain('COMPLIANT  score 100.0  grade A');
  expect(text).not.toContain('NOT COMPLIANT');
  expect(text.split('\n').length).toBeLessThan(19);
});
