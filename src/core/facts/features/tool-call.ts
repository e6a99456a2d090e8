/**
 * Comparison of an answered tools/call (and, for missing arguments, a prompts/get) with the listing: arguments whose
 * JSON type contradicts the inputSchema, and whether the structured content is repeated as text. Compares only plain
 * types, without running a schema or judging.
 */
import { jsonTypes } from '../../json-schema/schema-fit.ts';
import { asObject, canonical, isObject, type JsonObject } from '../../model/json.ts';
import type { Definitions, Facts, Feature } from '../core/plugin.ts';
import { storeOf } from '../state/store.ts';
import type { RpcRecord } from '../requests/rpc-record.ts';
import { paramsOf } from '../values/rpc.ts';
import type { SessionState } from '../state/session-state.ts';
import { argumentsFault, promptFault } from './arguments-fault.ts';

/** Shorter texts turn up in a result by chance. */
const shortestMark = 8;
const longestText = 1_000_000;

const callFacts: Definitions<RpcRecord> = {
  argumentsFault: {
    says: 'tools/call: what is certainly wrong with the arguments by the listed inputSchema: a required one is missing, or one has a value that is certainly neither of the right type nor an allowed value. prompts/get: a required argument is missing.',
    rests: ['order', 'start'],
  },
  wronglyTypedArguments: {
    says: 'tools/call: names of arguments whose JSON type is none that the listed inputSchema allows them.',
    rests: ['order', 'start'],
  },
  wrongArgumentEchoed: {
    says: 'tools/call with such arguments: a text of one of them came back in the result.',
    rests: ['order', 'start'],
  },
  structuredCopy: {
    says: 'tools/call with structured content: a text block is the same as JSON (equal), the text gives the value of its only member (unwrapped), or neither (absent).',
    rests: [],
  },
};

const countOf = storeOf(() => ({ results: 0 }));

/** Results of tools/call so far: whatever a tool may change has changed by them. */
export function toolResultsOf(session: SessionState): number {
  return countOf(session).results;
}

export const toolCalls: Feature = {
  name: 'tool-calls',
  after: ['listing', 'paging'],
  facts: { exchange: callFacts },
  create: () => ({
    answered(record, { listed }) {
      if (record.from === 'client' && record.method === 'tools/call' && record.outcome === 'result')
        countOf(record.session).results += 1;
      const facts = toolCallFacts(record, listed);
      return facts && { facts };
    },
  }),
};

function toolCallFacts(record: RpcRecord, listed: unknown): Facts | undefined {
  if (record.from === 'client' && record.method === 'prompts/get') {
    const missing = promptFault(asObject(listed)?.arguments, paramsOf(record.message)?.arguments);
    return missing === undefined ? undefined : { argumentsFault: missing };
  }
  if (record.from !== 'client' || record.method !== 'tools/call') return undefined;
  const given = asObject(paramsOf(record.message)?.arguments);
  const fault = listed === undefined ? undefined : argumentsFault(asObject(listed)?.inputSchema, given ?? {});
  const wronglyTypedArguments = given ? misfitsOf(given, asObject(asObject(listed)?.inputSchema)) : [];
  const result = asObject(asObject(record.reply)?.result);
  const facts: Facts = { wronglyTypedArguments };
  if (fault !== undefined) facts.argumentsFault = fault;
  if (wronglyTypedArguments.length > 0 && result)
    facts.wrongArgumentEchoed = wronglyTypedArguments.some((name) => shows(result, given![name]));
  if (result && result.structuredContent !== undefined) facts.structuredCopy = copyOf(result);
  return facts;
}

/** Names of arguments that have another JSON type than the listing allows them. */
function misfitsOf(given: JsonObject, schema: JsonObject | undefined): string[] {
  const properties = asObject(schema?.properties);
  if (!properties) return [];
  return Object.keys(given).filter(
    (name) => Object.hasOwn(properties, name) && isMisfit(given[name], asObject(properties[name])?.type),
  );
}

/** Undecided, and no misfit, where a type is none of JSON Schema. */
function isMisfit(value: unknown, type: unknown): boolean {
  if (!Array.isArray(type)) return isTypeName(type) && !jsonTypes[type]!(value);
  return type.length > 0 && type.every(isTypeName) && !type.some((one) => jsonTypes[one]!(value));
}

function isTypeName(type: unknown): type is string {
  return typeof type === 'string' && Object.hasOwn(jsonTypes, type);
}

/** True if a text of the value, except numbers and likely coincidences, is in the tool's result. */
function shows(result: JsonObject, value: unknown): boolean {
  const mark = typeof value === 'string' ? value : isObject(value) ? (Object.keys(value)[0] ?? '') : '';
  if (mark.length < shortestMark || !Number.isNaN(Number(mark))) return false;
  const text = JSON.stringify([result.content, result.structuredContent]).slice(0, longestText);
  return text.includes(JSON.stringify(mark).slice(1, -1));
}

/**
 * - `equal`: a text block is JSON of the same value
 * - `unwrapped`: the structured content is an object of one member, and the text blocks give that member's value
 * - `absent`: neither
 */
function copyOf(result: JsonObject): 'equal' | 'unwrapped' | 'absent' {
  const { structuredContent } = result;
  const texts = (Array.isArray(result.content) ? (result.content as unknown[]) : []).flatMap((block) =>
    isObject(block) && block.type === 'text' && typeof block.text === 'string' && block.text.length <= longestText
      ? [block.text]
      : [],
  );
  const wanted = canonical(structuredContent);
  if (texts.some((text) => canonical(parsed(text)) === wanted)) return 'equal';
  const members = isObject(structuredContent) ? Object.values(structuredContent) : [];
  if (members.length !== 1) return 'absent';
  const [inner] = members;
  const whole = [...texts, texts.join('')];
  if (whole.some((text) => text === inner || canonical(parsed(text)) === canonical(inner))) return 'unwrapped';
  return Array.isArray(inner) && canonical(texts.map((text) => parsed(text) ?? text)) === canonical(inner)
    ? 'unwrapped'
    : 'absent';
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
