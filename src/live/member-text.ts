/** Finds a member of a JSON object in its text, so that a value can be passed on exactly as it was written. */

/**
 * @param json text of a parsed JSON object
 * @returns the text of the member's value, on one line; of a duplicate member the last; undefined without one
 */
export function memberText(json: string, name: string): string | undefined {
  const start = skipBlank(json, json.charCodeAt(0) === 0xfeff ? 1 : 0);
  if (json[start] !== '{') return undefined;
  let found: string | undefined;
  let at = skipBlank(json, start + 1);
  while (json[at] === '"') {
    const nameEnd = stringEnd(json, at);
    const key = JSON.parse(json.slice(at, nameEnd)) as string;
    const from = skipBlank(json, skipBlank(json, nameEnd) + 1);
    const to = valueEnd(json, from);
    if (key === name) found = json.slice(from, to);
    at = skipBlank(json, to);
    if (json[at] === ',') at = skipBlank(json, at + 1);
  }
  // Within strings JSON has no line ends.
  return found?.replace(/[\r\n]+/g, ' ');
}

function skipBlank(json: string, from: number): number {
  let at = from;
  while (at < json.length && ' \t\r\n'.includes(json[at]!)) at += 1;
  return at;
}

/** @param from position of its first quotation mark */
function stringEnd(json: string, from: number): number {
  for (let at = from + 1; at < json.length; at += 1) {
    if (json[at] === '\\') at += 1;
    else if (json[at] === '"') return at + 1;
  }
  return json.length;
}

function valueEnd(json: string, from: number): number {
  let open = 0;
  for (let at = from; at < json.length; at += 1) {
    const character = json[at]!;
    if (character === '"') at = stringEnd(json, at) - 1;
    else if (character === '{' || character === '[') open += 1;
    else if (character === '}' || character === ']') {
      if (open === 0) return at;
      open -= 1;
    } else if (open === 0 && (character === ',' || ' \t\r\n'.includes(character))) return at;
    if (open === 0 && (character === '"' || character === '}' || character === ']')) return at + 1;
  }
  return json.length;
}
