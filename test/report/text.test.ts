import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  formatDuration,
  formatScore,
  formatTime,
  oneLine,
  plural,
  shorten,
  visible,
  webLink,
} from '../../src/report/text.ts';

describe('visible', () => {
  it.each([
    ['plain ✓ é 漢字', 'plain ✓ é 漢字'],
    ['\u001b[2J', '\\u001b[2J'],
    ['\u009b31m', '\\u009b31m'],
    ['a\r\nb\tc', 'a\\r\nb\tc'],
    ['\u0000\u007f', '\\u0000\\u007f'],
    ['\u202egnp', '\\u202egnp'],
    ['zero\u200bwidth', 'zero\\u200bwidth'],
    ['tag\u{e0041}', 'tag\\u{e0041}'],
    ['lone \ud800 and \udc00', 'lone \\ud800 and \\udc00'],
    ['👩‍🔬', '👩‍🔬'],
  ])('%j becomes %j', (from, to) => {
    expect(visible(from)).toBe(to);
  });

  it('leaves nothing that a terminal obeys or XML refuses, and does nothing twice', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        const shown = visible(text);
        // eslint-disable-next-line no-control-regex -- looking for them is the test
        expect(shown).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\ufffe\uffff]/);
        expect(shown).not.toMatch(/\p{Cs}/u);
        expect(visible(shown)).toBe(shown);
      }),
    );
  });
});

it('oneLine leaves no line ends', () => {
  expect(oneLine('  a\r\n b\n\tc \u0085d ')).toBe('a b c \\u0085d');
});

it('shorten never cuts a surrogate pair', () => {
  expect(shorten('abcdef', 6)).toBe('abcdef');
  expect(shorten('abcdef', 4)).toBe('abc…');
  expect(shorten('ab😀cd', 4)).toBe('ab…');
});

it.each([
  [0, '0 ms'],
  [849.6, '850 ms'],
  [1234.5, '1.23 s'],
  [59_999, '60.00 s'],
  [125_400, '2 min 5 s'],
])('%d ms is %s', (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
});

it('formats scores, times and plurals', () => {
  expect([formatScore(null), formatScore(100), formatScore(87.5)]).toEqual(['–', '100.0', '87.5']);
  expect(formatTime('2026-11-21T22:39:04.123Z')).toBe('2026-11-21 22:39:04 UTC');
  expect(formatTime('yes\u001b[1m')).toBe('yes\\u001b[1m');
  expect([plural(1, 'rule'), plural(2, 'rule'), plural(2, 'entry', 'entries')]).toEqual([
    '1 rule',
    '2 rules',
    '2 entries',
  ]);
});

it.each([
  ['https://example.org/a#b', 'https://example.org/a#b'],
  ['https://example.org/a_(b)', 'https://example.org/a_%28b%29'],
  ['javascript:alert(1)', null],
  ['data:text/html,x', null],
  ['https://example.org/"onclick=x', null],
  [' https://example.org', null],
  [null, null],
])('webLink(%j) is %j', (from, to) => {
  expect(webLink(from)).toBe(to);
});
