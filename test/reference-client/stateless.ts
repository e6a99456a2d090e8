/** What requests of the stateless era carry: _meta, and headers that mirror the body. */
import type { Json } from '../../src/core/faults/operators.ts';
import type { Seams } from './seams.ts';

/** What the client says of itself; before 2025-11-25 the icons are members that nobody knows. */
export const clientInfo: Json = {
  name: 'reference',
  version: '1.0.0',
  icons: [{ src: 'https://example.com/icon.png' }],
};

export function metaOf(revision: string, capabilities: Json): Json {
  return {
    'io.modelcontextprotocol/protocolVersion': revision,
    'io.modelcontextprotocol/clientInfo': clientInfo,
    traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  };
}

/** What a request declares. */
export function declaredIn(method: string, params: Json | undefined, capabilities: Json, seams: Seams): Json {
  const isOfTask = method.startsWith('tasks/');
  if (params?.inputResponses !== undefined && !isOfTask && !seams.keeps('declare-on-retries')) return {};
  if (!isOfTask || seams.keeps('declare-tasks-in-each-request')) return capabilities;
  return Object.fromEntries(Object.entries(capabilities).filter(([name]) => name !== 'extensions'));
}

const named: Record<string, string> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
  'tasks/get': 'taskId',
  'tasks/update': 'taskId',
  'tasks/cancel': 'taskId',
};

/** A value as a header may have it. */
function encoded(value: string): string {
  const isPlain = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(value) && !/^=\?base64\?.*\?=$/.test(value);
  return isPlain ? value : `=?base64?${Buffer.from(value).toString('base64')}?=`;
}

/** @param schema input schema of the tool that is called, where it is known */
export function standardHeaders(method: string, params: Json = {}, schema?: Json): Record<string, string> {
  const member = named[method];
  const name = member === undefined ? undefined : params[member];
  return {
    'mcp-method': method,
    ...(typeof name === 'string' ? { 'mcp-name': encoded(name) } : {}),
    ...(method === 'tools/call' ? mirrored((params.arguments ?? {}) as Json, schema) : {}),
  };
}

function mirrored(given: Json, schema: Json = {}): Record<string, string> {
  const properties = (schema.properties ?? {}) as Record<string, Json>;
  return Object.fromEntries(
    Object.entries(properties).flatMap(([property, { 'x-mcp-header': header, properties: within }]) => {
      const value = given[property];
      if (within !== undefined) return Object.entries(mirrored((value ?? {}) as Json, { properties: within }));
      return typeof header === 'string' && value !== undefined && value !== null
        ? [[`mcp-param-${header.toLowerCase()}`, encoded(String(value))]]
        : [];
    }),
  );
}

/** True if each x-mcp-header of a schema of plain properties is as it should be. */
export function hasSoundHeaders({ properties = {} }: Json): boolean {
  const all = Object.values(properties as Record<string, Json>).filter((property) => 'x-mcp-header' in property);
  const names = all.map((property) => String(property['x-mcp-header']).toLowerCase());
  return (
    new Set(names).size === names.length &&
    names.every((name) => /^[\w-]+$/.test(name)) &&
    all.every(({ type }) => type === 'string' || type === 'integer' || type === 'boolean')
  );
}
