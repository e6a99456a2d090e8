/** The quick look for signs of credentials lets nothing pass that the pattern of signs finds. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { anySign, hasSign } from '../../src/core/trace/redaction/credential-scan.ts';

const words = [
  'eyJ',
  'sk-',
  'sk_',
  'ghp_',
  'gho_',
  'ghu_',
  'ghs_',
  'ghr_',
  'github_pat',
  'glpat-',
  'xox',
  'AKIA',
  'ASIA',
  'AIza',
  'npm_',
  'rk_',
  'hf_',
  'PRIVATE KEY',
  'bearer',
  'basic',
  '" :',
  "':",
  'authorization',
  'cookie',
  'api-key',
  'auth-token',
  '=',
  '@',
];
const cased = (word: string): fc.Arbitrary<string> =>
  fc
    .tuple(...[...word].map((letter) => fc.constantFrom(letter.toLowerCase(), letter.toUpperCase())))
    .map((letters) => letters.join(''));

it.each(words)('%s is seen in any case, wherever it stands', (word) => {
  fc.assert(
    fc.property(fc.string({ maxLength: 20 }), cased(word), fc.string({ maxLength: 20 }), (before, sign, after) => {
      expect(anySign.test(` ${sign}`), `the pattern finds ${sign}`).toBe(true);
      const text = `${before} ${sign}${after}`;
      return !anySign.test(text) || hasSign(text);
    }),
    { numRuns: 200 },
  );
});

it('text of any kind is seen where the pattern finds something, and not where it finds nothing', () => {
  const piece = fc.oneof(
    fc.string(),
    fc.string({ unit: 'binary' }),
    fc.constantFrom(...words.flatMap((word) => [word, word.slice(0, 3), word.slice(1)])),
  );
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 8 }),
      (pieces) => hasSign(pieces.join('')) === anySign.test(pieces.join('')),
    ),
    { numRuns: 3000 },
  );
});
