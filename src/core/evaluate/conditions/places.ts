/**
 * Where a condition finds fault: the properties of a message, each with its full path. A path with a wildcard or a
 * filter selects several values; only their own paths say which of them is wrong.
 */
import { compile, type JSONValue } from 'json-p3';
import { givesList } from '../../facts/values/json-path.ts';

/** Values whose paths are kept; a hostile list may have a million. */
const mostPlaces = 100;

/**
 * Paths of what a JSONPath selects in a value, in its order; undefined of a path that selects one value at most. Where
 * the path ends in a filter on one property (`$.tools[?@.inputSchema.type != 'object']`), the path of that property in
 * each selected value, as far as it is there.
 */
export function selectedPlaces(value: unknown, path: string | undefined): string[] | undefined {
  if (path === undefined || value === undefined || !givesList(path)) return undefined;
  const property = filteredProperty(path);
  const places: string[] = [];
  for (const node of compile(path).lazyQuery(value as JSONValue)) {
    places.push(
      `${written(node.location)}${property === undefined ? '' : written(present(node.value, property), true)}`,
    );
    if (places.length >= mostPlaces) break;
  }
  return places;
}

/** The names of the one property that the filter at the end of a path looks at; undefined where there is none, or several. */
function filteredProperty(path: string): string[] | undefined {
  const filter = /\[\?(.*)\]$/.exec(path)?.[1];
  // A filter within another one, or behind which the path goes on, is none of these.
  if (filter === undefined || filter.includes('[?')) return undefined;
  const texts = filter.replace(/'(?:[^'\\]|\\.)*'/g, "''");
  const names = new Set([...texts.matchAll(/@((?:\.[A-Za-z_]\w*)+)/g)].map((match) => match[1]!));
  const [only] = names;
  return names.size === 1 && !/@(?!\.[A-Za-z_])/.test(texts) ? only!.slice(1).split('.') : undefined;
}

/** As many of the names as lead on within the value, and the first that does not. */
function present(value: unknown, names: readonly string[]): string[] {
  let current = value;
  for (const [at, name] of names.entries()) {
    const next =
      typeof current === 'object' && current !== null ? (current as Record<string, unknown>)[name] : undefined;
    if (typeof next !== 'object' || next === null) return names.slice(0, at + 1);
    current = next;
  }
  return [...names];
}

/**
 * A path for readers: `tools[1].name`.
 * @param goesOn it follows another path
 */
function written(location: readonly (string | number)[], goesOn = false): string {
  return location
    .map((part, at) =>
      typeof part === 'number'
        ? `[${part}]`
        : /^[A-Za-z_$][\w$-]*$/.test(part)
          ? at === 0 && !goesOn
            ? part
            : `.${part}`
          : `['${part.replaceAll("'", "\\'")}']`,
    )
    .join('');
}

/** Two paths behind one another; either may be empty. */
export function joined(base: string, inner: string): string {
  if (base === '' || inner === '') return base || inner;
  return inner.startsWith('[') ? `${base}${inner}` : `${base}.${inner}`;
}
