/**
 * Gate 7: no fact without a use. Each is read by a rule (in its given, its conditions or its texts), or a derived fact
 * follows from it. Facts in `<slug>.facts.ts` are read by the rule beside them alone; facts of src that serve one rule
 * only may not become more.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { globSync } from 'tinyglobby';
import { expect, test } from 'vitest';
import { compileHouseRules, openCatalogue } from '../../src/check/project.ts';
import type { Feature } from '../../src/core/facts/core/plugin.ts';
import { factsOf } from '../../src/core/facts/registry/registry.ts';
import { messageFactOf } from '../../src/core/facts/selections/source.ts';
import type { CompiledRule } from '../../src/core/model/rules/rule.ts';
import { subjectKinds, type SubjectKind } from '../../src/core/model/rules/subject-kind.ts';
import { factsReadBy } from '../../src/core/rules/rule-facts.ts';
import { loadProject, root } from '../support/rules.ts';

/** Facts of src that one rule alone reads; lower it where they have become fewer. */
const mostOfOneRule = 72;

const { plan } = await loadProject();
const house = compileHouseRules(
  [path.join(root, 'examples/house/rules/house/*.json')],
  openCatalogue([path.join(root, 'examples/house/house.md')]),
  [path.join(root, 'examples/house/facts.json')],
);

/** Facts as `kind.name`; `session.name` for those of connections. */
function readBy(rules: readonly CompiledRule[]): Set<string> {
  const read = rules.flatMap(factsReadBy).flatMap(({ kind, fact }) => {
    const [scope, name] = fact.split('.') as [string, string];
    // A session subject offers the facts of its connection, too.
    return scope === 'session' || (kind === 'session' && factsOf('connection').has(name))
      ? [`session.${name}`]
      : [`${kind}.${name}`];
  });
  return new Set(read);
}

function derivedFrom(): string[] {
  const { facts } = JSON.parse(readFileSync(path.join(root, 'rules/language/facts.json'), 'utf8')) as {
    facts: { of: string }[];
  };
  return facts.map(({ of }) => of);
}

/** What nobody reads. @param read facts in use */
function unused(read: ReadonlySet<string>): string[] {
  const all = [
    ...subjectKinds.map((kind) => [kind, factsOf(kind)] as const),
    ['session', factsOf('connection')] as const,
  ].flatMap(([kind, facts]) => [...facts.keys()].map((name) => `${kind}.${name}`));
  const used = new Set([...read].map(ofEither));
  return all.filter((fact) => !used.has(ofEither(fact)));
}

/** A follow-up has the facts of its exchange, and lines have the same ones in both directions: one use is enough for them. */
function ofEither(fact: string): string {
  const [kind, name] = fact.split('.') as [string, string];
  if (kind === 'stdinLine') return `stdoutLine.${name}`;
  return kind === 'followUp' && factsOf('exchange').has(name) && factsOf('followUp').has(name)
    ? `exchange.${name}`
    : fact;
}

/** The facts that stand beside rules, by the id of the rule. */
const besideRules = new Map<string, Set<string>>();
for (const file of globSync('rules/*/*.facts.ts', { cwd: root })) {
  const { feature } = (await import(path.join(root, file))) as { feature: Feature };
  const facts = Object.entries(feature.facts ?? {}).flatMap(([scope, definitions]) =>
    Object.keys(definitions).map((name) => `${scope === 'connection' ? 'session' : scope}.${name}`),
  );
  besideRules.set(file.replace(/^rules\/|\.facts\.ts$/g, ''), new Set(facts));
}

/** The rules that read each fact. */
function readersOf(rules: readonly CompiledRule[]): Map<string, string[]> {
  const readers = new Map<string, string[]>();
  for (const rule of rules)
    for (const fact of new Set([...readBy([rule])].map(ofEither)))
      readers.set(fact, [...(readers.get(fact) ?? []), rule.id]);
  return readers;
}

/** Facts of src that serve one rule only; a derived fact counts for the one that it follows from, those of groups and pairs are the language's. */
function ofOneRule(rules: readonly CompiledRule[]): string[] {
  const beside = new Set([...besideRules.values()].flatMap((facts) => [...facts]));
  const isOfCode = (fact: string): boolean => {
    const [kind, name] = fact.split('.') as [SubjectKind, string];
    return (
      kind !== 'group' &&
      kind !== 'pair' &&
      (factsOf(kind).has(name) || (kind === 'session' && factsOf('connection').has(name)))
    );
  };
  return [...readersOf(rules)]
    .flatMap(([fact, { length }]) => (length === 1 && isOfCode(fact) && !beside.has(fact) ? [fact] : []))
    .sort();
}

/** What the language of groups and pairs itself offers: their own facts, and the messages that paths without a fact go into. */
function ofLanguage(): string[] {
  const messages = subjectKinds.flatMap((kind) => messageFactOf(kind)?.replace('subject', kind) ?? []);
  return [
    ...messages,
    ...(['group', 'pair'] as const).flatMap((kind) => [...factsOf(kind).keys()].map((name) => `${kind}.${name}`)),
  ];
}

test('no fact is without a use', () => {
  expect(unused(new Set([...readBy([...plan.rules, ...house.rules]), ...derivedFrom(), ...ofLanguage()]))).toEqual([]);
});

test('the gate sees each fact that no rule reads any more', () => {
  expect(unused(new Set())).toContain('message.method');
  expect(unused(readBy(plan.rules.filter(({ kind }) => kind !== 'stdoutLine' && kind !== 'stdinLine')))).toContain(
    'stdoutLine.parses',
  );
});

test('facts beside a rule are read by that rule alone, or by its twin about clients', () => {
  const readers = readersOf(plan.rules);
  const strays = [...besideRules].flatMap(([id, facts]) =>
    [...facts].flatMap((fact) =>
      (readers.get(fact) ?? ['none'])
        .filter((rule) => rule !== id && rule !== id.replace('/', '/client-'))
        .map((rule) => `${fact}, beside ${id}, is read by ${rule}`),
    ),
  );
  expect(strays).toEqual([]);
  expect(besideRules.size).toBeGreaterThan(20);
});

test('facts of src that serve one rule only do not become more', () => {
  const found = ofOneRule(plan.rules);
  expect(
    found.length,
    `what one rule reads of one concept is one fact, with parts for its paths; of one rule are ${found.join(', ')}`,
  ).toBeLessThanOrEqual(mostOfOneRule);
});

test('the gate sees each fact that only one rule is left for', () => {
  expect(ofOneRule(plan.rules)).not.toContain('task.removal');
  expect(ofOneRule(plan.rules.filter(({ id }) => id !== 'tasks/cancel-deletion'))).toContain('task.removal');
});
