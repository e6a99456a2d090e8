/**
 * Text of YAML (or JSON, which is YAML) held against a schema of rules/language. Faults are reported with line and
 * column. A schema's `description` next to `anyOf`, `oneOf` or `not` is the message of its failure.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { isMap, isNode, isScalar, LineCounter, parseDocument, type Document, type YAMLMap } from 'yaml';
import { usageError } from '../../core/model/errors.ts';
import { suggestion } from '../../core/model/suggestion.ts';
import { rulesFolder } from '../package/package-root.ts';
import { asText } from '../../core/model/json.ts';

const mostProblems = 8;
const composite = new Set(['oneOf', 'anyOf', 'not']);

export interface SchemaFileOptions {
  /** Name for messages. */
  file: string;
  /** Name within rules/language. */
  schema: string;
  remedy: string;
  /** Most characters that the text may have. */
  largest: number;
  /** Names a place for a reader; members joined by dots when absent. */
  nameOf?(path: readonly string[]): string;
}

/** A value that fits its schema, and the text that it came from. */
export interface SchemaFile<T> {
  value: T;
  /** Line of a member's name, or of an item, from 1. */
  lineOf(path: readonly (string | number)[]): number;
  /** Spelling of a number or word. */
  sourceOf(path: readonly (string | number)[]): string | undefined;
}

/** @throws McpcError usage, naming file, line and place of everything that is wrong */
export function parseSchemaFile<T>(text: string, options: SchemaFileOptions): SchemaFile<T> {
  const { file, schema, remedy, largest, nameOf = (at) => at.join('.') } = options;
  if (text.length > largest)
    throw usageError(`${file} is larger than such a file can be (${largest} characters).`, remedy);
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const wrong = document.errors.map(({ message, pos }) => `${file}:${place(lines, pos[0])}: ${message}`);
  if (wrong.length > 0) throw usageError(wrong.slice(0, mostProblems).join('\n'), remedy);
  let value: unknown;
  try {
    // Aliases of aliases could grow without bound.
    value = document.toJS({ maxAliasCount: 50 });
  } catch (error) {
    throw usageError(`${file}: ${(error as Error).message}`, remedy, error);
  }
  const problems = check(value ?? {}, schema).map(
    (error) => `${file}:${place(lines, offsetOf(document, error))}: ${reported(error, nameOf)}`,
  );
  if (problems.length > 0) throw usageError([...new Set(problems)].slice(0, mostProblems).join('\n'), remedy);
  return {
    value: (value ?? {}) as T,
    lineOf: (at) => Math.max(lines.linePos(memberOffset(document, at)).line, 1),
    sourceOf: (at) => {
      const node = document.getIn(at, true);
      return isScalar(node) ? node.source : undefined;
    },
  };
}

const compiled = new Map<string, ValidateFunction>();

/** Compiling takes longer than checking; a schema is compiled once. */
function validatorOf(schema: string): ValidateFunction {
  const validate =
    compiled.get(schema) ??
    new Ajv2020({ allErrors: true, strict: false, verbose: true }).compile(
      JSON.parse(readFileSync(path.join(rulesFolder(), 'language', schema), 'utf8')) as object,
    );
  compiled.set(schema, validate);
  return validate;
}

function check(value: unknown, schema: string): ErrorObject[] {
  const validate = validatorOf(schema);
  if (validate(value)) return [];
  const errors = validate.errors ?? [];
  // For a choice only the choice itself is reported, and for an invalid name only the reason.
  const choices = errors.filter(({ keyword }) => composite.has(keyword));
  return errors.filter(
    (error) =>
      error.keyword !== 'propertyNames' &&
      !choices.some(
        (choice) =>
          error !== choice &&
          error.instancePath === choice.instancePath &&
          error.schemaPath.startsWith(`${choice.schemaPath}/`),
      ),
  );
}

function pathOf({ instancePath }: ErrorObject): string[] {
  return instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The member with the wrong name: an unknown one, or an invalid key. */
function wrongName(error: ErrorObject): string | undefined {
  return (error.params as { additionalProperty?: string }).additionalProperty ?? error.propertyName;
}

/** Place of the fault in the text: the unknown member itself, else the value. */
function offsetOf(document: Document, error: ErrorObject): number {
  const at = pathOf(error);
  const extra = wrongName(error);
  if (extra !== undefined) return memberOffset(document, [...at, extra]);
  for (let length = at.length; length >= 0; length -= 1) {
    const node = length === 0 ? document.contents : document.getIn(at.slice(0, length), true);
    if (isNode(node) && node.range) return node.range[0];
  }
  return 0;
}

/** Place of a member's name, or of an item; of the enclosing value, when it has none. */
function memberOffset(document: Document, at: readonly (string | number)[]): number {
  for (let length = at.length; length > 0; length -= 1) {
    const parent = length === 1 ? document.contents : document.getIn(at.slice(0, length - 1), true);
    const start = isMap(parent) ? namesIn(parent).get(String(at[length - 1])) : undefined;
    if (start !== undefined) return start;
    const node = document.getIn(at.slice(0, length), true);
    if (isNode(node) && node.range) return node.range[0];
  }
  return document.contents?.range?.[0] ?? 0;
}

/** Where the names of a map's members stand; kept, since a file may have thousands. */
const memberStarts = new WeakMap<YAMLMap, Map<string, number>>();

function namesIn(map: YAMLMap): Map<string, number> {
  const found =
    memberStarts.get(map) ??
    new Map(
      map.items.flatMap(({ key }): [string, number][] =>
        isScalar(key) && key.range ? [[asText(key.value), key.range[0]]] : [],
      ),
    );
  memberStarts.set(map, found);
  return found;
}

function place(lines: LineCounter, offset: number): string {
  const { line, col } = lines.linePos(offset);
  return `${Math.max(line, 1)}:${Math.max(col, 1)}`;
}

function reported(error: ErrorObject, nameOf: (path: readonly string[]) => string): string {
  const at = nameOf(pathOf(error));
  const params = error.params as {
    additionalProperty?: string;
    allowedValues?: unknown[];
    allowedValue?: unknown;
    missingProperty?: string;
  };
  const where = at === '' ? '' : `${at}: `;
  const parent = error.parentSchema as { properties?: object; description?: string } | undefined;
  if (params.additionalProperty !== undefined) {
    const members = Object.keys(parent?.properties ?? {});
    return `${where}unknown property "${params.additionalProperty}".${suggestion(params.additionalProperty, members)}${members.length > 0 ? ` Known are ${members.join(', ')}.` : ''}`;
  }
  if (error.propertyName !== undefined)
    return `${where}"${error.propertyName}" cannot be a name here: it ${error.message ?? 'is wrong'}.`;
  if (params.allowedValues) return `${where}must be one of ${params.allowedValues.map(asText).join(', ')}.`;
  if (error.keyword === 'const') return `${where}must be ${asText(params.allowedValue)}.`;
  if (error.keyword === 'type')
    return `${where}must be ${[(params as { type: string | string[] }).type].flat().join(' or ')}.`;
  if (params.missingProperty !== undefined) return `${where}needs "${params.missingProperty}".`;
  if (composite.has(error.keyword) && parent?.description !== undefined) return `${where}${parent.description}.`;
  if (error.keyword === 'pattern' && parent?.description !== undefined)
    return `${where}"${asText(error.data)}" does not fit. ${parent.description}`;
  return `${where}${error.message ?? 'is wrong'}.`;
}
