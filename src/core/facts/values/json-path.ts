/** Resolves the `path` of a condition. Simple paths are walked directly; others go through RFC 9535 JSONPath. */
import { compile, type JSONValue } from 'json-p3';

const below = '@(?:\\.[A-Za-z_][\\w-]*)+';
const term = `(?:!?${below}|${below} ?[!=]= ?'[^'\\\\|&]*')`;
const member = "\\.[A-Za-z_][\\w-]*|\\[\\d+\\]|\\['[^'\\\\]*'\\]|\\[\\*\\]|\\.\\*";
const chosen = `\\[\\?(${term}(?: ?(?:\\|\\||&&) ?${term})*)\\]`;
const simple = new RegExp(`^\\$(?:${member}|${chosen})*$`);
const step = new RegExp(`\\.([A-Za-z_][\\w-]*)|\\[(\\d+)\\]|\\['([^'\\\\]*)'\\]|(\\[\\*\\]|\\.\\*)|${chosen}`, 'g');
const every = Symbol('every');
/** Entries that a filter without brackets chooses: `[?@.type=='image' || @.text && !@.blob]`. */
interface Choice {
  holds: (entry: unknown) => boolean;
}
type Step = string | typeof every | Choice;
export type Resolve = (value: unknown) => unknown;
const compiled = new Map<string, Resolve>();

/** Most values that a path may give to be judged; of more, no more than one is looked for. */
export const mostPathValues = 10_000;

/**
 * A function that gives the value at a path; undefined when there is none. A path with wildcards, slices,
 * filters or descendants yields the list of all matches, empty when there are none, and cut behind `mostPathValues` + 1.
 */
export function compilePath(path: string): Resolve {
  let resolve = compiled.get(path);
  if (!resolve) compiled.set(path, (resolve = makeResolver(path)));
  return resolve;
}

/** True if a path yields a list of matches. */
export function givesList(path: string): boolean {
  return !simple.test(path) || !isPlain(stepsOf(path));
}

/** The value at a path, see `compilePath`. */
export function resolvePath(value: unknown, path: string): unknown {
  return compilePath(path)(value);
}

function makeResolver(path: string): Resolve {
  if (!simple.test(path)) {
    const query = compile(path);
    return (value) => {
      if (value === undefined) return undefined;
      const found: unknown[] = [];
      for (const node of query.lazyQuery(value as JSONValue)) if (found.push(node.value) > mostPathValues) break;
      return found;
    };
  }
  const steps = stepsOf(path);
  if (isPlain(steps)) return walker(steps);
  return (value) => {
    if (value === undefined) return undefined;
    const found: unknown[] = [];
    collect(value, steps, 0, found);
    return found;
  };
}

function stepsOf(path: string): Step[] {
  return [...path.matchAll(step)].map((match): Step => {
    if (match[5] !== undefined) return { holds: filterOf(match[5]) };
    return match[4] === undefined ? (match[1] ?? match[2] ?? match[3])! : every;
  });
}

/** And binds closer than or (RFC 9535, 2.3.5.1). */
function filterOf(text: string): Choice['holds'] {
  const ways = text.split('||').map((way) => way.split('&&').map((one) => termOf(one.trim())));
  return (entry) => ways.some((terms) => terms.every((holds) => holds(entry)));
}

/** A test for presence or for a string: an absent member is not a string. */
function termOf(text: string): Choice['holds'] {
  const [, negated, names = '', sign, wanted] = /^(!?)@\.([\w.-]+?)(?: ?([!=]=) ?'([^']*)')?$/.exec(text) ?? [];
  const read = walker(names.split('.'));
  if (sign === undefined) return (entry) => (read(entry) === undefined) === (negated === '!');
  return (entry) => (read(entry) === wanted) === (sign === '==');
}

function isPlain(steps: readonly Step[]): steps is string[] {
  return steps.every((one) => typeof one === 'string');
}

/** The names that a path follows from object to object; undefined for a path that is more than that. */
export function pathNames(path: string): readonly string[] | undefined {
  const steps = simple.test(path) ? stepsOf(path) : undefined;
  return steps && isPlain(steps) && !steps.some((name) => isPosition(name) || name in Object.prototype)
    ? steps
    : undefined;
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

/**
 * Reads an own member; positions work in lists, names in objects, which have only the inherited members of all objects
 * besides.
 */
function memberReader(name: string): Resolve {
  if (isPosition(name) || name in Object.prototype) return (value) => (has(value, name) ? value[name] : undefined);
  return (value) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)[name]
      : undefined;
}

function isPosition(name: string): boolean {
  return /^\d+$/.test(name);
}

function collect(value: unknown, steps: readonly Step[], at: number, into: unknown[]): void {
  if (into.length > mostPathValues) return;
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
  for (const one of Array.isArray(value) ? (value as unknown[]) : Object.values(value)) {
    if (next === every || next.holds(one)) collect(one, steps, at + 1, into);
  }
}

/** Own members only: a server's text must not reach the prototype. */
function has(value: unknown, name: string): value is Record<string, unknown> {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.hasOwn(value, name) &&
    (!Array.isArray(value) || isPosition(name))
  );
}
