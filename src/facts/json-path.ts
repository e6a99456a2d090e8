/** Resolves the `path` of a condition. Simple paths are walked directly; others go through RFC 9535 JSONPath. */
import { query } from 'jsonpath-rfc9535';

const simple = /^\$(?:\.[A-Za-z_][\w-]*|\[\d+\]|\['[^'\\]*'\])*$/;
const steps = new Map<string, string[] | null>();

function stepsOf(path: string): string[] | null {
  let parsed = steps.get(path);
  if (parsed === undefined) {
    parsed = simple.test(path)
      ? [...path.matchAll(/\.([A-Za-z_][\w-]*)|\[(\d+)\]|\['([^'\\]*)'\]/g)].map((match) => (match[1] ?? match[2] ?? match[3])!)
      : null;
    steps.set(path, parsed);
  }
  return parsed;
}

/**
 * The value at a path; undefined when there is none. A path with wildcards, slices, filters or descendants
 * yields the list of all matches, empty when there are none.
 */
export function resolvePath(value: unknown, path: string): unknown {
  const parsed = stepsOf(path);
  if (parsed === null) return value === undefined ? undefined : query(value as never, path);
  let current = value;
  for (const step of parsed) {
    if (typeof current !== 'object' || current === null) return undefined;
    // Own members only: a server's text must not reach the prototype.
    if (!Object.hasOwn(current, step)) return undefined;
    current = (current as Record<string, unknown>)[step];
  }
  return current;
}
