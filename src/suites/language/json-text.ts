/** JSON with all digits of its numbers, and the simple paths of suites. Pure. */
import { parse, stringify } from 'lossless-json';

/** A number; an integer that no double can hold is a bigint. */
function parseNumber(text: string): number | bigint {
  const number = Number(text);
  return Number.isSafeInteger(number) || !/^-?\d+$/.test(text) ? number : BigInt(text);
}

/** The value of a JSON text. @throws SyntaxError */
export function parseJson(text: string): unknown {
  return parse(text, undefined, { parseNumber, onDuplicateKey: ({ newValue }) => newValue });
}

/** JSON of a value that may hold bigints. */
export function jsonOf(value: unknown, indent?: number): string {
  return stringify(value, undefined, indent) ?? 'null';
}

/** The text as JSON, else its first line that is JSON; undefined when there is neither. */
export function jsonIn(text: string): { value: unknown } | undefined {
  for (const candidate of [text, ...(text.includes('\n') ? text.split('\n') : [])]) {
    if (!/^\s*(?:[[{"\-0-9]|true|false|null)/.test(candidate)) continue;
    try {
      return { value: parseJson(candidate) };
    } catch {
      // The next line may be JSON.
    }
  }
  return undefined;
}

export type Step = string | number;

/** The names and positions of a path: `$.a.b[0]`, `a.b`, `$[0]`, `$`. A name is any text between dots and brackets. */
export function pathSteps(path: string): Step[] {
  const bare = path.trim().replace(/^\$/, '').replace(/^\./, '');
  return [...bare.matchAll(/\[(\d+)\]|([^.[\]]+)/g)].map(([, position, name]) =>
    position === undefined ? name! : Number(position),
  );
}

export type Lookup = { value: unknown } | { problem: string };

/** The value at a path, or why there is none. Only own members count. */
export function lookUp(value: unknown, path: string): Lookup {
  let current = value;
  for (const step of pathSteps(path)) {
    if (typeof step === 'number') {
      if (!Array.isArray(current)) return { problem: `value before [${step}] is not an array` };
      if (step >= current.length) return { problem: `index ${step} out of range, there are ${current.length}` };
      current = current[step];
    } else {
      if (typeof current !== 'object' || current === null || Array.isArray(current))
        return { problem: `field ${JSON.stringify(step)} not found: what is before it is no object` };
      if (!Object.hasOwn(current, step)) return { problem: `field ${JSON.stringify(step)} not found` };
      current = (current as Record<string, unknown>)[step];
    }
  }
  return { value: current };
}
