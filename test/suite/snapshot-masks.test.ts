/** What snapshots leave out: by its form, by the name of its member, or since the file says so. */
import { describe, expect, test } from 'vitest';
import { createMasks } from '../../src/suites/language/snapshot/masks.ts';
import { pathProblem, withoutVolatile } from '../../src/suites/language/snapshot/volatile.ts';

const masks = createMasks([
  { path: '/tmp', word: '<tmp>' },
  { path: '/tmp/mcpc-fixture-1-2-abc/fx', word: '<fixture>' },
  { path: '/home/ada', word: '<home>' },
]);

describe('masks', () => {
  test.each([
    ['id 6f1c1c2e-58f0-4a5f-9a30-8d7c0b6a6d11.', 'id <uuid>.'],
    ['at 2026-11-22T22:40:01.123Z, 2026-11-22 22:40:01+01:00', 'at <time>, <time>'],
    ['Sun, 22 Nov 2026 22:40:01 GMT', '<time>'],
    ['Sun Nov 22 2026 22:40:01 GMT+0000 (Coordinated Universal Time)', '<time>'],
    ['on 2026-11-22 at 22:40:01', 'on <date> at <time>'],
    ['on 2026-11-22, at 7:40:01 PM', 'on <date>, at <time>'],
    ['revision 2025-11-25', 'revision 2025-11-25'],
    ['since 1763851953, 1763851953123', 'since <time>, <time>'],
    [`${'0f'.repeat(32)} ${'AB'.repeat(20)}`, '<hash> <hash>'],
    [
      'http://localhost:43210/mcp and [::1]:8080, port 43211',
      'http://localhost:<port>/mcp and [::1]:<port>, port <port>',
    ],
    ['took 12.5ms, then 3 seconds', 'took <duration>, then <duration>'],
    ['/tmp/mcpc-fixture-1-2-abc/fx/a.txt in /tmp/x-81hs/b.txt', '<fixture>/a.txt in <tmp>/b.txt'],
    ['/home/ada/x but /home/adam/x', '<home>/x but /home/adam/x'],
    // What is no such thing stays.
    ['version 1.2.3, 12 entries, 1599, 5 stars, a1b2c3', 'version 1.2.3, 12 entries, 1599, 5 stars, a1b2c3'],
    ['ratio 3:45, 10.0.0.1:8080', 'ratio 3:45, 10.0.0.1:8080'],
  ])('%s', (text, masked) => {
    expect(masks.text(text)).toBe(masked);
  });

  test('in data, in names, and in JSON within texts', () => {
    expect(
      masks.value({
        elapsedMs: 12,
        limit: 12,
        created: 1763851953123,
        '/tmp/a1/x': 1,
        '/tmp/b2/x': 2,
        text: '{"uptime":3,"n":12345678901234567890}',
      }),
    ).toEqual({
      elapsedMs: '<duration>',
      limit: 12,
      created: '<time>',
      '<tmp>/x': 1,
      '<tmp>/x (2)': 2,
      text: '{\n  "uptime": "<duration>",\n  "n": 12345678901234567890\n}',
    });
  });

  test('a text that has been masked stays as it is', () => {
    const once = masks.text('took 12ms at 2026-11-22T22:40:01Z in /tmp/a/b');
    expect(masks.text(once)).toBe(once);
  });

  test('names of members reach no prototype', () => {
    const value = masks.value(JSON.parse('{"__proto__":{"polluted":"12ms"}}')) as object;
    expect(Object.keys(value)).toEqual(['__proto__']);
    expect(({} as { polluted?: string }).polluted).toBeUndefined();
  });
});

describe('volatile paths', () => {
  const result = {
    structuredContent: { visits: 1, list: [{ id: 7 }, { id: 8 }] },
    content: [
      { type: 'text', text: '{"visits":1,"my-key":2}' },
      { type: 'text', text: 'plain' },
    ],
  };

  test.each([
    [
      '$.visits',
      {
        structuredContent: { ...result.structuredContent, visits: '<volatile>' },
        content: [{ type: 'text', text: '{"visits":"<volatile>","my-key":2}' }, result.content[1]],
      },
    ],
    [
      '$.list[*].id',
      { ...result, structuredContent: { visits: 1, list: [{ id: '<volatile>' }, { id: '<volatile>' }] } },
    ],
    ['structuredContent.list', { ...result, structuredContent: { visits: 1, list: '<volatile>' } }],
    [
      '$.my-key',
      { ...result, content: [{ type: 'text', text: '{"visits":1,"my-key":"<volatile>"}' }, result.content[1]] },
    ],
    [
      '$',
      {
        ...result,
        content: [
          { type: 'text', text: '<volatile>' },
          { type: 'text', text: '<volatile>' },
        ],
      },
    ],
    ['$.nothing', result],
  ])('%s', (path, expected) => {
    expect(withoutVolatile(result, [path])).toEqual(expected);
  });

  test('a path that cannot be read has words for it', () => {
    expect(pathProblem('$.a[?')).toMatch(/./);
    expect(pathProblem('$.a b[0]')).toBeUndefined();
  });
});
