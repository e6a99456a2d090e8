/**
 * Makes a value that fits a JSON Schema, for tool arguments and elicited content: required members only, the
 * plainest value for each. It never runs a server's patterns and never follows references out of the schema.
 */
type Json = Record<string, unknown>;

const deepest = 12;

/** @param schema a schema, or a part of one; `root` is where its local references lead */
export function generateValue(schema: unknown, root: unknown = schema, depth = 0): unknown {
  if (typeof schema !== 'object' || schema === null || depth > deepest) return typeof schema === 'object' ? null : 'text';
  const node = schema as Json;
  if ('const' in node) return node.const;
  if (Array.isArray(node.enum) && node.enum.length > 0) return node.enum[0];
  if ('default' in node) return node.default;
  if (Array.isArray(node.examples) && node.examples.length > 0) return node.examples[0];
  if (typeof node.$ref === 'string') return generateValue(resolveLocal(node.$ref, root), root, depth + 1);
  for (const key of ['oneOf', 'anyOf'] as const) {
    const branches = node[key];
    if (Array.isArray(branches) && branches.length > 0) {
      const branch = branches.find((one) => (one as Json | null)?.type !== 'null') ?? branches[0];
      return generateValue({ ...node, [key]: undefined, ...(branch as Json) }, root, depth + 1);
    }
  }
  if (Array.isArray(node.allOf)) return generateValue(mergeAll(node, root), root, depth + 1);
  return valueOfType(typeOf(node), node, root, depth);
}

function typeOf(node: Json): string {
  const type = Array.isArray(node.type) ? node.type.find((one) => one !== 'null') : node.type;
  if (typeof type === 'string') return type;
  if ('properties' in node) return 'object';
  return 'items' in node ? 'array' : 'string';
}

function valueOfType(type: string, node: Json, root: unknown, depth: number): unknown {
  switch (type) {
    case 'object': {
      const properties = (node.properties ?? {}) as Json;
      const required = Array.isArray(node.required) ? (node.required as unknown[]).map(String) : [];
      return Object.fromEntries(required.map((name) => [name, generateValue(properties[name] ?? {}, root, depth + 1)]));
    }
    case 'array': {
      const length = typeof node.minItems === 'number' ? Math.min(node.minItems, 10) : 0;
      const prefix = Array.isArray(node.prefixItems) ? node.prefixItems : [];
      return Array.from({ length }, (_, index) => generateValue(prefix[index] ?? node.items ?? {}, root, depth + 1));
    }
    case 'integer':
    case 'number':
      return numberFor(node, type === 'integer');
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return textFor(node);
  }
}

function numberFor(node: Json, whole: boolean): number {
  const step = typeof node.multipleOf === 'number' && node.multipleOf > 0 ? node.multipleOf : undefined;
  const above = typeof node.exclusiveMinimum === 'number' ? node.exclusiveMinimum + (whole ? 1 : 0.5) : undefined;
  const least = above ?? (typeof node.minimum === 'number' ? node.minimum : undefined);
  const most = typeof node.maximum === 'number' ? node.maximum : typeof node.exclusiveMaximum === 'number' ? node.exclusiveMaximum - 1 : undefined;
  let value = least ?? (most === undefined || most >= 1 ? 1 : most);
  if (step !== undefined) value = Math.ceil(value / step) * step;
  return whole ? Math.ceil(value) : value;
}

const formats: Record<string, string> = {
  email: 'someone@example.com',
  uri: 'https://example.com/',
  url: 'https://example.com/',
  'uri-reference': '/',
  date: '2026-01-05',
  time: '10:00:00Z',
  'date-time': '2026-01-05T10:00:00Z',
  uuid: '7d444840-9dc0-11d1-b245-5ffdce74fad2',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  duration: 'PT1S',
};

function textFor(node: Json): string {
  const known = typeof node.format === 'string' ? formats[node.format] : undefined;
  if (known !== undefined) return known;
  const least = typeof node.minLength === 'number' ? Math.min(node.minLength, 10_000) : 0;
  const most = typeof node.maxLength === 'number' ? node.maxLength : Infinity;
  return 'text'.padEnd(least, 'x').slice(0, Math.max(most, 0));
}

function resolveLocal(reference: string, root: unknown): unknown {
  if (reference === '#') return root;
  if (!reference.startsWith('#/')) return {};
  let current = root;
  for (const part of reference.slice(2).split('/')) {
    const key = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, key)) return {};
    current = (current as Json)[key];
  }
  return current;
}

function mergeAll(node: Json, root: unknown): Json {
  const merged: Json = { ...node };
  delete merged.allOf;
  for (const part of node.allOf as Json[]) {
    const resolved = (typeof part?.$ref === 'string' ? resolveLocal(part.$ref, root) : part) as Json;
    merged.properties = { ...(merged.properties as Json), ...(resolved?.properties as Json) };
    merged.required = [...((merged.required as string[]) ?? []), ...((resolved?.required as string[]) ?? [])];
    merged.type ??= resolved?.type;
  }
  return merged;
}
