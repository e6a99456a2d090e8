/** Depth to which the objects and arrays of a schema are nested. Pure. */
import { asObject } from '../../core/model/json.ts';

const deepest = 50;
const alternatives = ['anyOf', 'oneOf', 'allOf'] as const;

/** Levels of objects and arrays, the schema itself included; references are not followed. At most 50. */
export function schemaDepth(schema: unknown, level = 1): number {
  const node = asObject(schema);
  if (node === undefined || level > deepest) return level - 1;
  let depth = level;
  for (const part of belowIn(node)) if (nests(part)) depth = Math.max(depth, schemaDepth(part, level + 1));
  for (const word of alternatives)
    if (Array.isArray(node[word]))
      for (const part of node[word] as unknown[]) depth = Math.max(depth, schemaDepth(part, level));
  return depth;
}

function belowIn(node: Record<string, unknown>): unknown[] {
  return [...Object.values(asObject(node['properties']) ?? {}), node['items'], node['additionalProperties']];
}

function nests(schema: unknown, level = 0): boolean {
  const node = asObject(schema);
  if (node === undefined || level > deepest) return false;
  return (
    node['properties'] !== undefined ||
    node['items'] !== undefined ||
    asObject(node['additionalProperties']) !== undefined ||
    alternatives.some(
      (word) => Array.isArray(node[word]) && (node[word] as unknown[]).some((part) => nests(part, level + 1)),
    )
  );
}
