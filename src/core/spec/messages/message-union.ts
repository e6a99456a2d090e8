/**
 * Expands a union so that a faulty value is reported against one branch, not against all of them.
 *
 * Branches are distinguished by JSON kind, then by a member with a different literal in each (`type`, `method`,
 * `mode`), and otherwise by the members that only some branches require. In that last case any branch may accept the
 * value; the nearest one merely explains a refusal. Only standard keywords are produced (`if`, `then`, `else`), so
 * every JSON Schema validator reads them alike.
 */
import type { ExpandContext, JsonSchema, MemberTable } from './message-expansion.ts';
import { fault } from './message-layout.ts';
import type { Shape } from './message-shape.ts';

interface ObjectBranch {
  shape: Shape;
  /** Absent for maps and choices, whose members are unknown. */
  members: MemberTable | undefined;
}

/** Members that distinguish branches, tried in this order before all others. */
const preferredTags = ['method', 'type', 'mode'];

/**
 * Schema of "any of these branches".
 * @throws McpcError (usage) for indistinguishable branches.
 */
export function unionSchema(context: ExpandContext, branches: Shape[], path: string): JsonSchema {
  const flat = flatten(context, branches);
  const scalars: Shape[] = [];
  const arrays: Shape[] = [];
  const objects: ObjectBranch[] = [];
  for (const branch of flat) {
    const resolved = context.resolve(branch);
    if (resolved.kind === 'any' || resolved.kind === 'absent')
      throw fault(context.layout.file, path, `"${resolved.kind}" cannot stand in a union`);
    if (resolved.kind === 'array') arrays.push(branch);
    else if (resolved.kind === 'scalar' || resolved.kind === 'literal') scalars.push(resolved);
    else objects.push({ shape: branch, members: context.membersOf(branch) });
  }
  if (arrays.length === 0 && objects.length === 0) return scalarUnion(context, scalars, path);
  const parts: { type: string[]; schema: JsonSchema }[] = [];
  if (scalars.length > 0) {
    const schema = scalarUnion(context, scalars, path);
    if (!('type' in schema)) throw fault(context.layout.file, path, 'literals cannot stand beside lists or objects');
    parts.push({ type: [schema.type].flat() as string[], schema });
  }
  if (arrays.length > 0) parts.push({ type: ['array'], schema: arrayUnion(context, arrays) });
  if (objects.length > 0) parts.push({ type: ['object'], schema: objectUnion(context, objects) });
  if (parts.length === 1) return parts[0]!.schema;
  return {
    type: parts.flatMap((part) => part.type),
    allOf: parts
      .filter((part) => part.type.includes('array') || part.type.includes('object'))
      .map((part) => ({ if: { type: part.type[0] }, then: part.schema })),
  };
}

function flatten(context: ExpandContext, branches: Shape[]): Shape[] {
  return branches.flatMap((branch) => {
    const resolved = context.resolve(branch);
    return resolved.kind === 'union' ? flatten(context, resolved.branches) : [branch];
  });
}

function scalarUnion(context: ExpandContext, scalars: Shape[], path: string): JsonSchema {
  const literals = scalars.flatMap((shape) => (shape.kind === 'literal' ? [shape.value] : []));
  if (literals.length === scalars.length) return { enum: [...new Set(literals)] };
  if (literals.length > 0) throw fault(context.layout.file, path, 'a literal says nothing beside a whole type');
  const types = scalars.map((shape) => {
    if (shape.kind !== 'scalar') throw fault(context.layout.file, path, 'unexpected shape in a union');
    if (shape.format !== undefined || shape.minimum !== undefined || shape.maximum !== undefined) {
      throw fault(context.layout.file, path, 'a restricted type cannot stand in a union');
    }
    return shape.type;
  });
  return { type: [...new Set(types)] };
}

/** Lists are distinguished by their first element: its required members identify the list. */
function arrayUnion(context: ExpandContext, arrays: Shape[]): JsonSchema {
  const schemas = arrays.map((shape) => context.expand(shape));
  if (schemas.length === 1) return schemas[0]!;
  let nearest: JsonSchema = schemas[0]!;
  for (let index = arrays.length - 1; index >= 0; index -= 1) {
    const resolved = context.resolve(arrays[index]!);
    if (resolved.kind !== 'array') continue;
    const elements = flatten(context, [resolved.items]).map((shape) => requiredNames(context.membersOf(shape)));
    nearest = {
      if: {
        type: 'array',
        prefixItems: [{ anyOf: elements.map((names) => ({ type: 'object', required: names })) }],
        minItems: 1,
      },
      then: schemas[index]!,
      else: nearest,
    };
  }
  return { type: 'array', if: { anyOf: [{ not: { type: 'array' } }, ...schemas] }, else: nearest };
}

function objectUnion(context: ExpandContext, branches: ObjectBranch[]): JsonSchema {
  if (branches.length === 1) return context.expand(branches[0]!.shape);
  const tag = findTag(context, branches);
  return tag === undefined ? nearestUnion(context, branches) : taggedUnion(context, branches, tag);
}

/** The literals that a branch allows for a member, or undefined when the member is not bound to literals. */
function literalsOf(context: ExpandContext, branch: ObjectBranch, name: string): (string | number)[] | undefined {
  const member = branch.members?.get(name);
  if (!member) return undefined;
  const values = flatten(context, [member.shape]).map((shape) => context.resolve(shape));
  return values.every((shape) => shape.kind === 'literal') ? values.map((shape) => shape.value) : undefined;
}

function findTag(context: ExpandContext, branches: ObjectBranch[]): string | undefined {
  const names = [...new Set([...preferredTags, ...(branches[0]?.members?.keys() ?? [])])];
  return names.find((name) => {
    const literals = branches.map((branch) => literalsOf(context, branch, name));
    if (literals.some((values) => values === undefined)) return false;
    const defaults = branches.filter((branch) => branch.members?.get(name)?.optional).length;
    return defaults <= 1 && new Set(literals.map((values) => JSON.stringify(values))).size > 1;
  });
}

function taggedUnion(context: ExpandContext, branches: ObjectBranch[], tag: string): JsonSchema {
  const groups = new Map<string | number, ObjectBranch[]>();
  for (const branch of branches) {
    for (const value of literalsOf(context, branch, tag)!) groups.set(value, [...(groups.get(value) ?? []), branch]);
  }
  // Values that lead to the same branches share one rule.
  const rules = new Map<string, { values: (string | number)[]; branches: ObjectBranch[] }>();
  for (const [value, group] of groups) {
    const key = group.map((branch) => branches.indexOf(branch)).join();
    const rule = rules.get(key) ?? { values: [], branches: group };
    rule.values.push(value);
    rules.set(key, rule);
  }
  const allOf: JsonSchema[] = [...rules.values()].map((rule) => ({
    if: { type: 'object', properties: { [tag]: { enum: rule.values } }, required: [tag] },
    then: rule.branches.length === 1 ? context.expand(rule.branches[0]!.shape) : nearestUnion(context, rule.branches),
  }));
  const fallback = branches.find((branch) => branch.members?.get(tag)?.optional);
  if (fallback) allOf.push({ if: { type: 'object', not: { required: [tag] } }, then: context.expand(fallback.shape) });
  return {
    type: 'object',
    properties: { [tag]: { enum: [...groups.keys()] } },
    ...(fallback ? {} : { required: [tag] }),
    allOf,
  };
}

/**
 * Accepts anything that a branch accepts. Otherwise it explains by the branch whose own members are present: with
 * values of the right kind if possible, else with any values, else the one with a member of its own.
 */
function nearestUnion(context: ExpandContext, branches: ObjectBranch[]): JsonSchema {
  const schemas = branches.map((branch) => context.expand(branch.shape));
  const paths = branches.map((branch) => signaturePaths(context, branch.members));
  const own = paths.map((list) => list.filter((path) => !paths.every((other) => other.includes(path))));
  const order = branches.map((_, index) => index).sort((a, b) => own[b]!.length - own[a]!.length);
  const tests: { index: number; test: JsonSchema }[] = [
    ...order.map((index) => ({
      index,
      test: presence(own[index]!, (path) => kindSchema(context, branches[index]!.members, path)),
    })),
    ...order.map((index) => ({ index, test: presence(own[index]!) })),
    ...order.flatMap((index) => {
      const only = own[index]!.filter((path) => !own.some((other, at) => at !== index && other.includes(path)));
      return only.length === 0 ? [] : [{ index, test: { anyOf: only.map((path) => presence([path])) } }];
    }),
  ];
  // A branch without members of its own takes whatever is left.
  const open = order.find((index) => own[index]!.length === 0);
  let nearest: JsonSchema = open === undefined ? nothingPresent(own) : schemas[open]!;
  for (const { index, test } of tests.reverse()) {
    if (own[index]!.length > 0) nearest = { if: test, then: schemas[index]!, else: nearest };
  }
  return { type: 'object', if: { anyOf: [{ not: { type: 'object' } }, ...schemas] }, else: nearest };
}

/**
 * Always fails, at the end of a chain without a branch with all its own members: the errors name the alternative
 * members.
 */
function nothingPresent(own: string[][]): JsonSchema {
  return { anyOf: own.map((paths) => presence(paths)) };
}

function requiredNames(members: MemberTable | undefined): string[] {
  return [...(members ?? [])].filter(([, member]) => !member.optional).map(([name]) => name);
}

/** Required members, and required members of these where they are objects; levels are parted by a line end. */
function signaturePaths(context: ExpandContext, members: MemberTable | undefined): string[] {
  return requiredNames(members).flatMap((name) => {
    const inner = requiredNames(context.membersOf(members!.get(name)!.shape));
    return [name, ...inner.map((child) => `${name}\n${child}`)];
  });
}

/** The JSON kind that a member must have, as far as one keyword says it. */
function kindSchema(context: ExpandContext, members: MemberTable | undefined, path: string): JsonSchema {
  const [name = '', child] = path.split('\n');
  const member = members?.get(name);
  const inner = child === undefined ? member : member && context.membersOf(member.shape)?.get(child);
  const shape = inner && context.resolve(inner.shape);
  switch (shape?.kind) {
    case 'literal':
      return { const: shape.value };
    case 'scalar':
      return { type: shape.type };
    case 'array':
      return { type: 'array' };
    case 'map':
    case 'object':
      return { type: 'object' };
    default:
      return {};
  }
}

/** These members are present; `kindOf` says what else holds for each. */
function presence(paths: string[], kindOf: (path: string) => JsonSchema = () => ({})): JsonSchema {
  const level = (): { type: string; required: string[]; properties: Record<string, JsonSchema> } => ({
    type: 'object',
    required: [],
    properties: {},
  });
  const top = level();
  for (const path of paths.filter((one) => !one.includes('\n'))) {
    top.required.push(path);
    top.properties[path] = kindOf(path);
  }
  for (const path of paths.filter((one) => one.includes('\n'))) {
    const [name = '', child = ''] = path.split('\n');
    if (!top.required.includes(name)) top.required.push(name);
    const present = top.properties[name];
    const inner = present && 'properties' in present ? (present as ReturnType<typeof level>) : level();
    inner.required.push(child);
    inner.properties[child] = kindOf(path);
    top.properties[name] = inner;
  }
  return top;
}
