/**
 * Member names that an object of a JSON text has more than once, which parsed JSON does not show any more. One pass over
 * the text, without recursion; the text has to be JSON.
 */

/** An object or array that is open, with the name of the member that is being read; arrays have none. */
interface Open {
  isObject: boolean;
  name: string | undefined;
}

/**
 * @param path names of the members that lead to the object
 * @returns each name once; of a duplicate object the last one counts, as in JSON.parse
 */
export function repeatedMembers(text: string, path: readonly string[]): string[] {
  const open: Open[] = [];
  const repeated = new Set<string>();
  let seen = new Set<string>();
  let nameIsDue = false;

  function isTarget(): boolean {
    return open.length === path.length + 1 && path.every((name, depth) => open[depth]!.name === name);
  }

  function readName(name: string): void {
    nameIsDue = false;
    open.at(-1)!.name = name;
    if (!isTarget()) return;
    if (seen.has(name)) repeated.add(name);
    seen.add(name);
  }

  for (let index = 0; index < text.length; index += 1) {
    const char = text[index];
    if (char === '"') {
      const end = endOfString(text, index);
      if (nameIsDue) readName(JSON.parse(text.slice(index, end + 1)) as string);
      index = end;
    } else if (char === '{' || char === '[') {
      open.push({ isObject: char === '{', name: undefined });
      nameIsDue = char === '{';
      if (nameIsDue && isTarget()) {
        seen = new Set();
        repeated.clear();
      }
    } else if (char === '}' || char === ']') {
      open.pop();
      nameIsDue = false;
    } else if (char === ',') nameIsDue = open.at(-1)?.isObject === true;
  }
  return [...repeated];
}

/** Index of the quotation mark that ends a string. */
function endOfString(text: string, start: number): number {
  for (let index = start + 1; index < text.length; index += 1) {
    if (text[index] === '\\') index += 1;
    else if (text[index] === '"') return index;
  }
  return text.length;
}
