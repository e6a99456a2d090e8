/**
 * Parses one type expression of the compact message layout, such as `'text' | 'image'`, `string(uri)[]` or
 * `map<string | number>`. Knows only the grammar; whether a named type exists is checked by the layout.
 *
 *     union  = part { "|" part }
 *     part   = atom { "[]" | "(" bounds ")" }
 *     atom   = name | 'literal' | number | "map<" union ">" | "(" union ")"
 */
import type { FormatName, ScalarType, Shape } from './message-shape.ts';

const scalars: readonly string[] = ['string', 'number', 'integer', 'boolean', 'null'] satisfies ScalarType[];
const formats: readonly string[] = ['uri', 'uri-template', 'base64'] satisfies FormatName[];

/**
 * @param text the expression
 * @param fail makes the error to throw from a description of the fault
 */
export function parseExpression(text: string, fail: (problem: string) => Error): Shape {
  const tokens = text.match(/'[^']*'|-?\d+\.\.|map<|\[\]|\.\.|-?\d+(?:\.\d+)?|[A-Za-z_][\w-]*|\S/g) ?? [];
  let at = 0;
  const problem = (what: string): Error => fail(`${what} in "${text}"`);
  const take = (expected: string): void => {
    if (tokens[at] !== expected) throw problem(`"${expected}" expected before "${tokens[at] ?? 'the end'}"`);
    at += 1;
  };

  const union = (): Shape => {
    const branches = [part()];
    while (tokens[at] === '|') {
      at += 1;
      branches.push(part());
    }
    return branches.length === 1 ? branches[0]! : { kind: 'union', branches };
  };

  const part = (): Shape => {
    let shape = atom();
    for (;;) {
      if (tokens[at] === '[]') {
        at += 1;
        shape = { kind: 'array', items: shape };
      } else if (tokens[at] === '(') {
        shape = restrict(shape, restriction());
      } else {
        return shape;
      }
    }
  };

  const atom = (): Shape => {
    const token = tokens[at];
    if (token === undefined) throw problem('a type is missing');
    at += 1;
    if (token === '(' || token === 'map<') {
      const inner = union();
      take(token === '(' ? ')' : '>');
      return token === '(' ? inner : { kind: 'map', values: inner };
    }
    if (token.startsWith("'")) return { kind: 'literal', value: token.slice(1, -1) };
    if (/^-?\d/.test(token) && !token.endsWith('.')) return { kind: 'literal', value: Number(token) };
    if (token === 'any' || token === 'absent') return { kind: token };
    if (token === 'object') return { kind: 'object', bases: [], members: new Map() };
    if (scalars.includes(token)) return { kind: 'scalar', type: token as ScalarType };
    if (/^[A-Z]/.test(token)) return { kind: 'reference', name: token };
    throw problem(`unknown word "${token}"`);
  };

  /** The text between parentheses, blanks removed. */
  const restriction = (): string => {
    take('(');
    let inner = '';
    while (tokens[at] !== undefined && tokens[at] !== ')') inner += tokens[at++];
    take(')');
    return inner;
  };

  const restrict = (shape: Shape, inner: string): Shape => {
    if (shape.kind === 'scalar' && shape.type === 'string') {
      if (!formats.includes(inner)) throw problem(`unknown format "${inner}"`);
      return { ...shape, format: inner as FormatName };
    }
    const bounds = /^(-?[\d.]*?\d)?\.\.(-?[\d.]*\d)?$/.exec(inner);
    if (!bounds || inner === '..') throw problem(`"(${inner})" is no range such as (0..1), (0..) or (..100)`);
    const low = bounds[1] === undefined ? undefined : Number(bounds[1]);
    const high = bounds[2] === undefined ? undefined : Number(bounds[2]);
    if (shape.kind === 'array') {
      return {
        ...shape,
        ...(low === undefined ? {} : { minItems: low }),
        ...(high === undefined ? {} : { maxItems: high }),
      };
    }
    if (shape.kind === 'scalar' && (shape.type === 'number' || shape.type === 'integer')) {
      return {
        ...shape,
        ...(low === undefined ? {} : { minimum: low }),
        ...(high === undefined ? {} : { maximum: high }),
      };
    }
    throw problem('only a string, a number or a list can be restricted');
  };

  const shape = union();
  if (at < tokens.length) throw problem(`"${tokens[at]}" is too much`);
  return shape;
}
