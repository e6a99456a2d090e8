/** The faults that are made by machine: what the list holds, and that its violations violate and its variants do not. */
import { describe, expect, test } from 'vitest';
import { setAt } from '../../src/core/faults/edit-path.ts';
import { createFaultEngine } from '../../src/core/faults/engine.ts';
import type { GeneratedFault } from '../../src/testkit/generated-faults/generated-fault.ts';
import { generatedFault, generatedFaults } from '../../src/testkit/generated-faults/list.ts';
import { requirementTable } from '../../src/testkit/generated-faults/requirement-table.ts';
import { exampleOf } from '../../src/testkit/generated-faults/shapes.ts';
import { spotsOf } from '../../src/testkit/generated-faults/walk.ts';
import { wrongValues } from '../../src/testkit/generated-faults/wrong-values.ts';
import { loadValidators } from '../../src/files/package/load-validators.ts';
import { parseMessageLayout } from '../../src/core/spec/messages/message-layout.ts';
import { readLayout } from '../../src/files/package/message-files.ts';
import { generatedFile } from '../../src/files/package/package-root.ts';
import { requirementAt } from '../../src/core/spec/requirements/catalogue.ts';
import { loadCatalogue } from '../../src/files/package/load-catalogue.ts';
import { revisions } from '../../src/core/spec/revisions.ts';
import { thorough } from '../support/run/options.ts';
import { drawnFrom } from '../support/run/draw.ts';

const all = await generatedFaults();
const catalogue = loadCatalogue({ generated: generatedFile('requirements.json') });
const violationsAt = (revision: (typeof revisions)[number]): GeneratedFault[] =>
  all.filter(({ at }) => Array.isArray(at[revision]));

/** A layout of one type, with one message. */
function layoutOf(types: object): ReturnType<typeof parseMessageLayout> {
  return parseMessageLayout(
    JSON.stringify({ revision: 'x', methods: {}, types: { test: { Result: 'object', ...types } } }),
    'test.json',
  );
}

describe('the list', () => {
  test('has as many faults and variants as the aim is, and no two of one name', () => {
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    expect(all.filter(({ at }) => Object.values(at).some((one) => one !== 'legal')).length).toBeGreaterThan(3000);
    expect(all.filter(({ at }) => Object.values(at).includes('legal')).length).toBeGreaterThan(500);
    for (const revision of revisions) expect(violationsAt(revision).length).toBeGreaterThan(1000);
  });

  test('names requirements of the revision alone, and no party but the server', () => {
    const wrong = revisions.flatMap((revision) =>
      violationsAt(revision).flatMap(({ id, at }) =>
        (at[revision] as string[])
          .filter((one) => (requirementAt(catalogue, one, revision)?.role ?? 'client') === 'client')
          .map((one) => `${id}: ${one}`),
      ),
    );
    expect(wrong).toEqual([]);
  });

  test('rests on a table whose requirements some revision has', () => {
    const named = new Set(Object.values(requirementTable).flat());
    expect([...named].filter((id) => !catalogue.byId.has(id))).toEqual([]);
  });

  test('leaves no violation of a schema without a requirement', () => {
    const nameless = all.filter(({ at }) => Object.values(at).some((one) => one.length === 0)).map(({ id }) => id);
    // Only servers are judged here, and a server that asks for the tasks of its client by a cursor is asked nothing more.
    expect(nameless.filter((id) => !id.startsWith('tasks/list.params.cursor:'))).toEqual([]);
  });

  test.each<[string, object]>([
    [
      'tools/list.result.tools[].inputSchema:null',
      { on: { result: 'tools/list' }, set: '$.result.tools[-1].inputSchema', to: null },
    ],
    [
      'tools/list.result.tools[].inputSchema:absent',
      { on: { result: 'tools/list' }, remove: '$.result.tools[-1].inputSchema' },
    ],
    [
      'prompts/get.result.messages[].content(ImageContent).data:no-base64',
      { on: { result: 'prompts/get' }, set: "$.result.messages[?@.content.type=='image'].content.data", to: '%%%' },
    ],
    [
      'resources/read.result.contents[](BlobResourceContents).blob:null',
      { on: { result: 'resources/read' }, set: '$.result.contents[?@.blob].blob', to: null },
    ],
    [
      'initialize.result.capabilities.tools.listChanged:string',
      { on: { result: 'initialize' }, set: '$.result.capabilities.tools', to: { listChanged: 'text' } },
    ],
    ['ping.result.id:as-string', { on: { result: 'ping' }, set: '$.id', as: 'string' }],
    ['tools/list.result.result:absent#2', { on: { result: 'tools/list', nth: 2 }, remove: '$.result' }],
    ['prompts/list.result.stdio:pretty', { on: { result: 'prompts/list' }, raw: '{{pretty}}' }],
  ])('%s', (id, fault) => {
    expect(all.find((one) => one.id === id)?.fault).toEqual(fault);
  });
});

test.runIf(thorough)('a fault that is made alone is the one of the list', async () => {
  for (const one of drawnFrom(all, Math.ceil(all.length / 40), ({ id }) => id))
    expect(await generatedFault(one.id)).toEqual(one);
});

describe('a walk', () => {
  test('finds each member once, at every depth, by the branch that it belongs to', () => {
    const layout = layoutOf({
      Root: { id: 'string', 'list?': 'Item[]', one: 'A | B' },
      Item: 'A | B',
      A: { kind: "'a'", x: 'number' },
      B: { kind: "'b'", y: 'string' },
    });
    const spots = spotsOf(layout, { kind: 'reference', name: 'Root' }, { path: '$.result', name: 'result' });
    expect(spots.map(({ name }) => name)).toEqual([
      'result.id',
      'result.list',
      'result.list[]',
      'result.list[](A).kind',
      'result.list[](A).x',
      'result.list[](B).kind',
      'result.list[](B).y',
      'result.one',
      'result.one(A).kind',
      'result.one(A).x',
      'result.one(B).kind',
      'result.one(B).y',
    ]);
    expect(spots.find(({ name }) => name === 'result.one(B).y')).toMatchObject({
      path: '$.result.one.y',
      where: { '$.result.one.kind': 'b' },
      optional: false,
    });
    // What may be left out is set as a whole, with the branch in it.
    expect(spots.find(({ name }) => name === 'result.list[](B).y')?.holder).toEqual({
      path: '$.result.list',
      value: [{ kind: 'b', y: 'example' }],
      at: [0, 'y'],
    });
  });
});

test('wrong values are of every type that a shape does not take, and beyond its bounds', () => {
  const wordsOf = (expression: string): string[] => {
    const layout = layoutOf({ T: { member: expression } });
    const shape = layout.types.get('T')!;
    return shape.kind === 'object'
      ? wrongValues(layout, shape.members.get('member')!.shape).map(({ word }) => word)
      : [];
  };
  expect(wordsOf('string')).toEqual(['null', 'boolean', 'number', 'array', 'object']);
  expect(wordsOf('string | integer')).toEqual(['null', 'boolean', 'array', 'object', 'fraction']);
  expect(wordsOf('number(0..1)')).toEqual(['null', 'boolean', 'string', 'array', 'object', 'too-small', 'too-large']);
  expect(wordsOf("'user' | 'assistant'")).toEqual([
    'null',
    'boolean',
    'number',
    'array',
    'object',
    'empty',
    'other',
    'capitals',
  ]);
  expect(wordsOf('string(uri)')).toContain('no-uri');
  expect(wordsOf('any')).toEqual([]);
});

describe.each(revisions)('of %s', (revision) => {
  test('examples fit their schemas; with a violation at their top they do not, and with a variant they still do', async () => {
    const [layout, validators] = await Promise.all([readLayout(revision), loadValidators(revision)]);
    const wrong: string[] = [];
    let tried = 0;
    for (const { id, fault, at, bySchema } of all) {
      const method = [fault.on.result].flat()[0];
      const type = method === undefined ? undefined : validators.methods[method]?.result;
      if (
        type === undefined ||
        type === null ||
        at[revision] === undefined ||
        fault.on.where ||
        fault.raw !== undefined ||
        id.includes('result(task)')
      )
        continue;
      const example = { jsonrpc: '2.0', id: 1, result: exampleOf(layout, { kind: 'reference', name: type }) };
      expect(validators.validate(type, example.result)).toEqual([]);
      const [sending] = createFaultEngine(fault).send({ message: example, kind: 'result', method, connection: {} });
      if (sending === undefined || JSON.stringify(sending.message) === JSON.stringify(example)) continue;
      const isFit = validators.validate(type, (sending.message as typeof example).result).length === 0;
      if (bySchema ? isFit : at[revision] === 'legal' && !isFit) wrong.push(id);
      tried += 1;
    }
    expect(tried).toBeGreaterThan(150);
    expect(wrong).toEqual([]);
  });
});

test('an example holds what is demanded and nothing else', () => {
  const layout = layoutOf({ T: { a: 'string', 'b?': 'string', c: [{ d: "'x' | 'y'" }], e: 'map<number>' } });
  const example = exampleOf(layout, { kind: 'reference', name: 'T' });
  expect(example).toEqual({ a: 'example', c: [{ d: 'x' }], e: { example: 1 } });
  expect(setAt(example, '$.c[-1].d', () => 'z')).toMatchObject({ c: [{ d: 'z' }] });
});
