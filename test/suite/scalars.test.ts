/** Plain scalars of YAML: what authors of 1.1 and 1.2 mean, with all digits of whole numbers, and nothing that turns into null. */
import { expect, test } from 'vitest';
import { readPlainScalar } from '../../src/suites/language/scalars.ts';

test.each([
  ['0755', 493, /octal/],
  ['1_000', 1000, /number 1000/],
  ['9007199254740993', 9_007_199_254_740_993n, undefined],
  ['-0', 0, undefined],
  ['1.5e3', 1500, undefined],
  ['1e400', '1e400', /beyond what a number can be/],
  ['-1e400', '-1e400', /beyond what a number can be/],
  ['yes', 'yes', undefined],
  ['2026-07-28', '2026-07-28', undefined],
] as const)('%s', (source, value, warning) => {
  const read = readPlainScalar(source);
  expect(read.value).toBe(value);
  if (warning === undefined) expect(read.warning).toBeUndefined();
  else expect(read.warning).toMatch(warning);
});
