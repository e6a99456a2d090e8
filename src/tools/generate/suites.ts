/** Writes rules/language/suite.schema.json and generated/SUITES.md from the tables of blocks and expectations. */
import { blocks } from '../../suites/language/blocks/table.ts';
import type { Expectation } from '../../suites/language/expectation.ts';
import { expectationSets } from '../../suites/language/expectations/table.ts';
import { suiteSchema } from '../../suites/language/file/schema.ts';
import { matchers } from '../../suites/language/lanes/matchers.ts';
import { lanes } from '../../suites/language/lanes/table.ts';
import { stepKinds } from '../../suites/language/steps/table.ts';
import { code, markdownTable } from './markdown.ts';
import type { Generator } from './outputs.ts';
import { asText } from '../../core/model/json.ts';

/** Writes the schema of suite files and the page that lists what they may hold. */
export const generateSuites: Generator = () =>
  Promise.resolve({
    'rules/language/suite.schema.json': `${JSON.stringify(suiteSchema(), null, 2)}\n`,
    'generated/SUITES.md': page(),
  });

function page(): string {
  const parts = sections().map(([title, text, head, rows]) =>
    [`## ${title}`, text, markdownTable(head, rows)].filter((part) => part !== '').join('\n\n'),
  );
  const intro = 'Written by `npm run generate`. What a suite may hold; docs/suites.md explains how suites are written.';
  return `${['# Suites: blocks, steps and expectations', intro, ...parts].join('\n\n')}\n`;
}

/** Sections of generated/SUITES.md: the heading, a sentence, the head of the table and its rows. */
function sections(): [title: string, text: string, head: string[], rows: string[][]][] {
  return [
    [
      'Blocks',
      'A file without `version` has one of these. If it has several, the first of this list counts.',
      ['block', 'what it does'],
      blocks.map(({ key, says }) => [code(key), says]),
    ],
    [
      'Steps',
      'A case of a file with `version: 1` has a list of steps.',
      ['step', 'options', 'what it does'],
      stepKinds.map(({ key, members, says }) => [
        code(key),
        Object.keys(members ?? {})
          .map(code)
          .join(', '),
        says,
      ]),
    ],
    [
      'Expectations about an answer',
      'They are judged in this order. An option `true` accepts no other value.',
      ...expectationTable(expectationSets.answer),
    ],
    ['Expectations of `assert_logging` and `logs`', '', ...expectationTable(expectationSets.log)],
    [
      'Expectations of `assert_notifications` and `notifications`',
      '',
      ...expectationTable(expectationSets.notifications),
    ],
    ['Lanes', '', ['lane', 'what it does'], lanes.map(({ key, says }) => [code(key), says])],
    [
      'Matchers of lanes',
      'A matcher holds if all its members hold; `not` holds if at least one of its members does not.',
      ['matcher', 'what holds'],
      matchers.map(({ name, says }) => [code(name), says]),
    ],
  ];
}

function expectationTable(expectations: readonly Expectation[]): [head: string[], rows: string[][]] {
  return [
    ['expectation', 'option', 'what holds'],
    expectations.map(({ name, option, says }) => [code(name), optionWords(option.schema), says]),
  ];
}

const words: Record<string, string> = { boolean: 'true', integer: 'number', string: 'text' };

/** The kind of an option in a word or two. */
function optionWords(schema: Record<string, unknown>): string {
  const { type, anyOf, items, additionalProperties, properties } = schema as {
    type?: string | string[];
    anyOf?: Record<string, unknown>[];
    items?: { type?: unknown };
    additionalProperties?: unknown;
    properties?: object;
  };
  if (anyOf !== undefined) return anyOf.map(optionWords).join(' or ');
  if ('const' in schema) return asText(schema['const']);
  // Scalars are read as text, however they are written.
  if (Array.isArray(type)) return type.includes('object') ? 'a schema, or its file' : 'text';
  if (type === 'array') return items?.type === 'object' ? 'list of mappings' : 'list of texts';
  if (type === 'object' && properties !== undefined) return Object.keys(properties).join(', ');
  if (type === 'object') return typeof additionalProperties === 'object' ? 'name: text' : 'name: value';
  return words[type ?? ''] ?? type ?? 'any';
}
