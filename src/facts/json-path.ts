/** Resolves the `path` of a condition. Simple paths are walked directly; others go through RFC 9535 JSONPath. */
import { compile, type JSONValue } from 'json-p3';

const equality = "@\\.[A-Za-z_][\\w-]* ?== ?'[^'\\\\]*'";
const member = "\\.[A-Za-z_][\\w-]*|\\[\\d+\\]|\\['[^'\\\\]*'\\]|\\[\\*\\]|\\.\\*";
const chosen = `\\[\\?(${equality}(?: ?\\|\\| ?${equality})*)\\]`;
const simple = new RegExp(`^\\$(?:${member}|${chosen})*$`);
const step = new RegExp(`\\.([A-Za-z_][\\w-]*)|\\[(\\d+)\\]|\\['([^'\\\\]*)'\\]|(\\[\\*\\]|\\.\\*)|${chosen}`, 'g');
const every = Symbol('every');
/** Entries of which a member is one of some texts: the commonest filter, `[?@.type=='image' || @.type=='audio']`. */
interface Choice {
  equals: readonly (readonly [name: string, text: string])[];
}
type Step = string | typeof every | Choice;
type Resolve = (value: unknown) => unknown;
const compiled = new Map<string, Resolve>();

/**
 * A function that gives the value at a path; undefined when there is none. A path with wildcards, slices,
 * filters or descendants yields the list of all matches, empty when there are none.
 */
export function compilePath(path: string): Resolve {
  let resolve = compiled.get(path);
  if (!resolve) compiled.set(path, (resolve = makeResolver(path)));
  return resolve;
}

/** The value at a path, see `compilePath`. */
export function resolvePath(value: unknown, path: string): unknown {
  return compilePath(path)(value);
}

function makeResolver(path: string): Resolve {
  if (!simple.test(path)) {
    const query = compile(path);
    return (value) => (value === undefined ? undefined : query.query(value as JSONValue).values());
  }
  const steps = [...path.matchAll(step)].map((match): Step => {
    if (match[5] !== undefined) return { equals: [...match[5].matchAll(/@\.([\w-]+) ?== ?'([^']*)'/g)].map(([, name, text]) => [name!, text!] as const) };
    return match[4] === undefined ? (match[1] ?? match[2] ?? match[3])! : every;
  });
  if (steps.every((one) => typeof one === 'string')) return walker(steps);
  return (value) => {
    if (value === undefined) return undefined;
    const found: unknown[] = [];
    collect(value, steps, 0, found);
    return found;
  };
}

/** Follows names one after another; most paths have one. */
function walker(steps: readonly string[]): Resolve {
  const members = steps.map(memberReader);
  const [first, ...more] = members;
  if (first === undefined) return (value) => value;
  if (more.length === 0) return first;
  return (value) => {
    let current = first(value);
    for (const member of more) current = current === undefined ? undefined : member(current);
    return current;
  };
}

/** Reads an own member. Plain objects have no others, but for the names that all objects inherit. */
function memberReader(name: string): Resolve {
  if (name in Object.prototype) return (value) => (has(value, name) ? value[name] : undefined);
  return (value) => {
    if (typeof value !== 'object' || value === null) return undefined;
    if (Array.isArray(value)) return Object.hasOwn(value, name) ? (value as unknown as Record<string, unknown>)[name] : undefined;
    return (value as Record<string, unknown>)[name];
  };
}

function collect(value: unknown, steps: readonly Step[], at: number, into: unknown[]): void {
  if (at === steps.length) {
    into.push(value);
    return;
  }
  const next = steps[at]!;
  if (typeof next === 'string') {
    if (has(value, next)) collect(value[next], steps, at + 1, into);
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  for (const one of Object.values(value)) {
    if (next === every || next.equals.some(([name, text]) => has(one, name) && one[name] === text)) collect(one, steps, at + 1, into);
  }
}

/** Own members only: a server's text must not reach the prototype. Positions count in arrays, names in objects. */
function has(value: unknown, name: string): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name);
}
