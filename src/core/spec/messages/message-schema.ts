/**
 * Expands a message layout into one standard JSON Schema (2020-12) with a definition for each type, and its methods
 * table into method facts. Inheritance is resolved; `message-union` distinguishes unions. Additional members are never
 * forbidden. Reads no file and compiles nothing.
 */
import type { ExpandContext, JsonSchema, MemberTable } from './message-expansion.ts';
import { fault, type MessageLayout } from './message-layout.ts';
import type { ScalarType, Shape } from './message-shape.ts';
import { unionSchema } from './message-union.ts';
import type { MethodInfo } from './message-validator.ts';

/** `$id` of the schema of a revision; a definition is at `<id>#/$defs/<type>`. */
export function schemaId(revision: string): string {
  return `mcpc:messages/${revision}`;
}

/**
 * The JSON Schema of all messages of a revision.
 * @throws McpcError (usage) naming file and path for inheritance or a union that cannot be expanded
 */
export function expandMessageSchema(layout: MessageLayout): {
  $schema: string;
  $id: string;
  $defs: Record<string, JsonSchema>;
} {
  const $defs: Record<string, JsonSchema> = {};
  for (const [name, shape] of layout.types) {
    $defs[name] = createContext(layout, name).expand(shape);
  }
  return { $schema: 'https://json-schema.org/draft/2020-12/schema', $id: schemaId(layout.revision), $defs };
}

/**
 * Data of the methods table for each method, with the params type of the message type.
 * @throws McpcError (usage) where a message's `method` is not the literal of the table
 */
export function methodInfos(layout: MessageLayout): Record<string, MethodInfo> {
  const infos: Record<string, MethodInfo> = {};
  for (const [method, row] of layout.methods) {
    const path = `methods.${method}.message`;
    const members = createContext(layout, path).membersOf({ kind: 'reference', name: row.message });
    const literal = members?.get('method')?.shape;
    if (literal?.kind !== 'literal' || literal.value !== method) {
      throw fault(layout.file, path, `${row.message} does not have the method '${method}'`);
    }
    const params = members?.get('params');
    if (params && params.shape.kind !== 'reference')
      throw fault(layout.file, path, `the params of ${row.message} must be a named type`);
    infos[method] = {
      from: row.from,
      kind: row.kind,
      message: row.message,
      params: params?.shape.kind === 'reference' ? params.shape.name : null,
      paramsRequired: params !== undefined && !params.optional,
      result: row.result ?? null,
      taskResult: row.taskResult,
    };
  }
  return infos;
}

function createContext(layout: MessageLayout, path: string): ExpandContext {
  const context: ExpandContext = {
    layout,
    resolve(shape) {
      const seen = new Set<string>();
      let current = shape;
      while (current.kind === 'reference') {
        if (seen.has(current.name)) throw fault(layout.file, path, `${current.name} stands for itself`);
        seen.add(current.name);
        current = layout.types.get(current.name)!;
      }
      return current;
    },
    membersOf(shape) {
      return collectMembers(context, shape, [], path);
    },
    expand(shape) {
      return expand(context, shape, path);
    },
  };
  return context;
}

function collectMembers(context: ExpandContext, shape: Shape, trail: string[], path: string): MemberTable | undefined {
  const resolved = context.resolve(shape);
  if (resolved.kind !== 'object') return undefined;
  const table: MemberTable = new Map();
  for (const base of resolved.bases) {
    if (trail.includes(base)) throw fault(context.layout.file, path, `${base} extends itself`);
    const inherited = collectMembers(context, { kind: 'reference', name: base }, [...trail, base], path);
    if (!inherited) throw fault(context.layout.file, path, `${base} is not an object type and cannot be extended`);
    for (const [name, member] of inherited) table.set(name, member);
  }
  for (const [name, member] of resolved.members) table.set(name, member);
  return table;
}

function expand(context: ExpandContext, shape: Shape, path: string): JsonSchema {
  switch (shape.kind) {
    case 'any':
      return {};
    case 'absent':
      return { not: {} };
    case 'literal':
      return { const: shape.value };
    case 'reference':
      return { $ref: `#/$defs/${shape.name}` };
    case 'scalar':
      return scalarSchema(shape);
    case 'array':
      return {
        type: 'array',
        items: expand(context, shape.items, path),
        minItems: shape.minItems,
        maxItems: shape.maxItems,
      };
    case 'map':
      return { type: 'object', additionalProperties: expand(context, shape.values, path) };
    case 'union':
      return unionSchema(context, shape.branches, path);
    case 'choice':
      return choiceSchema(context, shape, path);
    case 'object':
      return objectSchema(context, context.membersOf(shape)!, path);
  }
}

function scalarSchema(shape: { type: ScalarType; format?: string; minimum?: number; maximum?: number }): JsonSchema {
  return {
    type: shape.type,
    // "byte" is the name under which JSON Schema tools know standard Base64.
    ...(shape.format === undefined ? {} : { format: shape.format === 'base64' ? 'byte' : shape.format }),
    minimum: shape.minimum,
    maximum: shape.maximum,
  };
}

function objectSchema(context: ExpandContext, members: MemberTable, path: string): JsonSchema {
  const properties: Record<string, JsonSchema | false> = {};
  const required: string[] = [];
  for (const [name, member] of members) {
    properties[name] = member.shape.kind === 'absent' ? false : expand(context, member.shape, `${path}.${name}`);
    if (!member.optional) required.push(name);
  }
  return {
    type: 'object',
    ...(members.size === 0 ? {} : { properties }),
    ...(required.length === 0 ? {} : { required }),
  };
}

/** One member of a choice selects the shape; `else` takes every other value. */
function choiceSchema(context: ExpandContext, shape: Extract<Shape, { kind: 'choice' }>, path: string): JsonSchema {
  const { member, cases, otherwise } = shape;
  const values = [...cases.keys()];
  const rules: JsonSchema[] = values.map((value) => ({
    if: { type: 'object', properties: { [member]: { const: value } }, required: [member] },
    then: expand(context, cases.get(value)!, path),
  }));
  if (otherwise === undefined) {
    return { type: 'object', properties: { [member]: { enum: values } }, required: [member], allOf: rules };
  }
  rules.push({
    if: { type: 'object', properties: { [member]: { not: { enum: values } } }, required: [member] },
    then: expand(context, otherwise, path),
  });
  return { type: 'object', required: [member], allOf: rules };
}
