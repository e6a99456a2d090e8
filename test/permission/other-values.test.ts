/** Other calls of a tool: which arguments are varied, in which order, and what stays as it is. */
import { describe, expect, test } from 'vitest';
import { usualPlaces } from '../../src/core/json-schema/places.ts';
import { noPermission } from '../../src/core/permission/decide.ts';
import { otherArguments } from '../../src/core/permission/other-values.ts';
import { callsOf } from '../../src/client/offers/choose-tools.ts';

type Json = Record<string, unknown>;

const of = (properties: Json, given: Json, most = 10): Json[] =>
  otherArguments({ type: 'object', properties }, given, most);
const bool = { type: 'boolean' };

describe('other values', () => {
  test('are those of one argument at a time, the first of each before the second of any', () => {
    const properties = { unit: { enum: ['m', 'ft', 'yd'] }, long: bool, place: { type: 'string' } };
    expect(of(properties, { unit: 'm', place: 'x' })).toEqual([
      { unit: 'ft', place: 'x' },
      { unit: 'm', long: true, place: 'x' },
      { unit: 'yd', place: 'x' },
    ]);
    expect(of(properties, { unit: 'm', place: 'x' }, 2)).toHaveLength(2);
  });

  test('differ from what the server takes where nothing is given', () => {
    expect(of({ short: { ...bool, default: true }, unit: { enum: ['m', 'ft'], default: 'ft' } }, {})).toEqual([
      { short: false },
      { unit: 'm' },
    ]);
  });

  test.each<[string, Json]>([
    ['a switch that decides about harm', { dry_run: bool, force: bool, deleteSource: bool, skip_confirmation: bool }],
    [
      'a choice that changes something, or reaches further',
      { mode: { enum: ['read', 'delete', 'overwrite', 'production', 'all', null] } },
    ],
    ['anything else', { count: { type: 'integer' }, text: { type: 'string' }, list: { type: 'array' }, odd: true }],
  ])('never are those of %s', (_what, properties) => {
    expect(of(properties, { mode: 'read' })).toEqual([]);
  });

  test.each([undefined, null, true, [], { properties: 'none' }, { properties: { a: null } }])(
    'there are none for the schema %j',
    (schema) => {
      expect(otherArguments(schema, {}, 3)).toEqual([]);
    },
  );
});

describe('calls with other values', () => {
  const tool = {
    name: 'get-weather',
    annotations: { readOnlyHint: true },
    inputSchema: { type: 'object', properties: { unit: { enum: ['m', 'ft'] }, long: bool }, required: ['unit'] },
  };
  const calls = (given: Json, hints?: Json): Json[] => {
    const listing = {
      tools: [{ ...tool, ...given }],
      prompts: [],
      resources: [],
      templates: [],
      ...(hints === undefined ? {} : { hints: { file: 'h', tools: { 'get-weather': hints } } as never }),
    };
    return callsOf({ callTool: 'any', each: 4, otherValues: 3 }, listing, {
      permission: noPermission,
      places: usualPlaces,
    }).map(({ arguments: sent }) => sent as Json);
  };

  test('are made beside those of other steps, of tools that may be called', () => {
    expect(calls({})).toEqual([{ unit: 'ft' }, { unit: 'm', long: true }]);
    expect(calls({ annotations: { destructiveHint: true } })).toEqual([]);
  });

  test('fit the schema as a whole', () => {
    expect(
      calls({
        inputSchema: {
          ...tool.inputSchema,
          if: { properties: { unit: { const: 'ft' } }, required: ['unit'] },
          then: { required: ['long'] },
        },
      }),
    ).toEqual([{ unit: 'm', long: true }]);
  });

  test('are not made of what the user gave', () => {
    expect(calls({}, { arguments: { unit: 'm' } })).toEqual([]);
  });
});
