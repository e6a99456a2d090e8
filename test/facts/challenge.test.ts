/** WWW-Authenticate headers, well formed and not. */
import { describe, expect, test } from 'vitest';
import { bearerChallenge, challengesIn } from '../../src/core/facts/values/challenge.ts';

describe('challenges', () => {
  test.each<[string | string[], { scheme: string; parameters: Record<string, string> }[]]>([
    ['Bearer', [{ scheme: 'bearer', parameters: {} }]],
    [
      'bearer Scope="a b", ERROR=invalid_token',
      [{ scheme: 'bearer', parameters: { scope: 'a b', error: 'invalid_token' } }],
    ],
    [
      'Bearer realm="a, b=c", resource_metadata="https://x/y?z=1"',
      [{ scheme: 'bearer', parameters: { realm: 'a, b=c', resource_metadata: 'https://x/y?z=1' } }],
    ],
    [
      'Bearer resource_metadata=https://x/y, scope=a',
      [{ scheme: 'bearer', parameters: { resource_metadata: 'https://x/y', scope: 'a' } }],
    ],
    [
      'Basic realm="x", Bearer scope="a"',
      [
        { scheme: 'basic', parameters: { realm: 'x' } },
        { scheme: 'bearer', parameters: { scope: 'a' } },
      ],
    ],
    [
      'Negotiate YWJj==, Bearer scope="a"',
      [
        { scheme: 'negotiate', parameters: {} },
        { scheme: 'bearer', parameters: { scope: 'a' } },
      ],
    ],
    [
      ['Basic realm="x"', 'Bearer'],
      [
        { scheme: 'basic', parameters: { realm: 'x' } },
        { scheme: 'bearer', parameters: {} },
      ],
    ],
    ['Bearer scope="say \\"hi\\""', [{ scheme: 'bearer', parameters: { scope: 'say "hi"' } }]],
    ['Bearer scope="a", scope="b"', [{ scheme: 'bearer', parameters: { scope: 'a' } }]],
    ['Bearer __proto__="x"', [{ scheme: 'bearer', parameters: {} }]],
    ['', []],
    ['"""', []],
    ['=, = "', []],
  ])('%j', (text, wanted) => {
    expect(challengesIn({ 'www-authenticate': text })).toEqual(wanted);
  });

  test('none without the header', () => {
    expect(challengesIn({})).toEqual([]);
    expect(bearerChallenge([])).toBeUndefined();
  });

  test('a long header of nonsense takes no time to speak of', () => {
    for (const text of ['a="'.repeat(100_000), '\\"'.repeat(100_000), 'Bearer '.repeat(100_000)])
      expect(challengesIn({ 'www-authenticate': text }).length).toBeLessThan(9000);
  });
});
