/**
 * Turns ajv errors over the expanded message schemas into findings a reader understands: one path, one
 * sentence without subject. Relies on the shapes that `message-schema` and `message-union` produce and
 * knows no MCP type.
 */
import { asText } from '../model/json.ts';

/** The smallest failing part of a value. */
export interface SchemaFinding {
  /** Such as `result.tools[3].inputSchema.type`; empty when the value itself is at fault. */
  path: string;
  /** A sentence to be read after the path, such as `is missing`. */
  message: string;
  /** `format`: the type fits, but the text is no URI, URI template or Base64. Everything else is `shape`. */
  kind: 'shape' | 'format';
}

/** The part of an ajv error that is used here. */
export interface RawError {
  keyword: string;
  instancePath: string;
  schemaPath: string;
  params: Record<string, unknown>;
}

/** More findings than this say nothing new, and a hostile value could produce millions. */
export const maxFindings = 25;

const formatNames: Record<string, string> = { uri: 'URI', 'uri-template': 'URI template', byte: 'Base64' };
const kindNames: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  integer: 'an integer',
  boolean: 'a boolean',
  null: 'null',
  object: 'an object',
  array: 'an array',
};

/**
 * @param errors errors of a compiled validator for `value`
 * @param at path of `value`, prefixed to the paths of the findings
 * @returns at most `maxFindings` findings, without duplicates, in the order of the schema
 */
export function explainErrors(errors: readonly RawError[], value: unknown, at: string): SchemaFinding[] {
  const findings: SchemaFinding[] = [];
  const seen = new Set<string>();
  const alternatives = [
    ...new Set(errors.filter((error) => error.keyword === 'anyOf').map((error) => `${error.schemaPath}/`)),
  ];
  for (const error of errors) {
    // "if" merely says that its branch failed, and the parts of an anyOf are gathered into one sentence.
    if (error.keyword === 'if') continue;
    if (alternatives.some((prefix) => error.schemaPath.startsWith(prefix))) continue;
    const finding = explain(error, errors, value, at);
    const key = `${finding.path}\n${finding.message}`;
    if (seen.has(key)) continue;
    seen.add(key);
    findings.push(finding);
    if (findings.length === maxFindings) break;
  }
  return findings;
}

function explain(error: RawError, errors: readonly RawError[], root: unknown, at: string): SchemaFinding {
  const { path, value } = locate(root, error.instancePath, at);
  const { params } = error;
  const shape = (message: string): SchemaFinding => ({ path, message, kind: 'shape' });
  switch (error.keyword) {
    case 'required':
      return { path: join(path, asText(params.missingProperty), false), message: 'is missing', kind: 'shape' };
    case 'type': {
      const wanted = [params.type].flat().map(asText);
      const found = typeof value === 'number' && wanted.includes('integer') ? quote(value) : kindOf(value);
      return shape(
        `is ${found} where ${list(
          wanted.map((name) => kindNames[name] ?? name),
          'or',
        )} must stand`,
      );
    }
    case 'const':
      return shape(`is ${quote(value)} where ${quote(params.allowedValue)} must stand`);
    case 'enum': {
      const allowed = (params.allowedValues as unknown[]).map(quote);
      return shape(`is ${quote(value)} where ${allowed.length > 1 ? 'one of ' : ''}${allowed.join(', ')} must stand`);
    }
    case 'minimum':
      return shape(`is ${quote(value)}, below the least value ${asText(params.limit)}`);
    case 'maximum':
      return shape(`is ${quote(value)}, above the greatest value ${asText(params.limit)}`);
    case 'maxItems':
      return shape(`has ${(value as unknown[]).length} elements where at most ${asText(params.limit)} may stand`);
    case 'minItems':
      return shape(`has ${(value as unknown[]).length} elements where at least ${asText(params.limit)} must stand`);
    case 'format':
      return {
        path,
        message: `is ${quote(value)}, which is no ${formatNames[asText(params.format)] ?? asText(params.format)}`,
        kind: 'format',
      };
    case 'false schema':
      return shape('is present where it must not be');
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return {
        path: join(path, asText(params.additionalProperty ?? params.unevaluatedProperty), false),
        message: 'is not allowed',
        kind: 'shape',
      };
    case 'dependentRequired':
    case 'dependencies':
      return {
        path: join(path, asText(params.missingProperty), false),
        message: `is missing next to ${asText(params.property)}`,
        kind: 'shape',
      };
    case 'anyOf':
      return explainParts(partsOf(error, errors), root, at) ?? shape('fits none of the allowed shapes');
    default:
      return shape(limitText(error.keyword, params, value) ?? `breaks the schema keyword "${error.keyword}"`);
  }
}

/** Limits that stand in schemas of targets, though not in those of the messages. */
function limitText(keyword: string, params: Record<string, unknown>, value: unknown): string | undefined {
  const limit = asText(params.limit);
  const texts: Record<string, () => string> = {
    exclusiveMinimum: () => `is ${quote(value)}, which is not above ${limit}`,
    exclusiveMaximum: () => `is ${quote(value)}, which is not below ${limit}`,
    multipleOf: () => `is ${quote(value)}, which is no multiple of ${asText(params.multipleOf)}`,
    minLength: () => `is ${quote(value)}, shorter than ${limit} characters`,
    maxLength: () => `is ${quote(value)}, longer than ${limit} characters`,
    pattern: () => `is ${quote(value)}, which does not match ${quote(params.pattern)}`,
    minProperties: () => `has fewer members than ${limit}`,
    maxProperties: () => `has more members than ${limit}`,
    items: () => `has more elements than ${limit}`,
    additionalItems: () => `has more elements than ${limit}`,
    unevaluatedItems: () => `has more elements than ${asText(params.len)}`,
    uniqueItems: () => 'has the same element twice',
    contains: () => 'lacks an element of the kind that it must contain',
    propertyNames: () => `has a member ${quote(params.propertyName)}, whose name is not allowed`,
    oneOf: () =>
      Array.isArray(params.passingSchemas)
        ? 'fits more than one of the shapes, but must fit exactly one'
        : 'fits none of the allowed shapes',
    not: () => 'has a shape that is ruled out',
  };
  return texts[keyword]?.();
}

/** The errors of the parts of an anyOf; the same schema may also have been applied to other places of the value. */
function partsOf(outer: RawError, errors: readonly RawError[]): RawError[] {
  return errors.filter(
    ({ schemaPath, instancePath }) =>
      schemaPath.startsWith(`${outer.schemaPath}/`) &&
      (instancePath === outer.instancePath || instancePath.startsWith(`${outer.instancePath}/`)),
  );
}

/** For an object without the members that distinguish its branches, or something else instead of an object. */
function explainParts(errors: readonly RawError[], root: unknown, at: string): SchemaFinding | undefined {
  if (new Set(errors.map((error) => error.instancePath)).size !== 1) return undefined;
  if (errors.every((error) => error.keyword === 'type')) return explain(errors[0]!, errors, root, at);
  if (errors.some((error) => error.keyword !== 'required')) return undefined;
  const { path } = locate(root, errors[0]!.instancePath, at);
  const names = [...new Set(errors.map((error) => asText(error.params.missingProperty)))];
  if (names.length === 1) return { path: join(path, names[0]!, false), message: 'is missing', kind: 'shape' };
  return { path, message: `has none of the members ${list(names, 'and')}`, kind: 'shape' };
}

/** Follows a JSON pointer, writing the path as it goes; a list's index is in brackets. */
function locate(root: unknown, pointer: string, at: string): { path: string; value: unknown } {
  let value = root;
  let path = at;
  for (const token of pointer.split('/').slice(1)) {
    const name = token.replaceAll('~1', '/').replaceAll('~0', '~');
    path = join(path, name, Array.isArray(value));
    value = (value as Record<string, unknown>)[name];
  }
  return { path, value };
}

function join(path: string, name: string, inArray: boolean): string {
  if (inArray) return `${path}[${name}]`;
  if (!/^[A-Za-z_$][\w$]*$/.test(name)) return `${path}[${JSON.stringify(shorten(name))}]`;
  return path === '' ? name : `${path}.${name}`;
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return kindNames[typeof value] ?? typeof value;
}

/** The value itself where it is short, else what kind of thing it is. */
function quote(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(shorten(value));
  return typeof value === 'object' && value !== null ? kindOf(value) : asText(value);
}

function shorten(text: string): string {
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}

function list(words: string[], conjunction: string): string {
  return words.length < 2
    ? words.join('')
    : `${words.slice(0, -1).join(', ')} ${conjunction} ${words[words.length - 1]}`;
}
