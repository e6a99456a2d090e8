/** The notation: what it expands to, and that each fault is reported with file and path. */
import { describe, expect, it } from 'vitest';
import { parseMessageLayout } from '../../../src/core/spec/messages/message-layout.ts';
import { expandMessageSchema, methodInfos } from '../../../src/core/spec/messages/message-schema.ts';

function layoutOf(types: Record<string, unknown>, methods: Record<string, unknown> = {}): string {
  return JSON.stringify({
    revision: '2025-11-25',
    source: 'x',
    methods,
    types: { area: { Result: 'object', ...types } },
  });
}

function expandOne(shape: unknown, others: Record<string, unknown> = {}): unknown {
  return expandMessageSchema(parseMessageLayout(layoutOf({ T: shape, ...others }), 'f.json')).$defs.T;
}

describe('expressions', () => {
  it.each([
    ['string', { type: 'string' }],
    ['any', {}],
    ['object', { type: 'object' }],
    ["'a' | 'b'", { enum: ['a', 'b'] }],
    ['-32602', { const: -32602 }],
    ['string | integer', { type: ['string', 'integer'] }],
    ['number | null', { type: ['number', 'null'] }],
    ['number(0..1)', { type: 'number', minimum: 0, maximum: 1 }],
    ['integer(0..)', { type: 'integer', minimum: 0 }],
    ['number(-1.5..0.5)', { type: 'number', minimum: -1.5, maximum: 0.5 }],
    ['string[](..100)', { type: 'array', items: { type: 'string' }, maxItems: 100 }],
    ['string(base64)', { type: 'string', format: 'byte' }],
    ['string(uri-template)[]', { type: 'array', items: { type: 'string', format: 'uri-template' } }],
    ['map<string | boolean>', { type: 'object', additionalProperties: { type: ['string', 'boolean'] } }],
    ['Result', { $ref: '#/$defs/Result' }],
    [[{ 'a?': 'string' }], { type: 'array', items: { type: 'object', properties: { a: { type: 'string' } } } }],
    [{ 'id?': 'absent' }, { type: 'object', properties: { id: false } }],
  ])('%j', (shape, schema) => {
    expect(expandOne(shape)).toEqual(schema);
  });

  it('inherits members, the last word winning', () => {
    const schema = expandOne(
      { '...': 'A & B', 'x?': 'null' },
      { A: { x: 'string', y: 'number' }, B: { '...': 'A', y: 'boolean' } },
    );
    expect(schema).toEqual({
      type: 'object',
      properties: { x: { type: 'null' }, y: { type: 'boolean' } },
      required: ['y'],
    });
  });
});

describe('faults', () => {
  it.each([
    ['not JSON', '{', /^f\.json: not JSON/],
    ['a reference to nothing', layoutOf({ T: { a: 'Gone[]' } }), 'f.json: types.T.a[]: there is no type Gone'],
    ['a base that is nothing', layoutOf({ T: { '...': 'Gone' } }), 'f.json: types.T....: there is no type Gone'],
    ['an unknown word', layoutOf({ T: { a: 'text' } }), 'f.json: types.area.T.a: unknown word "text" in "text"'],
    ['an unknown format', layoutOf({ T: 'string(url)' }), /f\.json: types\.area\.T: unknown format "url"/],
    ['a range of nothing', layoutOf({ T: 'number(..)' }), /is no range/],
    ['a bound on a word', layoutOf({ T: 'boolean(0..1)' }), /can be restricted/],
    ['an open bracket', layoutOf({ T: 'map<string' }), /">" expected/],
    ['a left-over', layoutOf({ T: 'string string' }), /is too much/],
    ['a half union', layoutOf({ T: 'string |' }), /a type is missing/],
    [
      'a small letter',
      layoutOf({ tool: 'string' }),
      'f.json: types.area.tool: a type name starts with a capital letter',
    ],
    ['two shapes in a list', layoutOf({ T: ['string', 'number'] }), /exactly one shape/],
    [
      'a member given twice',
      layoutOf({ T: { a: 'string', 'a?': 'string' } }),
      /f\.json: types\.area\.T\.a: this member is given twice/,
    ],
    ['a required absence', layoutOf({ T: { a: 'absent' } }), /written with "\?"/],
    [
      'a union that is derived',
      layoutOf(
        { ClientRequest: 'string', R: { method: "'m'" } },
        { m: { from: 'client', kind: 'request', message: 'R', result: 'Result' } },
      ),
      /follows from "methods"/,
    ],
    [
      'an unknown sender',
      layoutOf({}, { m: { from: 'proxy', kind: 'request', message: 'Result', result: 'Result' } }),
      /f\.json: methods\.m\.from: one of client, server, both/,
    ],
    [
      'a notification with a result',
      layoutOf({}, { m: { from: 'client', kind: 'notification', message: 'Result', result: 'Result' } }),
      /methods\.m\.result/,
    ],
    [
      'a message of no type',
      layoutOf({}, { m: { from: 'client', kind: 'request', message: 'Gone', result: 'Result' } }),
      /there is no type Gone/,
    ],
  ])('%s', (_, text, message) => {
    expect(() => parseMessageLayout(text, 'f.json')).toThrow(message);
  });

  it.each([
    ['a type that stands for itself', { T: 'U', U: 'T', V: 'T | string' }, /stands for itself/],
    ['a type that extends itself', { T: { '...': 'U' }, U: { '...': 'T' } }, /extends itself/],
    ['a base that is a union', { T: { '...': 'U' }, U: 'string | null' }, /cannot be extended/],
    ['a literal beside its type', { T: "'a' | string" }, /says nothing beside/],
    ['anything as a branch', { T: 'string | any' }, /cannot stand in a union/],
  ])('%s', (_, types, message) => {
    expect(() => expandMessageSchema(parseMessageLayout(layoutOf(types), 'f.json'))).toThrow(message);
  });

  it('a method listed under another name', () => {
    const text = layoutOf(
      { R: { method: "'a'" } },
      { b: { from: 'client', kind: 'request', message: 'R', result: 'Result' } },
    );
    expect(() => methodInfos(parseMessageLayout(text, 'f.json'))).toThrow(
      "f.json: methods.b.message: R does not have the method 'b'",
    );
  });
});
