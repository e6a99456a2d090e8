/**
 * Replaces string values and names of members in JSON, in parsed form or as text. In text everything else stays as it
 * was written (blanks, repeated members, forms of numbers). It is independent of the choice of strings.
 */

/** Place of a string: member names and array positions from the outermost value on. */
export type JsonPath = readonly (string | number)[];
export type ReplaceString = (value: string, path: JsonPath) => string;
/** Paths have names as they were. */
export type ReplaceName = (name: string) => string;

const sameName: ReplaceName = (name) => name;

/** Nothing that came through a transport nests this deep; see the limits there. */
const maxDepth = 1000;

/** A copy with strings and names replaced; the value itself where none was. */
export function mapStrings(
  value: unknown,
  replace: ReplaceString,
  rename = sameName,
  path: (string | number)[] = [],
): unknown {
  if (typeof value === 'string') return replace(value, path);
  if (value === null || typeof value !== 'object') return value;
  if (path.length >= maxDepth) return null;
  // Numbers that keep their digits are objects of a class of their own.
  if (!Array.isArray(value) && Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Array.isArray(value)
    ? mapItems(value, replace, rename, path)
    : mapMembers(value as Record<string, unknown>, replace, rename, path);
}

// Most values stay as they are: a copy is begun where the first change is.
function mapItems(
  list: readonly unknown[],
  replace: ReplaceString,
  rename: ReplaceName,
  path: (string | number)[],
): unknown {
  let copy: unknown[] | undefined;
  for (let at = 0; at < list.length; at += 1) {
    path.push(at);
    const mapped = mapStrings(list[at], replace, rename, path);
    path.pop();
    if (mapped !== list[at]) (copy ??= list.slice())[at] = mapped;
  }
  return copy ?? list;
}

function mapMembers(
  object: Readonly<Record<string, unknown>>,
  replace: ReplaceString,
  rename: ReplaceName,
  path: (string | number)[],
): unknown {
  const names = Object.keys(object);
  let copy: [string, unknown][] | undefined;
  for (let at = 0; at < names.length; at += 1) {
    const name = names[at]!;
    const item = object[name];
    const renamed = rename(name);
    path.push(name);
    const mapped = mapStrings(item, replace, rename, path);
    path.pop();
    if (copy === undefined && (renamed !== name || mapped !== item))
      copy = names.slice(0, at).map((before) => [before, object[before]]);
    copy?.push([renamed, mapped]);
  }
  // fromEntries also makes a member named "__proto__" an ordinary one.
  return copy === undefined ? object : Object.fromEntries(copy);
}

/** The same on JSON text. The text must be JSON; a byte order mark before it is allowed. */
export function mapStringsInText(text: string, replace: ReplaceString, rename = sameName): string {
  const path: (string | number)[] = [];
  const nesting: ('object' | 'array')[] = [];
  let expectName = false;
  let out = '';
  let copied = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '{' || character === '[') {
      nesting.push(character === '{' ? 'object' : 'array');
      path.push(character === '{' ? '' : 0);
      expectName = character === '{';
    } else if (character === '}' || character === ']') {
      nesting.pop();
      path.pop();
      expectName = false;
    } else if (character === ',') {
      const last = path.length - 1;
      if (nesting.at(-1) === 'array') path[last] = (path[last] as number) + 1;
      else expectName = true;
    } else if (character === '"') {
      const end = stringEnd(text, at);
      const value = JSON.parse(text.slice(at, end)) as string;
      if (expectName) path[path.length - 1] = value;
      const replaced = expectName ? rename(value) : replace(value, path);
      expectName = false;
      if (replaced !== value) {
        out += text.slice(copied, at) + JSON.stringify(replaced);
        copied = end;
      }
      at = end - 1;
    }
  }
  return out + text.slice(copied);
}

/** Position behind the string that begins at a quotation mark. */
function stringEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '"') return at + 1;
  }
  return text.length;
}
