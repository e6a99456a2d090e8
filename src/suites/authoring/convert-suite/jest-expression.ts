/**
 * Expectations of mcp-jest, such as `content.length > 0` or `content[0].text === '8'`, as JSON Schemas of the result.
 * Nothing is evaluated. Pure.
 */
type Json = Record<string, unknown>;
type Step = string | number;

const form = /^([^=!<>]+?)\s*(===|==|!==|!=|>=|<=|>|<)\s*([^=<>].*)$/s;

/** A schema that holds when the expression does; undefined for an unknown one. */
export function schemaOfExpression(expression: string): Json | undefined {
  const parts = expression.split('&&').map((part) => part.trim());
  const schemas = parts.map(schemaOfPart);
  if (!schemas.every((one) => one !== undefined)) return undefined;
  return schemas.length === 1 ? schemas[0] : { allOf: schemas };
}

function schemaOfPart(part: string): Json | undefined {
  const [, left = part, operator, right] = form.exec(part) ?? [];
  const path = pathOf(left.trim());
  if (path === undefined) return undefined;
  // A present value other than false, 0 or empty.
  if (operator === undefined) return nested(path, { not: { enum: [false, null, 0, ''] } });
  const value = valueOf(right!.trim());
  if (path.at(-1) === 'length' && typeof value === 'number') {
    const bounds = lengthBounds(operator, value);
    return bounds === undefined ? undefined : nested(path.slice(0, -1), bounds);
  }
  if (operator === '===' || operator === '==') return nested(path, { const: value });
  if (operator === '!==' || operator === '!=') return { not: nested(path, { const: value }) };
  return typeof value === 'number' ? nested(path, { type: 'number', ...numberBound(operator, value) }) : undefined;
}

/** `count >= 1` as bounds of a number; undefined for anything else. */
export function countBounds(expression: string): { min?: number; max?: number } | undefined {
  const [, operator, digits] = /^count\s*(===|==|>=|<=|>|<)\s*(\d{1,9})$/.exec(expression.trim()) ?? [];
  return operator === undefined ? undefined : bounds(operator, Number(digits));
}

function bounds(operator: string, value: number): { min?: number; max?: number } | undefined {
  switch (operator) {
    case '>':
      return { min: value + 1 };
    case '>=':
      return { min: value };
    case '<':
      return value === 0 ? undefined : { max: value - 1 };
    case '<=':
      return { max: value };
    case '==':
    case '===':
      return { min: value, max: value };
    default:
      return undefined;
  }
}

function lengthBounds(operator: string, value: number): Json | undefined {
  const found = bounds(operator, value);
  if (found === undefined) return undefined;
  const { min, max } = found;
  return {
    type: ['array', 'string'],
    ...(min === undefined || min === 0 ? {} : { minItems: min, minLength: min }),
    ...(max === undefined ? {} : { maxItems: max, maxLength: max }),
  };
}

function numberBound(operator: string, value: number): Json {
  return { [{ '>': 'exclusiveMinimum', '>=': 'minimum', '<': 'exclusiveMaximum', '<=': 'maximum' }[operator]!]: value };
}

/** `content[0].text`; undefined for what is no such path. */
function pathOf(text: string): Step[] | undefined {
  if (!/^[A-Za-z_$][\w$-]*(?:\.[A-Za-z_$][\w$-]*|\[\d{1,6}\])*$/.test(text)) return undefined;
  return [...text.matchAll(/\[(\d+)\]|([^.[\]]+)/g)].map(([, index, name]) =>
    index === undefined ? name! : Number(index),
  );
}

function valueOf(text: string): unknown {
  const [, , quoted] = /^(['"])(.*)\1$/s.exec(text) ?? [];
  if (quoted !== undefined) return quoted;
  if (/^\d{1,15}(?:\.\d{1,15})?$/.test(text)) return Number(text);
  return { true: true, false: false, null: null }[text] ?? (text === 'null' ? null : text);
}

function nested(path: readonly Step[], inner: Json): Json {
  return path
    .toReversed()
    .reduce<Json>(
      (schema, step) =>
        typeof step === 'number'
          ? { type: 'array', minItems: step + 1, prefixItems: [...Array.from({ length: step }, () => ({})), schema] }
          : { type: 'object', required: [step], properties: { [step]: schema } },
      inner,
    );
}
