/** The cases of a starter suite that say what the lists of a server hold. Pure. */
import { isObject } from '../../../core/model/json.ts';
import { inOrderOf } from '../../../core/drift/offer-order.ts';
import { smallest } from '../../../core/model/lists.ts';
import type { Listing } from '../../../client/offers/survey.ts';
import type { Expected } from './expected.ts';
import { commonPart } from './stable.ts';

type Json = Record<string, unknown>;

interface ListKind {
  list: 'tools' | 'prompts' | 'resources' | 'templates';
  /** Where the entries stand in the answer. */
  member: string;
  /** Members of an entry that a client depends on. */
  told: readonly string[];
}

const kinds: readonly ListKind[] = [
  { list: 'tools', member: 'tools', told: ['name', 'inputSchema', 'outputSchema'] },
  { list: 'prompts', member: 'prompts', told: ['name', 'arguments'] },
  { list: 'resources', member: 'resources', told: ['uri', 'name', 'mimeType'] },
  { list: 'templates', member: 'resourceTemplates', told: ['uriTemplate', 'name', 'mimeType'] },
];

/** Entries beyond which only their number is expected. */
const mostEntries = 200;

export interface ListCase extends Expected {
  name: string;
  /** Where the entries stand in the answer. */
  member: string;
  step: Json;
}

/**
 * @param listings the lists of two connections;
 * @param clean removes secrets
 */
export function listCases([one, other]: readonly [Listing, Listing], clean: (text: string) => string): ListCase[] {
  return kinds.flatMap(({ list, member, told: reported }): ListCase[] => {
    const entries = [one[list], inOrderOf(one[list], other[list])];
    const count = entries[0]!.length;
    if (count === 0) return [];
    const step = { list };
    const name = `${list} are listed`;
    if (entries[1]!.length !== count || one.cut !== undefined || count > mostEntries) {
      return [
        {
          name,
          member,
          step,
          members: { expect: atLeast(member, smallest(entries.map(({ length }) => length))) },
          comments: count > mostEntries ? [] : ['Volatile: the list differs from connection to connection.'],
        },
      ];
    }
    const views = entries.map((items) =>
      items.map((item) =>
        Object.fromEntries(reported.filter((key) => item[key] !== undefined).map((key) => [key, item[key]])),
      ),
    );
    const common = commonPart(views, (value) => typeof value !== 'string' || clean(value) === value);
    const { value } = common;
    const comments = common.volatile.length === 0 ? [] : ['Volatile: entries differ from connection to connection.'];
    if (!Array.isArray(value) || !value.every(isObject))
      return [{ name, member, step, members: { expect: atLeast(member, count) }, comments }];
    return [{ name, member, step, members: { expect: { structured: { [member]: value } } }, comments }];
  });
}

/** That a list has so many entries. */
export function atLeast(member: string, count: number): Json {
  return {
    result_schema: { type: 'object', required: [member], properties: { [member]: { type: 'array', minItems: count } } },
  };
}
