/**
 * Parameters of listed tools that travel as HTTP headers: every `x-mcp-header` in an inputSchema, at any depth, and
 * whether its place allows a header (2026-07-28: basic/transports/streamable-http, schema extension). Reads only places
 * of schemas, never data in them, without judgement.
 */
import { asObject, asText, isObject, type JsonObject } from '../../model/json.ts';
import type { Definitions, Feature } from '../core/plugin.ts';
import type { RpcRecord } from '../requests/rpc-record.ts';

/** Keywords whose value is a schema, a list of schemas, or an object of schemas. */
const ofSchema = [
  'items',
  'additionalItems',
  'additionalProperties',
  'contains',
  'not',
  'if',
  'then',
  'else',
  'propertyNames',
  'unevaluatedItems',
  'unevaluatedProperties',
  'contentSchema',
];
const ofList = ['items', 'allOf', 'anyOf', 'oneOf', 'prefixItems'];
const ofObject = ['patternProperties', '$defs', 'definitions', 'dependentSchemas', 'dependencies'];

/** Larger or deeper schemas are ignored. */
const mostSchemas = 20_000;
const deepest = 100;

export interface HeaderAnnotation {
  tool: unknown;
  header: unknown;
  /** Type of the parameter, where its schema gives a single one. */
  type?: string;
  /** Reached by `properties` alone, or by other keywords. */
  reached: 'properties' | 'otherwise';
  /** Equal for two headers of a tool that differ in letter case only. */
  key: string;
}

const exchangeFacts: Definitions<RpcRecord> = {
  headerAnnotations: {
    says: 'tools/list: each x-mcp-header of an inputSchema, at any depth: tool, header, type, reached (properties: by properties keys alone, or otherwise), key (tool and header in lower case).',
    rests: [],
    read: (record) => (record.from === 'client' && record.method === 'tools/list' ? annotationsOf(record) : undefined),
  },
};

export const headerAnnotations: Feature = { name: 'header-annotations', facts: { exchange: exchangeFacts } };

function annotationsOf({ reply }: RpcRecord): HeaderAnnotation[] | undefined {
  const tools = asObject(asObject(reply)?.result)?.tools;
  if (!Array.isArray(tools)) return undefined;
  const left = { schemas: mostSchemas };
  return (tools as unknown[]).flatMap((tool) => annotationsIn(asObject(tool)?.inputSchema, asObject(tool)?.name, left));
}

/** The annotations of one inputSchema. @param left how many schemas are still looked at */
export function annotationsIn(
  inputSchema: unknown,
  name: unknown,
  left: { schemas: number } = { schemas: mostSchemas },
): HeaderAnnotation[] {
  const found: HeaderAnnotation[] = [];

  function visit(value: unknown, tool: unknown, reached: 'root' | HeaderAnnotation['reached'], depth: number): void {
    left.schemas -= 1;
    if (!isObject(value) || left.schemas < 0 || depth > deepest) return;
    if (Object.hasOwn(value, 'x-mcp-header'))
      found.push(annotation(value, tool, reached === 'properties' ? reached : 'otherwise'));
    const beneath = reached === 'otherwise' ? 'otherwise' : 'properties';
    for (const one of Object.values(asObject(value.properties) ?? {})) visit(one, tool, beneath, depth + 1);
    for (const name of ofSchema) visit(value[name], tool, 'otherwise', depth + 1);
    for (const name of ofList) visitEach(value[name], tool, depth);
    for (const name of ofObject) if (isObject(value[name])) visitEach(Object.values(value[name]), tool, depth);
  }

  function visitEach(values: unknown, tool: unknown, depth: number): void {
    if (Array.isArray(values)) for (const one of values as unknown[]) visit(one, tool, 'otherwise', depth + 1);
  }

  visit(inputSchema, name, 'root', 0);
  return found;
}

function annotation(schema: JsonObject, tool: unknown, reached: HeaderAnnotation['reached']): HeaderAnnotation {
  const header = schema['x-mcp-header'];
  return {
    tool,
    header,
    ...(typeof schema.type === 'string' ? { type: schema.type } : {}),
    reached,
    key: `${asText(tool)} ${asText(header).toLowerCase()}`,
  };
}
