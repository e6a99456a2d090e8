/**
 * The arguments of a fuzz run: the fixed cases first (arguments left out, wrong types, odd values of each type, in the
 * order of the schema), then values that fast-check makes from the schema. Equal seeds give equal arguments. Pure.
 */
import fc from 'fast-check';
import { plainForms } from '../../../core/json-schema/plain-forms.ts';
import { asText, isObject } from '../../../core/model/json.ts';
import { isSafetySwitch } from '../../../core/permission/careful-arguments.ts';

type Json = Record<string, unknown>;

export interface FuzzInput {
  label: string;
  given: unknown;
}

const longText = 10_240;
const deepest = 3;
const ofBatch = 100;

const texts: readonly [string, unknown][] = [
  ['wrong type', 42],
  ['empty', ''],
  ['spaces', '   '],
  ['10 KB', 'A'.repeat(longText)],
  ['NUL', 'a\u0000b'],
  ['zero width', '\u200b\u200d'],
  ['emoji', '🙂👩‍👩‍👧‍👦'],
  ['newlines', 'a\nb\r\nc'],
  ['path traversal', '../../../etc/passwd'],
  ['shell', '$(id); `id` && id'],
  ['SQL', "' OR 1=1; --"],
  ['null', null],
];
const integers: readonly [string, unknown][] = [
  ['wrong type', 'text'],
  ['0', 0],
  ['-1', -1],
  ['-999999', -999_999],
  ['largest of 32 bits', 2_147_483_647],
  ['smallest of 32 bits', -2_147_483_648],
  ['null', null],
];
const fractions: readonly [string, unknown][] = [
  ['0.1 + 0.2', 0.1 + 0.2],
  ['1e-9', 1e-9],
  ['1e308', 1e308],
];
const odd: Record<string, readonly [string, unknown][]> = {
  string: texts,
  integer: integers,
  number: [...integers, ...fractions],
  boolean: [
    ['wrong type', 'text'],
    ['null', null],
    ['0', 0],
    ['1', 1],
    ['"true"', 'true'],
    ['"false"', 'false'],
  ],
  array: [
    ['wrong type', 'text'],
    ['empty', []],
    ['null', null],
    ['1 item', ['a']],
    ['1000 items', Array.from({ length: 1000 }, (_, index) => index)],
    ['mixed', [1, 'a', null, true, {}]],
    ['nested', [[[[['a']]]]]],
  ],
  object: [
    ['wrong type', 'text'],
    ['empty', {}],
    ['null', null],
    ['20 deep', nested(20)],
    ['100 members', Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`member${index}`, index]))],
  ],
};

function nested(depth: number): Json {
  return depth === 0 ? {} : { a: nested(depth - 1) };
}

/** Members of an object that are varied. */
const mostVaried = 200;

/** @param valid arguments that fit; @param seed of the tool */
export function* fuzzInputs(
  schema: unknown,
  valid: Json,
  { runs, seed }: { runs: number; seed: number },
): Generator<FuzzInput> {
  const form = isObject(schema) ? (plainForms(schema, schema)[0] ?? {}) : {};
  const properties = isObject(form['properties']) ? form['properties'] : {};
  const required = Array.isArray(form['required']) ? (form['required'] as unknown[]).map(asText) : [];
  // Protective arguments stay unchanged.
  const fields = Object.keys(properties).filter(
    (name) => !isSafetySwitch(name, (properties[name] as Json | null)?.['type']),
  );
  let left = runs;
  for (const input of fixedInputs({ schema, valid, properties, required, fields })) {
    if (left === 0) return;
    left -= 1;
    yield input;
  }
  if (left === 0) return;
  const arbitrary = argumentsArbitrary(fields.slice(0, mostVaried), properties, valid, schema);
  // Some at a time, since there may be a million of them, and a run may end early.
  for (let made = 0; left > 0; left -= ofBatch) {
    for (const given of fc.sample(arbitrary, { seed: seed + made, numRuns: Math.min(ofBatch, left) }))
      yield { label: `made ${(made += 1)}`, given: JSON.parse(JSON.stringify(given)) as unknown };
  }
}

interface Given {
  schema: unknown;
  valid: Json;
  properties: Json;
  required: readonly string[];
  fields: readonly string[];
}

/** One at a time: of a schema of 100,000 members all of them would be as many copies of as many members. */
function* fixedInputs({ schema, valid, properties, required, fields }: Given): Generator<FuzzInput> {
  yield { label: 'no arguments', given: {} };
  yield { label: 'null arguments', given: null };
  const open = new Set(fields);
  for (const name of required) {
    if (!Object.hasOwn(valid, name) || (!open.has(name) && name in properties)) continue;
    yield {
      label: `${name}: left out`,
      given: Object.fromEntries(Object.entries(valid).filter(([other]) => other !== name)),
    };
  }
  for (const name of fields) {
    for (const type of typesOf(properties[name], schema))
      for (const [what, value] of odd[type] ?? texts)
        yield { label: `${name}: ${what}`, given: { ...valid, [name]: value } };
  }
}

function typesOf(part: unknown, root: unknown): string[] {
  if (!isObject(part)) return ['string'];
  const types = plainForms(part, root).flatMap((form) =>
    Array.isArray(form['type']) ? (form['type'] as unknown[]) : [form['type']],
  );
  const known = [...new Set(types)].filter((type): type is string => typeof type === 'string' && type in odd);
  return known.length === 0 ? ['string'] : known;
}

/** Valid arguments with some members changed, left out, or unknown to the schema. */
function argumentsArbitrary(
  fields: readonly string[],
  properties: Json,
  valid: Json,
  root: unknown,
): fc.Arbitrary<unknown> {
  const values = Object.fromEntries(
    fields.map((name) => [
      name,
      fc.oneof({ arbitrary: fitting(properties[name], root, 0), weight: 3 }, { arbitrary: anything, weight: 1 }),
    ]),
  );
  const some = fc.record(values, { requiredKeys: [] });
  const changed = some.map((over) => ({ ...valid, ...over }));
  const fewer = fc
    .tuple(some, fc.subarray(Object.keys(valid)))
    .map(([over, kept]) => ({ ...Object.fromEntries(kept.map((name) => [name, valid[name]])), ...over }));
  const more = fc
    .tuple(some, fc.jsonValue({ maxDepth: 2 }))
    .map(([over, value]) => ({ ...valid, ...over, unknown: value }));
  return fc.oneof({ arbitrary: changed, weight: 6 }, { arbitrary: fewer, weight: 2 }, { arbitrary: more, weight: 1 });
}

const anyText = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.string({ unit: 'binary-ascii', maxLength: 60 }),
  fc.integer({ min: 100, max: 20_000 }).map((length) => 'x'.repeat(length)),
  fc.constantFrom(...texts.map(([, value]) => value).filter((value) => typeof value === 'string')),
);
const anything = fc.oneof(fc.constantFrom<unknown>(null, 42, '', [], {}, true), fc.jsonValue({ maxDepth: 2 }), anyText);

/** Values of the type that the schema names, also some outside of its bounds. */
function fitting(part: unknown, root: unknown, depth: number): fc.Arbitrary<unknown> {
  const form = isObject(part) ? (plainForms(part, root)[0] ?? {}) : {};
  if (Array.isArray(form['enum']) && form['enum'].length > 0)
    return fc.constantFrom<unknown>(...(form['enum'] as unknown[]).slice(0, 200));
  const [type] = typesOf(form, root);
  switch (type) {
    case 'integer':
      return fc.oneof(fc.integer({ min: -10, max: 10 }), fc.maxSafeInteger());
    case 'number':
      return fc.oneof(fc.integer({ min: -10, max: 10 }), fc.double({ noNaN: true, noDefaultInfinity: true }));
    case 'boolean':
      return fc.boolean();
    case 'array':
      return fc.array(depth < deepest ? fitting(form['items'], root, depth + 1) : anything, { maxLength: 8 });
    case 'object': {
      const inner = isObject(form['properties']) ? form['properties'] : {};
      if (depth >= deepest || Object.keys(inner).length === 0)
        return fc.dictionary(fc.string({ maxLength: 8 }), anything, { maxKeys: 5 });
      return fc.record(
        Object.fromEntries(
          Object.entries(inner)
            .slice(0, mostVaried)
            .map(([name, one]) => [name, fitting(one, root, depth + 1)]),
        ),
        { requiredKeys: [] },
      );
    }
    default:
      return anyText;
  }
}
