/** Arbitrary schemas for property tests: satisfiable ones of the kinds that tools have, and looser ones. */
import fc from 'fast-check';

type Json = Record<string, unknown>;

const scalarText: fc.Arbitrary<Json> = fc.oneof(
  fc.record(
    {
      type: fc.constant('string'),
      minLength: fc.integer({ min: 0, max: 8 }),
      maxLength: fc.integer({ min: 8, max: 12 }),
    },
    { requiredKeys: ['type'] },
  ),
  fc.record({
    type: fc.constant('string'),
    format: fc.constantFrom(
      'date-time',
      'date',
      'time',
      'uri',
      'email',
      'uuid',
      'ipv4',
      'ipv6',
      'hostname',
      'duration',
      'uri-reference',
      'json-pointer',
    ),
  }),
  fc
    .constantFrom('^[a-z]{2,5}$', '^\\d{3}-\\d{4}$', '^(?:yes|no)$', '^[A-Z][a-z]+$', '^\\S+@\\S+$')
    .map((pattern) => ({ type: 'string', pattern })),
);

const scalarNumber: fc.Arbitrary<Json> = fc
  .record({
    type: fc.constantFrom('integer', 'number'),
    low: fc.integer({ min: -50, max: 50 }),
    room: fc.integer({ min: 12, max: 100 }),
    ends: fc.constantFrom('none', 'closed', 'open', 'low', 'high'),
    multipleOf: fc.option(fc.constantFrom(1, 2, 3, 5, 10, 0.5, 0.25), { nil: undefined }),
  })
  .map(({ type, low, room, ends, multipleOf }) => ({
    type,
    ...(ends === 'closed' || ends === 'low' ? { minimum: low } : {}),
    ...(ends === 'closed' || ends === 'high' ? { maximum: low + room } : {}),
    ...(ends === 'open' ? { exclusiveMinimum: low, exclusiveMaximum: low + room } : {}),
    ...(multipleOf === undefined ? {} : { multipleOf }),
  }));

const choice: fc.Arbitrary<Json> = fc.oneof(
  fc
    .uniqueArray(fc.string({ maxLength: 5 }), { minLength: 1, maxLength: 4 })
    .map((values) => ({ type: 'string', enum: values })),
  fc.jsonValue({ maxDepth: 1 }).map((value) => ({ const: value })),
  fc.constant({ type: 'boolean' }),
  fc.constant({ type: ['null', 'string'] }),
  fc.integer().map((value) => ({ type: 'integer', default: value })),
  fc.integer().map((value) => ({ type: 'integer', minimum: 0, default: value, examples: [value, 'x'] })),
);

const scalar = fc.oneof(scalarText, scalarNumber, choice, fc.constant<Json>({ $ref: '#/$defs/shared' }));
const name = fc.constantFrom('a', 'b', 'c', 'url', 'path', 'count', 'name');

function objectOf(part: fc.Arbitrary<Json>): fc.Arbitrary<Json> {
  return fc
    .record({
      properties: fc.dictionary(name, part, { maxKeys: 4 }),
      pick: fc.integer({ min: 0, max: 15 }),
      closed: fc.boolean(),
    })
    .map(({ properties, pick, closed }) => ({
      type: 'object',
      properties,
      required: Object.keys(properties).filter((_one, index) => (pick & (1 << index)) !== 0),
      ...(closed ? { additionalProperties: false } : {}),
    }));
}

function withDefinitions(schema: Json): Json {
  return {
    ...schema,
    $defs: { shared: { type: 'object', properties: { zip: { type: 'string', minLength: 2 } }, required: ['zip'] } },
  };
}

const { part } = fc.letrec<{ part: Json }>((tie) => ({
  part: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    scalar,
    objectOf(tie('part')),
    fc
      .record({ items: tie('part'), minItems: fc.integer({ min: 0, max: 3 }) })
      .map(({ items, minItems }) => ({ type: 'array', items, minItems, maxItems: minItems + 2 })),
    fc
      .constantFrom('string', 'integer')
      .chain((type) =>
        fc
          .integer({ min: 1, max: 4 })
          .map((minItems) => ({ type: 'array', items: { type }, minItems, uniqueItems: true })),
      ),
    fc.array(tie('part'), { minLength: 1, maxLength: 3 }).map((anyOf) => ({ anyOf })),
    // Exactly one may fit, so the forms are told apart by their type.
    fc
      .constantFrom(['string', 'integer'], ['object', 'boolean'], ['null', 'array'])
      .map((types) => ({ oneOf: types.map((type) => ({ type })) })),
    fc.tuple(objectOf(scalar), fc.constantFrom('x', 'y')).map(([object, extra]) => ({
      allOf: [
        { ...object, additionalProperties: true },
        { type: 'object', properties: { [extra]: { type: 'boolean' } }, required: [extra] },
      ],
    })),
  ),
}));

/** Schemas that can be satisfied. */
export const anySchema: fc.Arbitrary<Json> = part.map(withDefinitions);
export const anyObjectSchema: fc.Arbitrary<Json> = objectOf(part).map(withDefinitions);

/** Schemas of every keyword that fits and misfits are decided on, whether or not anything fits them. */
const { loose } = fc.letrec<{ loose: Json }>((tie) => ({
  loose: fc.oneof(
    { maxDepth: 2 },
    scalar,
    choice,
    fc.record({ not: tie('loose') }),
    fc.record({ if: tie('loose'), then: tie('loose'), else: tie('loose') }, { requiredKeys: ['if'] }),
    fc.record(
      {
        allOf: fc.array(tie('loose'), { minLength: 1, maxLength: 2 }),
        oneOf: fc.array(tie('loose'), { minLength: 1, maxLength: 3 }),
      },
      { requiredKeys: [] },
    ),
    fc.record(
      {
        properties: fc.dictionary(name, tie('loose'), { maxKeys: 3 }),
        required: fc.uniqueArray(name, { maxLength: 2 }),
        additionalProperties: fc.oneof(fc.boolean(), tie('loose')),
        propertyNames: fc.constant({ maxLength: 3 }),
        minProperties: fc.integer({ min: 0, max: 3 }),
        maxProperties: fc.integer({ min: 0, max: 3 }),
        dependentRequired: fc.constant({ a: ['b'] }),
      },
      { requiredKeys: [] },
    ),
    fc.record(
      {
        prefixItems: fc.array(tie('loose'), { minLength: 1, maxLength: 2 }),
        items: fc.oneof(fc.boolean(), tie('loose')),
        minItems: fc.integer({ min: 0, max: 2 }),
        maxItems: fc.integer({ min: 0, max: 2 }),
        uniqueItems: fc.boolean(),
      },
      { requiredKeys: [] },
    ),
  ),
}));
export const looseSchema: fc.Arbitrary<Json> = loose.map(withDefinitions);

/** Patterns of the simple kind, which every engine reads alike. No count stands in a count: running such a pattern can take for ever. */
const character = fc.constantFrom(
  'a',
  'Z',
  '7',
  '-',
  '_',
  '\\.',
  '\\d',
  '\\w',
  '\\s',
  '.',
  '[a-f]',
  '[^x]',
  '[A-Z0-9]',
  '[\\d_]',
  '[^\\s@]',
);
const group = fc
  .array(fc.array(character, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 2 })
  .map((branches) => `(?:${branches.map((one) => one.join('')).join('|')})`);
const counted = fc
  .tuple(fc.oneof(character, group), fc.constantFrom('', '', '?', '*', '+', '{2}', '{1,}', '{0,3}', '+?'))
  .map(([one, count]) => `${one}${count}`);
const sequence = fc
  .tuple(fc.array(counted, { minLength: 1, maxLength: 4 }), fc.constantFrom('', '|b'))
  .map(([parts, more]) => `${parts.join('')}${more}`);
export const simplePattern: fc.Arbitrary<string> = fc
  .tuple(sequence, fc.boolean())
  .map(([inner, anchored]) => (anchored ? `^(?:${inner})$` : inner));
