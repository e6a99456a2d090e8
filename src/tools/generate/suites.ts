/** Writes rules/language/suite.schema.json and the tables of docs/suites.md from the tables of blocks and expectations. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { blocks } from '../../suites/language/blocks/table.ts';
import type { Expectation } from '../../suites/language/expectation.ts';
import { expectationSets } from '../../suites/language/expectations/table.ts';
import { suiteSchema } from '../../suites/language/file/schema.ts';
import { matchers } from '../../suites/language/lanes/matchers.ts';
import { lanes } from '../../suites/language/lanes/table.ts';
import { stepKinds } from '../../suites/language/steps/table.ts';
import type { Generator } from './outputs.ts';
import { asText } from '../../core/model/json.ts';

const docs = 'docs/suites.md';

export const generateSuites: Generator = async (root) => {
  const text = await readFile(path.join(root, docs), 'utf8');
  const parts: Record<string, string> = {
    blocks: table(
      ['block', 'what it does'],
      blocks.map(({ key, says }) => [`\`${key}\``, says]),
    ),
    steps: table(
      ['step', 'options', 'what it does'],
      stepKinds.map(({ key, members, says }) => [
        `\`${key}\``,
        Object.keys(members ?? {})
          .map((name) => `\`${name}\``)
          .join(', '),
        says,
      ]),
    ),
    lanes: table(
      ['lane', 'what it does'],
      lanes.map(({ key, says }) => [`\`${key}\``, says]),
    ),
    matchers: table(
      ['matcher', 'what holds'],
      matchers.map(({ name, says }) => [`\`${name}\``, says]),
    ),
    ...Object.fromEntries(
      Object.entries(expectationSets).map(([name, expectations]) => [`expect-${name}`, expectationTable(expectations)]),
    ),
  };
  return {
    'rules/language/suite.schema.json': `${JSON.stringify(suiteSchema(), null, 2)}\n`,
    [docs]: text.replace(
      /(<!-- generated: (\S+) -->\n)[\s\S]*?(<!-- end -->)/g,
      (_whole, head: string, name: string, end: string) => {
        const part = parts[name];
        if (part === undefined) throw new RangeError(`${docs}: nothing is generated for "${name}"`);
        return `${head}${part}\n${end}`;
      },
    ),
  };
};

function expectationTable(expectations: readonly Expectation[]): string {
  return table(
    ['expectation', 'option', 'what holds'],
    expectations.map(({ name, option, says }) => [`\`${name}\``, optionWords(option.schema), says]),
  );
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

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
