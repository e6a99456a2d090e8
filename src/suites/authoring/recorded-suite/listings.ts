/** The lists of a recorded server: joined from the pages of each list that was read to its end. Pure. */
import { isObject, type JsonObject } from '../../../core/model/json.ts';
import type { Listing } from '../../../client/offers/survey.ts';
import type { Conversation } from './conversations.ts';

const lists = {
  'tools/list': ['tools', 'tools'],
  'prompts/list': ['prompts', 'prompts'],
  'resources/list': ['resources', 'resources'],
  'resources/templates/list': ['templates', 'resourceTemplates'],
} as const;

/** The lists as they were read the first time and the last time; what was never read is empty. */
export function listingsOf(conversations: readonly Conversation[]): [Listing, Listing] {
  const first: Listing = { tools: [], prompts: [], resources: [], templates: [] };
  const last: Listing = { tools: [], prompts: [], resources: [], templates: [] };
  for (const [method, [name, member]] of Object.entries(lists)) {
    const read = conversations.flatMap((one) => wholeLists(one, method, member));
    first[name] = read[0] ?? [];
    last[name] = read.at(-1) ?? [];
  }
  return [first, last];
}

function wholeLists({ exchanges }: Conversation, method: string, member: string): JsonObject[][] {
  const whole: JsonObject[][] = [];
  let pages: JsonObject[] | undefined;
  let cursor: unknown;
  for (const { params, answer } of exchanges.filter((one) => one.method === method)) {
    if (params['cursor'] === undefined) pages = [];
    else if (pages === undefined || params['cursor'] !== cursor) continue;
    const { result } = answer;
    if (!isObject(result) || !Array.isArray(result[member])) {
      pages = undefined;
      continue;
    }
    pages = [...pages, ...(result[member] as unknown[]).filter(isObject)];
    cursor = result['nextCursor'];
    if (cursor !== undefined && cursor !== null) continue;
    whole.push(pages);
    pages = undefined;
  }
  return whole;
}
