/** Paths that are walked directly give what RFC 9535 says: what json-p3 gives, over values of all sorts. */
import fc from 'fast-check';
import { query } from 'json-p3';
import { expect, test } from 'vitest';
import { pathNames, resolvePath } from '../../src/core/facts/values/json-path.ts';

const names = ['type', 'text', 'blob', 'content', 'toString', 'length', 'a-b', '0'];
const filters = [
  "@.type=='image'",
  "@.type == 'image' || @.type=='audio'",
  '@.text && @.blob',
  '!@.text',
  "@.content.type!='image'",
  '@.text || @.blob && !@.type',
];

const leaf = fc.oneof(
  fc.constantFrom('image', 'audio', '', 'x'),
  fc.integer({ max: 3 }),
  fc.boolean(),
  fc.constant(null),
);
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    leaf,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom(...names), tie('value'), { maxKeys: 5 }),
  ),
}));

const part = fc.oneof(
  fc.constantFrom('type', 'text', 'content', 'toString', 'length').map((name) => `.${name}`),
  fc.constantFrom('a-b', '__proto__', 'content').map((name) => `['${name}']`),
  fc.constantFrom('[*]', '.*'),
  fc.constantFrom(...filters).map((filter) => `[?${filter}]`),
);

test('a path gives what the standard says', () => {
  fc.assert(
    fc.property(value, fc.array(part, { maxLength: 4 }), (one, parts) => {
      const path = `$${parts.join('')}`;
      const all = query(path, one as never).values();
      const single = pathNames(path) !== undefined || !/[*?]/.test(path);
      expect(resolvePath(one, path)).toEqual(single ? all[0] : all);
    }),
    { numRuns: 3000 },
  );
});

test('positions count in lists', () => {
  expect(resolvePath([{ a: 1 }, { a: 2 }], '$[1].a')).toBe(2);
  expect(resolvePath({ list: ['x'] }, '$.list[3]')).toBeUndefined();
  expect(resolvePath(['x'], '$.length')).toBeUndefined();
});

test('what is no path of names is not taken for one', () => {
  expect(pathNames('$.a.b')).toEqual(['a', 'b']);
  for (const path of ['$.a[0]', '$.a[*]', '$.toString', "$['x','y']", '$..a', '$[?@.a]'])
    expect(pathNames(path), path).toBeUndefined();
});
