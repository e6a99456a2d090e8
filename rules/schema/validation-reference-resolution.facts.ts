/**
 * References within a JSON Schema that lead nowhere: no validator can compile such a schema. Only what is certain is
 * told of: references that leave the document, and schemas that give parts of themselves addresses, are left alone.
 */
import { asObject, asText, isObject } from '../../src/core/model/json.ts';
import type { Definitions, Feature } from '../../src/core/facts/core/plugin.ts';
import type { RpcRecord } from '../../src/core/facts/requests/rpc-record.ts';

/** Members whose value is data, and no schema. */
const dataMembers: ReadonlySet<string> = new Set(['const', 'default', 'enum', 'example', 'examples']);
/** A schema that holds more is not looked through. */
const mostValues = 50_000;
/** By these a part has a name or an address of its own. */
const namingMembers = ['$anchor', '$dynamicAnchor', '$recursiveAnchor', '$id', 'id'];

const exchangeFacts: Definitions<RpcRecord> = {
  danglingReferences: {
    says: 'tools/list: schemas of tools with a $ref to a place within themselves that is not there: tool, member (inputSchema or outputSchema), ref. At most ten.',
    rests: [],
    read: (record) => (record.from === 'client' && record.method === 'tools/list' ? danglingIn(record) : undefined),
  },
};

export const feature: Feature = { name: 'schema-references', facts: { exchange: exchangeFacts } };

/** Schemas that are told of. */
const listed = 10;

function danglingIn({ reply }: RpcRecord): { tool: string; member: string; ref: string }[] | undefined {
  const tools = asObject(asObject(reply)?.result)?.tools;
  if (!Array.isArray(tools)) return undefined;
  return tools
    .flatMap((tool: unknown) =>
      ['inputSchema', 'outputSchema'].flatMap((member) => {
        const ref = danglingReference(asObject(tool)?.[member]);
        return ref === undefined ? [] : [{ tool: asText(asObject(tool)?.name), member, ref: ref.slice(0, 100) }];
      }),
    )
    .slice(0, listed);
}

/** @returns the first `$ref` that names a place which the schema does not have; undefined when there is none */
export function danglingReference(schema: unknown): string | undefined {
  const references: string[] = [];
  const open: unknown[] = [schema];
  let looked = 0;
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    looked += 1;
    if (looked > mostValues) return undefined;
    if (!isObject(value) && !Array.isArray(value)) continue;
    if (isObject(value)) {
      if (value !== schema && namingMembers.some((name) => typeof value[name] === 'string')) return undefined;
      if (typeof value.$ref === 'string') references.push(value.$ref);
    }
    for (const [name, part] of Object.entries(value))
      if (!dataMembers.has(name) && part !== undefined && part !== null) open.push(part);
  }
  return references.find((one) => one.startsWith('#/') && !leads(schema, one));
}

function leads(schema: unknown, reference: string): boolean {
  let at = schema;
  for (const step of reference.slice(2).split('/')) {
    const name = decoded(step);
    if (name === undefined) return true;
    if ((!isObject(at) && !Array.isArray(at)) || !Object.hasOwn(at, name)) return false;
    at = (at as Record<string, unknown>)[name];
  }
  return true;
}

/** A step of a JSON pointer in an address; undefined where it is not written as one. */
function decoded(step: string): string | undefined {
  try {
    return decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
  } catch {
    return undefined;
  }
}
