/** Gate 7: no fact without a use. Each is read by a rule (in its given, its conditions or its texts), or a derived fact follows from it. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { compileHouseRules, openCatalogue } from '../../src/app/project.ts';
import { factsOf } from '../../src/facts/core/registry.ts';
import { messageFactOf } from '../../src/facts/selections/source.ts';
import type { CompiledRule } from '../../src/model/rules/rule.ts';
import { subjectKinds } from '../../src/model/rules/subject-kind.ts';
import { factsReadBy } from '../../src/rules/rule-facts.ts';
import { loadProject, root } from '../support/rules.ts';

const { plan } = await loadProject();
const house = compileHouseRules([path.join(root, 'examples/house/rules/house/*.json')], openCatalogue([path.join(root, 'examples/house/house.md')]), [path.join(root, 'examples/house/facts.json')]);

/** Facts as `kind.name`; `session.name` for those of connections. */
function readBy(rules: readonly CompiledRule[]): Set<string> {
  const read = rules.flatMap(factsReadBy).flatMap(({ kind, fact }) => {
    const [scope, name] = fact.split('.') as [string, string];
    // A session subject offers the facts of its connection, too.
    return scope === 'session' || (kind === 'session' && factsOf('connection').has(name)) ? [`session.${name}`] : [`${kind}.${name}`];
  });
  return new Set(read);
}

function derivedFrom(): string[] {
  const { facts } = JSON.parse(readFileSync(path.join(root, 'rules/language/facts.json'), 'utf8')) as { facts: { of: string }[] };
  return facts.map(({ of }) => of);
}

/** What nobody reads. @param read facts in use */
function unused(read: ReadonlySet<string>): string[] {
  const all = [...subjectKinds.map((kind) => [kind, factsOf(kind)] as const), ['session', factsOf('connection')] as const].flatMap(([kind, facts]) => [...facts.keys()].map((name) => `${kind}.${name}`));
  // A follow-up has the facts of its exchange: one use is enough for both.
  const shared = (fact: string): boolean => {
    const [kind, name] = fact.split('.') as [string, string];
    const both = (kind === 'followUp' || kind === 'exchange') && factsOf('exchange').has(name) && factsOf('followUp').has(name);
    return both && (read.has(`exchange.${name}`) || read.has(`followUp.${name}`));
  };
  return all.filter((fact) => !read.has(fact) && !shared(fact));
}

/** What the language of groups and pairs itself offers: their own facts, and the messages that paths without a fact go into. */
function ofLanguage(): string[] {
  const messages = subjectKinds.flatMap((kind) => messageFactOf(kind)?.replace('subject', kind) ?? []);
  return [...messages, ...(['group', 'pair'] as const).flatMap((kind) => [...factsOf(kind).keys()].map((name) => `${kind}.${name}`))];
}

test('no fact is without a use', () => {
  expect(unused(new Set([...readBy([...plan.rules, ...house.rules]), ...derivedFrom(), ...ofLanguage()]))).toEqual([]);
});

test('the gate sees each fact that no rule reads any more', () => {
  expect(unused(new Set())).toContain('message.method');
  expect(unused(readBy(plan.rules.filter(({ kind }) => kind !== 'stdoutLine')))).toContain('stdoutLine.parses');
});
