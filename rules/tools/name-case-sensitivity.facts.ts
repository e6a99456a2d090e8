/** Calls of tools by names that differ from the listed ones in letter case alone, and whether they reach the same tool. */
import { asObject, asText, isObject } from '../../src/core/model/json.ts';
import type { Definitions, Facts, Feature, Hooks } from '../../src/core/facts/core/plugin.ts';
import type { RpcRecord } from '../../src/core/facts/requests/rpc-record.ts';
import { paramsOf } from '../../src/core/facts/values/rpc.ts';

const keptNames = 5000;
const longestKept = 10_000;
/** Number of calls whose results are kept for comparison: other spellings are tried early. */
const comparedCalls = 500;
const keptTexts = 10;

const exchangeFacts: Definitions<RpcRecord> = {
  nameMatch: {
    says: 'tools/call: the name is listed as it is (exact), or in other upper and lower case only (other-case); absent for other names.',
    rests: ['order', 'start'],
  },
  equalsExactCall: {
    says: 'tools/call by a name in other letter case: the content is that which the listed name gave before, with the same arguments.',
  },
};

export const feature: Feature = {
  name: 'tool-name-cases',
  facts: { exchange: exchangeFacts },
  create: createNameCases,
};

function createNameCases(): Hooks {
  /** Listed names, by the name in lower case. */
  const spellings = new Map<string, Set<string>>();
  /** Results of tools called by their listed names, by name in lower case and arguments; they may differ by connection. */
  const given = new Map<string, Set<string>>();
  let names = 0;
  let compared = 0;

  function noteListed({ reply }: RpcRecord): void {
    const tools = asObject(asObject(reply)?.result)?.tools;
    for (const tool of Array.isArray(tools) ? (tools as unknown[]) : []) {
      if (!isObject(tool) || typeof tool.name !== 'string' || names >= keptNames) continue;
      const same = spellings.get(tool.name.toLowerCase()) ?? new Set();
      if (!same.has(tool.name)) names += 1;
      spellings.set(tool.name.toLowerCase(), same.add(tool.name));
    }
  }

  /** Relation of a called tool name to the listed ones. */
  function spelledAs(name: unknown): string | undefined {
    const same = typeof name === 'string' ? spellings.get(name.toLowerCase()) : undefined;
    return same === undefined ? undefined : same.has(name as string) ? 'exact' : 'other-case';
  }

  /** True if a call with another letter case got the result of the listed name. */
  function exactOnes(record: RpcRecord, nameMatch: unknown): Facts {
    if (nameMatch === 'exact' && compared >= comparedCalls) return {};
    const contents = asObject(asObject(record.reply)?.result)?.content;
    if (nameMatch === undefined || !Array.isArray(contents) || contents.length === 0) return {};
    const params = paramsOf(record.message);
    const key = JSON.stringify([asText(params?.name).toLowerCase(), params?.arguments ?? {}]);
    const text = JSON.stringify(contents);
    const texts = given.get(key) ?? new Set();
    if (nameMatch === 'other-case') return { equalsExactCall: texts.has(text) };
    compared += 1;
    if (text.length <= longestKept && texts.size < keptTexts) given.set(key, texts.add(text));
    return {};
  }

  return {
    answered(record) {
      if (record.from !== 'client') return undefined;
      if (record.method === 'tools/list') noteListed(record);
      if (record.method !== 'tools/call') return undefined;
      const nameMatch = spelledAs(paramsOf(record.message)?.name);
      return { facts: { nameMatch, ...exactOnes(record, nameMatch) } };
    },
  };
}
