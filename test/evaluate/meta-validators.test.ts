/** The meta-schemas that the build compiles say the same as those that are compiled when they are asked. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { metaSchemas } from '../../src/core/json-schema/meta-schemas.ts';
import { metaValidator } from '../../src/core/json-schema/on-demand.ts';
import type { DialectName } from '../../src/core/json-schema/schema-copy.ts';
import { buildOnDemand } from '../../src/tools/build-on-demand.ts';
import { thorough } from '../support/run/options.ts';

let folder = '';
afterAll(() => folder !== '' && rmSync(folder, { recursive: true, force: true }));
const load = createRequire(import.meta.url);
const built = (dialect: DialectName): ReturnType<typeof metaValidator> =>
  load(join(folder, `meta-${dialect}.cjs`)) as ReturnType<typeof metaValidator>;

/** What the build makes changes with Ajv alone: in every fourth run. */
const isDue = thorough;
beforeAll(async () => {
  if (!isDue) return;
  folder = mkdtempSync(join(tmpdir(), 'mcpc-meta-'));
  await buildOnDemand(folder);
});

const schemas: unknown[] = [
  {},
  true,
  'text',
  null,
  [],
  {
    type: 'object',
    properties: { a: { type: 'string' }, b: { $ref: '#/$defs/b' } },
    required: ['a'],
    $defs: { b: { type: ['integer', 'null'] } },
  },
  { type: 'objekt' },
  { type: 7, properties: [] },
  { properties: { a: { properties: { b: { type: 'nothing' } } } } },
  { required: 'a' },
  { required: ['a', 'a'] },
  { minimum: '1', maxLength: -1, multipleOf: 0 },
  { items: 3 },
  { items: [{ type: 'string' }] },
  { anyOf: [] },
  { enum: [] },
  { enum: 'a' },
  { $ref: 5, $id: 'a#b' },
  { dependentRequired: { a: [1] }, dependencies: { a: 'b' } },
  { if: 1, then: {}, else: 'x', not: [] },
  { additionalProperties: { type: {} }, patternProperties: { a: 1 } },
  { allOf: [{ oneOf: [{ const: null, uniqueItems: 'yes' }] }] },
];

it.runIf(isDue).each(Object.keys(metaSchemas) as DialectName[])('%s', (dialect) => {
  for (const schema of schemas) {
    const [one, other] = [metaValidator(dialect), built(dialect)];
    expect(other(schema), JSON.stringify(schema)).toBe(one(schema));
    expect(other.errors ?? null, JSON.stringify(schema)).toEqual(one.errors ?? null);
  }
  expect(schemas.filter((schema) => !built(dialect)(schema)).length).toBeGreaterThan(8);
});
