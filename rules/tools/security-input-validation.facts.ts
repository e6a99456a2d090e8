/** Arguments of a tools/call whose JSON type contradicts the listed inputSchema, and whether the result shows them. */
import { jsonTypes } from '../../src/core/json-schema/schema-fit.ts';
import { asObject, isObject, type JsonObject } from '../../src/core/model/json.ts';
import type { Definitions, Facts, Feature } from '../../src/core/facts/core/plugin.ts';
import type { RpcRecord } from '../../src/core/facts/requests/rpc-record.ts';
import { paramsOf } from '../../src/core/facts/values/rpc.ts';

/** Shorter texts turn up in a result by chance. */
const shortestMark = 8;
const longestText = 1_000_000;

const callFacts: Definitions<RpcRecord> = {
  wronglyTypedArguments: {
    says: 'tools/call: names of arguments whose JSON type is none that the listed inputSchema allows them.',
    rests: ['order', 'start'],
  },
  wrongArgumentEchoed: {
    says: 'tools/call with such arguments: a text of one of them came back in the result.',
    rests: ['order', 'start'],
  },
};

export const feature: Feature = {
  name: 'wrongly-typed-arguments',
  after: ['listing'],
  facts: { exchange: callFacts },
  create: () => ({
    answered(record, { listed }) {
      if (record.from !== 'client' || record.method !== 'tools/call') return undefined;
      return { facts: misfitFacts(record, asObject(asObject(listed)?.inputSchema)) };
    },
  }),
};

function misfitFacts(record: RpcRecord, schema: JsonObject | undefined): Facts {
  const given = asObject(paramsOf(record.message)?.arguments);
  const wronglyTypedArguments = given ? misfitsOf(given, schema) : [];
  const result = asObject(asObject(record.reply)?.result);
  if (wronglyTypedArguments.length === 0 || !result) return { wronglyTypedArguments };
  return {
    wronglyTypedArguments,
    wrongArgumentEchoed: wronglyTypedArguments.some((name) => shows(result, given![name])),
  };
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
