/**
 * The names that conditions may use, as a JSON Schema: by it editors complete subject kinds, facts and operators in
 * rule files, and show their sentences. It demands no more than the form of a name: whether one exists is checked when
 * a rule is compiled, with the nearest names in the message.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { operators } from '../../core/evaluate/operators/operators.ts';
import { factTable, sessionFactTable } from '../../core/facts/registry/registry.ts';
import type { DerivedFactEntry } from '../../core/model/rules/derived-fact.ts';
import { subjectKinds } from '../../core/model/rules/subject-kind.ts';
import { ofConnection } from '../../core/rules/derived-facts.ts';

const filterValue = ['string', 'number', 'boolean', 'null', 'array'];

/** @param root the project, whose rules/language/facts.json names the derived facts */
export function namesSchema(root: string): object {
  const { facts: derived } = JSON.parse(readFileSync(path.join(root, 'rules/language/facts.json'), 'utf8')) as {
    facts: DerivedFactEntry[];
  };
  const factsOf = (scope: string, own: Record<string, string>): [string, string][] => [
    ...Object.entries(own),
    ...derived
      .filter(({ name }) => name.startsWith(`${scope}.`))
      .map(({ name, says }): [string, string] => [name.slice(scope.length + 1), says]),
  ];
  const session = [
    ...Object.keys(sessionFactTable).map((name) => `session.${name}`),
    ...ofConnection(derived).map(({ name }) => name),
  ];
  const ofKinds = subjectKinds.map(
    (kind) => [kind, factTable[kind].description, factsOf(kind, factTable[kind].facts)] as const,
  );
  const named = (prefix: (kind: string) => string): string[] =>
    [...new Set(ofKinds.flatMap(([kind, , facts]) => facts.map(([name]) => `${prefix(kind)}.${name}`)))].sort();
  const filters = ofKinds
    .filter(([kind]) => kind !== 'group' && kind !== 'pair')
    .map(([kind, description, facts]) => [
      kind,
      {
        description,
        type: 'object',
        properties: Object.fromEntries(facts.map(([name, says]) => [name, { description: says, type: filterValue }])),
        additionalProperties: { type: filterValue },
      },
    ]);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'names.schema.json',
    title: 'Names in mcpc rules',
    description: 'Written by npm run generate, for editors.',
    $defs: {
      ...Object.fromEntries(filters),
      fact: {
        type: 'string',
        pattern: String.raw`^((subject|session|house)\.[a-zA-Z][a-zA-Z0-9]*|subject\.values\.[a-zA-Z][a-zA-Z0-9]*)$`,
        examples: [...named(() => 'subject'), ...session],
      },
      subjectFact: {
        type: 'string',
        pattern: String.raw`^subject\.[a-zA-Z][a-zA-Z0-9]*$`,
        examples: named(() => 'subject'),
      },
      kindFact: {
        type: 'string',
        pattern: String.raw`^[a-z][a-zA-Z]*\.[a-z][a-zA-Z0-9]*$`,
        examples: [...new Set([...named((kind) => kind), ...session])].sort(),
      },
      operator: { type: 'string', examples: operators.map(({ name }) => name) },
    },
  };
}
