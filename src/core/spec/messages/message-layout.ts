/**
 * Reads the compact layout of `rules/messages/<revision>.json` into shapes (the notation is described in
 * `rules/messages/README.md`). Checks the notation and every reference, without JSON Schema or files.
 */
import { usageError } from '../../model/errors.ts';
import { parseExpression } from './message-expression.ts';
import type { Member, Shape } from './message-shape.ts';
import { asText } from '../../model/json.ts';

export type Sender = 'client' | 'server' | 'both';

/** `input-request`: no message of its own, it travels inside a result of the stateless era. */
export type MethodKind = 'request' | 'notification' | 'input-request';

/** A row of `methods` in the file. */
export interface MethodRow {
  from: Sender;
  kind: MethodKind;
  message: string;
  result?: string;
  taskResult?: string;
}

export interface MessageLayout {
  /** File name for error messages. */
  file: string;
  revision: string;
  methods: Map<string, MethodRow>;
  types: Map<string, Shape>;
}

/** Unions that follow from the methods table: their names are official, their members are those of the table. */
const senderUnions: readonly { name: string; side: 'client' | 'server'; kind: MethodKind }[] = [
  { name: 'ClientRequest', side: 'client', kind: 'request' },
  { name: 'ServerRequest', side: 'server', kind: 'request' },
  { name: 'ClientNotification', side: 'client', kind: 'notification' },
  { name: 'ServerNotification', side: 'server', kind: 'notification' },
];

/**
 * Parses one layout file.
 * @param text JSON text of the file
 * @param file name used in error messages
 * @throws McpcError (usage) naming file and path for every fault of notation, and for a reference to no type
 */
export function parseMessageLayout(text: string, file: string): MessageLayout {
  let root: unknown;
  try {
    root = JSON.parse(text);
  } catch (error) {
    throw usageError(`${file}: not JSON: ${error instanceof Error ? error.message : asText(error)}`, undefined, error);
  }
  const top = expectObject(root, file, '');
  const revision = expectString(top.revision, file, 'revision');
  const types = new Map<string, Shape>();
  for (const [area, group] of Object.entries(expectObject(top.types, file, 'types'))) {
    for (const [name, node] of Object.entries(expectObject(group, file, `types.${area}`))) {
      const path = `types.${area}.${name}`;
      if (!/^[A-Z]\w*$/.test(name)) throw fault(file, path, 'a type name starts with a capital letter');
      if (types.has(name)) throw fault(file, path, 'this type is defined twice');
      types.set(name, parseNode(node, file, path));
    }
  }
  const methods = new Map<string, MethodRow>();
  for (const [method, row] of Object.entries(expectObject(top.methods, file, 'methods'))) {
    methods.set(method, parseMethod(row, file, `methods.${method}`));
  }
  addSenderUnions(types, methods, file);
  const layout: MessageLayout = { file, revision, methods, types };
  checkReferences(layout);
  return layout;
}

/** Error for a fault in a layout file. */
export function fault(file: string, path: string, problem: string): Error {
  return usageError(`${file}: ${path || 'top level'}: ${problem}`, 'rules/messages/README.md describes the notation.');
}

function parseMethod(row: unknown, file: string, path: string): MethodRow {
  const object = expectObject(row, file, path);
  for (const key of Object.keys(object)) {
    if (!['from', 'kind', 'message', 'result', 'taskResult'].includes(key))
      throw fault(file, `${path}.${key}`, 'unknown member');
  }
  const from = oneOf<Sender>(object.from, ['client', 'server', 'both'], file, `${path}.from`);
  const kind = oneOf<MethodKind>(object.kind, ['request', 'notification', 'input-request'], file, `${path}.kind`);
  const message = expectString(object.message, file, `${path}.message`);
  if (kind === 'notification') {
    if (object.result !== undefined) throw fault(file, `${path}.result`, 'a notification has no result');
    return { from, kind, message };
  }
  const result = expectString(object.result, file, `${path}.result`);
  if (object.taskResult === undefined) return { from, kind, message, result };
  return { from, kind, message, result, taskResult: expectString(object.taskResult, file, `${path}.taskResult`) };
}

function parseNode(node: unknown, file: string, path: string): Shape {
  if (typeof node === 'string') return parseExpression(node, (problem) => fault(file, path, problem));
  if (Array.isArray(node)) {
    if (node.length !== 1) throw fault(file, path, 'an array stands for "list of" and holds exactly one shape');
    return { kind: 'array', items: parseNode(node[0], file, `${path}[]`) };
  }
  const object = expectObject(node, file, path);
  const keys = Object.keys(object);
  const first = keys[0];
  if (keys.length === 1 && first !== undefined && first.startsWith('by ')) {
    return parseChoice(first.slice(3), object[first], file, path);
  }
  const members = new Map<string, Member>();
  let bases: string[] = [];
  for (const [key, value] of Object.entries(object)) {
    if (key === '...') {
      bases = expectString(value, file, `${path}....`)
        .split('&')
        .map((name) => name.trim());
      continue;
    }
    const optional = key.endsWith('?');
    const name = optional ? key.slice(0, -1) : key;
    if (name === '') throw fault(file, path, 'a member needs a name');
    if (members.has(name)) throw fault(file, `${path}.${name}`, 'this member is given twice');
    const shape = parseNode(value, file, `${path}.${name}`);
    if (shape.kind === 'absent' && !optional)
      throw fault(file, `${path}.${name}`, 'an absent member is written with "?"');
    members.set(name, { shape, optional });
  }
  return { kind: 'object', bases, members };
}

function parseChoice(member: string, node: unknown, file: string, path: string): Shape {
  const cases = new Map<string, Shape>();
  let otherwise: Shape | undefined;
  for (const [value, branch] of Object.entries(expectObject(node, file, `${path}.by ${member}`))) {
    const shape = parseNode(branch, file, `${path}.${value}`);
    if (value === 'else') otherwise = shape;
    else cases.set(value, shape);
  }
  if (cases.size === 0) throw fault(file, path, 'a choice needs at least one case');
  return otherwise === undefined ? { kind: 'choice', member, cases } : { kind: 'choice', member, cases, otherwise };
}

function addSenderUnions(types: Map<string, Shape>, methods: Map<string, MethodRow>, file: string): void {
  for (const { name, side, kind } of senderUnions) {
    const branches: Shape[] = [];
    for (const row of methods.values()) {
      if (row.kind === kind && (row.from === side || row.from === 'both'))
        branches.push({ kind: 'reference', name: row.message });
    }
    if (branches.length === 0) continue;
    if (types.has(name)) throw fault(file, name, 'this type follows from "methods" and must not be written out');
    types.set(name, branches.length === 1 ? branches[0]! : { kind: 'union', branches });
  }
  // Every result is also a plain Result, so the unions of results say no more than that.
  for (const name of ['ClientResult', 'ServerResult']) types.set(name, { kind: 'reference', name: 'Result' });
}

function checkReferences(layout: MessageLayout): void {
  const { file, types } = layout;
  const check = (name: string, path: string): void => {
    if (!types.has(name)) throw fault(file, path, `there is no type ${name}`);
  };
  const visit = (shape: Shape, path: string): void => {
    switch (shape.kind) {
      case 'reference':
        return check(shape.name, path);
      case 'array':
        return visit(shape.items, `${path}[]`);
      case 'map':
        return visit(shape.values, `${path}.*`);
      case 'union':
        return shape.branches.forEach((branch) => visit(branch, path));
      case 'choice':
        for (const [value, branch] of shape.cases) visit(branch, `${path}.${value}`);
        if (shape.otherwise) visit(shape.otherwise, `${path}.else`);
        return;
      case 'object':
        shape.bases.forEach((base) => check(base, `${path}....`));
        for (const [name, member] of shape.members) visit(member.shape, `${path}.${name}`);
        return;
      default:
    }
  };
  for (const [name, shape] of types) visit(shape, `types.${name}`);
  for (const [method, row] of layout.methods) {
    check(row.message, `methods.${method}.message`);
    if (row.result !== undefined) check(row.result, `methods.${method}.result`);
    if (row.taskResult !== undefined) check(row.taskResult, `methods.${method}.taskResult`);
  }
}

function expectObject(value: unknown, file: string, path: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw fault(file, path, 'an object must stand here');
  return value as Record<string, unknown>;
}

function expectString(value: unknown, file: string, path: string): string {
  if (typeof value !== 'string' || value === '') throw fault(file, path, 'a text must stand here');
  return value;
}

function oneOf<T extends string>(value: unknown, allowed: readonly T[], file: string, path: string): T {
  if (!allowed.includes(value as T)) throw fault(file, path, `one of ${allowed.join(', ')} must stand here`);
  return value as T;
}
