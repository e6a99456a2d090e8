/**
 * Characters in the texts of a server that a reader does not see as they are, and texts too long to be read. It looks at
 * the entries of lists, with the names of properties and the values within schemas, and at the handshake. A finding has
 * a place and code points, and no character of the text.
 */
import { hiddenCharacters, lookAlikes, type HiddenKind } from '../../model/hidden-characters.ts';
import { asObject, asText, isObject } from '../../model/json.ts';
import type { Definitions, Feature } from '../core/plugin.ts';
import type { RpcRecord } from '../requests/rpc-record.ts';
import { listOf } from '../values/lists.ts';

/** Limits of the search: values, depth, findings of a kind, and characters of one text. */
const mostValues = 50_000;
const deepest = 60;
const mostFindings = 20;
const mostCharacters = 1000;
/** Code points in one finding. */
const mostCodes = 5;
/** Characters. A longer text is not read before it is approved. */
const longestText = 10_000;
const longestName = 256;

/** Members without texts for models. Patterns contain control characters rightly. */
const unread = new Set(['icons', '_meta', 'pattern', 'patternProperties', '$schema', '$id', '$ref', 'uri', 'mimeType']);
const names = new Set(['name', 'title']);
/** Members with names as keys. */
const namesBelow = new Set(['properties', '$defs', 'definitions', 'dependentSchemas']);

const parts = {
  'tag character': 'tags',
  'bidirectional control': 'bidirectional',
  'invisible character': 'invisible',
  'control character': 'controls',
  'look-alike of another alphabet': 'lookAlikes',
} as const satisfies Record<HiddenKind, string>;

type Surface = Record<(typeof parts)[HiddenKind] | 'long', string[]>;

const exchangeFacts: Definitions<RpcRecord> = {
  surface: {
    says: 'Lists, initialize and server/discover: places and code points of hidden characters (invisible, bidirectional, tags, controls, lookAlikes: letters of other alphabets in Latin words), and long texts.',
    rests: [],
    read: (record) => (record.from === 'client' ? surfaceOf(record) : undefined),
  },
};

export const surfaceTexts: Feature = { name: 'surface-texts', facts: { exchange: exchangeFacts } };

function surfaceOf({ method, reply }: RpcRecord): Surface | undefined {
  const result = asObject(asObject(reply)?.['result']);
  if (result === undefined) return undefined;
  const list = listOf(method)?.member;
  if (list !== undefined) return Array.isArray(result[list]) ? surfaceIn(result[list], `/${list}`) : undefined;
  if (method !== 'initialize' && method !== 'server/discover') return undefined;
  return surfaceIn({ instructions: result['instructions'], serverInfo: result['serverInfo'] }, '');
}

/** Findings in the texts of a value; undefined without a text. @param at place of the value */
export function surfaceIn(offered: unknown, at: string): Surface | undefined {
  const surface: Surface = { invisible: [], bidirectional: [], tags: [], controls: [], lookAlikes: [], long: [] };
  let texts = 0;
  let left = mostValues;

  function look(text: string, place: string, isName: boolean): void {
    texts += 1;
    const characters = [...hiddenCharacters(text, mostCharacters), ...lookAlikes(text)];
    for (const kind of new Set(characters.map((one) => one.kind)))
      add(parts[kind], `${place}: ${codes(characters.filter((one) => one.kind === kind))}`);
    if (text.length > (isName ? longestName : longestText)) add('long', `${place}: ${text.length} characters`);
  }

  function add(part: keyof Surface, finding: string): void {
    if (surface[part].length < mostFindings) surface[part].push(finding);
  }

  /** @param free the keys are names that the server chose, and no keywords */
  function visit(value: unknown, place: string, depth: number, { isName = false, free = false } = {}): void {
    left -= 1;
    if (left < 0 || depth > deepest) return;
    if (typeof value === 'string') look(value, place, isName);
    else if (Array.isArray(value))
      value.forEach((one, index) => visit(one, `${place}/${index}${labelOf(one)}`, depth + 1));
    else if (isObject(value))
      for (const [member, one] of Object.entries(value)) {
        if (!free && unread.has(member)) continue;
        const beneath = `${place}/${shown(member)}`;
        look(member, `${beneath}, the name itself`, true);
        visit(one, beneath, depth + 1, {
          isName: !free && names.has(member) && typeof one === 'string',
          free: !free && namesBelow.has(member),
        });
      }
  }

  visit(offered, at, 0);
  return texts === 0 ? undefined : surface;
}

/** The name of an entry after its number, if it is plain. */
function labelOf(entry: unknown): string {
  const name = asText(asObject(entry)?.['name']);
  return /^[\w.-]{1,64}$/.test(name) ? ` (${name})` : '';
}

/** `U+200B at 12, U+200B at 13`. */
function codes(all: readonly { at: number; code: string }[]): string {
  const first = all.slice(0, mostCodes).map(({ at, code }) => `${code} at ${at}`);
  return `${first.join(', ')}${all.length > mostCodes ? ` and ${all.length - mostCodes} more` : ''}`;
}

/** The name of a property for a place, with other characters than printable ASCII escaped. */
function shown(member: string): string {
  return member.slice(0, 64).replace(/[^\x20-\x7e]/gu, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`);
}
