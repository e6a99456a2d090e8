/** The schemas of rule files list what editors complete: kinds, groups and pairs, facts, operators, and what derived facts do. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { operators } from '../../src/core/evaluate/operators/operators.ts';
import { factTable } from '../../src/core/facts/registry/registry.ts';
import { subjectKinds } from '../../src/core/model/rules/subject-kind.ts';

interface Schema {
  $ref?: string;
  enum?: string[];
  examples?: string[];
  description?: string;
  oneOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  $defs?: Record<string, Schema>;
}

const language = new URL('../../rules/language/', import.meta.url);
const read = (name: string): Schema => JSON.parse(readFileSync(new URL(name, language), 'utf8')) as Schema;
const rule = read('rule.schema.json');

/** As an editor follows a $ref: into the schema itself, or a file beside it. */
function follow(schema: Schema | undefined): Schema {
  if (schema?.$ref === undefined) return schema!;
  const [file = '', pointer = ''] = schema.$ref.split('#');
  const name = pointer.split('/').at(-1)!;
  return follow((file === '' ? rule : read(file)).$defs![name]);
}

test('given offers every kind, and each its facts with their sentences', () => {
  const given = rule.properties!['given']!.properties!;
  expect(Object.keys(given).toSorted()).toEqual([...subjectKinds].toSorted());
  for (const kind of subjectKinds.filter((one) => one !== 'group' && one !== 'pair')) {
    const { properties = {} } = follow(given[kind]);
    for (const [fact, says] of Object.entries(factTable[kind].facts))
      expect(properties[fact]?.description, `${kind}.${fact}`).toBe(says);
  }
  expect(follow(follow(given['trace'])).properties).toHaveProperty('sessionIdCount');
});

test('group and pair offer their properties, and within them kinds with facts', () => {
  const { group, pair } = rule.properties!['given']!.properties!;
  expect(Object.keys(follow(group).properties!)).toEqual(['of', 'by', 'within', 'values']);
  expect(Object.keys(follow(pair).properties!)).toEqual(['first', 'then', 'match', 'until', 'within']);
  for (const place of [
    follow(group).properties!['of'],
    follow(pair).properties!['first'],
    follow(pair).properties!['then'],
    follow(pair).properties!['until'],
  ]) {
    expect(follow(follow(place).properties!['followUp']).properties).toHaveProperty('aliveAfter');
  }
});

test('conditions offer facts and operators', () => {
  const [leaf] = rule.$defs!['condition']!.oneOf!;
  const facts = follow(leaf!.properties!['fact']).examples!;
  for (const name of [
    'subject.streamClosedBy',
    'subject.nameMatch',
    'session.revision',
    'subject.count',
    'subject.elapsedMs',
  ])
    expect(facts).toContain(name);
  expect(follow(leaf!.properties!['operator']).examples).toEqual(operators.map(({ name }) => name));
});

test('derived facts offer what they can be made of, and what can be done with it', () => {
  const entry = read('facts.schema.json').properties!['facts']!.items!.properties!;
  expect(follow(entry['of']).examples).toContain('trace.sessionIds');
  expect(entry['do']!.enum).toContain('count');
});
