/** Values that do not fit a shape, each with the word that stands for it in the id of a fault. */
import type { MessageLayout } from '../../core/spec/messages/message-layout.ts';
import type { Shape } from '../../core/spec/messages/message-shape.ts';
import { branchesOf, jsonTypesOf, resolved, type JsonType } from './shapes.ts';

export interface WrongValue {
  word: string;
  value: unknown;
}

const ofType: Readonly<Record<JsonType, unknown>> = {
  null: null,
  boolean: true,
  number: 42,
  string: 'text',
  array: ['text'],
  object: { key: 'text' },
};

/** One value of each type of JSON that does not fit, then values of the right type that are too small, of no known form, and so on. */
export function wrongValues(layout: MessageLayout, shape: Shape): WrongValue[] {
  const types = jsonTypesOf(layout, shape);
  const wrongTypes = (Object.keys(ofType) as JsonType[])
    .filter((type) => !types.has(type))
    .map((type) => ({ word: type, value: ofType[type] }));
  return [...wrongTypes, ...(branchesOf(layout, shape).length > 1 ? ofUnion(layout, shape) : ofOne(layout, shape))];
}

function ofUnion(layout: MessageLayout, shape: Shape): WrongValue[] {
  const literals = branchesOf(layout, shape).map((branch) => resolved(layout, branch).shape);
  if (literals.every((one) => one.kind === 'literal')) return ofLiterals(literals.map(({ value }) => value));
  return literals.some((one) => one.kind === 'scalar' && one.type === 'integer')
    ? [{ word: 'fraction', value: 1.5 }]
    : [];
}

function ofOne(layout: MessageLayout, given: Shape): WrongValue[] {
  const { shape } = resolved(layout, given);
  if (shape.kind === 'literal') return ofLiterals([shape.value]);
  if (shape.kind === 'array') {
    const { items, minItems, maxItems } = shape;
    const filled = (count: number): unknown[] =>
      Array.from({ length: count }, () =>
        branchesOf(layout, items).length === 1 && jsonTypesOf(layout, items).has('string') ? 'text' : {},
      );
    return [
      ...(minItems === undefined ? [] : [{ word: 'too-few', value: filled(minItems - 1) }]),
      ...(maxItems === undefined ? [] : [{ word: 'too-many', value: filled(maxItems + 1) }]),
    ];
  }
  if (shape.kind !== 'scalar') return [];
  const { type, format, minimum, maximum } = shape;
  return [
    ...(type === 'integer' ? [{ word: 'fraction', value: 1.5 }] : []),
    ...(minimum === undefined ? [] : [{ word: 'too-small', value: minimum - 1 }]),
    ...(maximum === undefined ? [] : [{ word: 'too-large', value: maximum + 1 }]),
    ...(format === 'uri'
      ? [
          { word: 'empty', value: '' },
          { word: 'no-uri', value: 'not a uri' },
        ]
      : []),
    ...(format === 'uri-template' ? [{ word: 'no-template', value: 'https://example.com/{open' }] : []),
    ...(format === 'base64' ? [{ word: 'no-base64', value: '%%%' }] : []),
  ];
}

function ofLiterals(values: readonly (string | number)[]): WrongValue[] {
  const [first] = values;
  if (typeof first !== 'string') return [{ word: 'other', value: Number(first) + 1 }];
  return [
    { word: 'empty', value: '' },
    { word: 'other', value: `${first}-like` },
    { word: 'capitals', value: first.toUpperCase() },
  ];
}
