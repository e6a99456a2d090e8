/** JSON values as TypeScript sees them. */
export type JsonObject = Record<string, unknown>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The object itself, or undefined for every other JSON value. */
export function asObject(value: unknown): JsonObject | undefined {
  return isObject(value) ? value : undefined;
}

/**
 * The value as `String` has it, and as JSON where `String` throws: what others sent may hold an object whose own
 * `toString` is no function. `String` itself is for values of a known type; the lint rule no-base-to-string holds that.
 */
export function asText(value: unknown): string {
  try {
    // oxlint-disable-next-line typescript/no-base-to-string -- the one place
    return String(value);
  } catch {
    return JSON.stringify(value);
  }
}

/** The value as `Number` has it, and NaN where `Number` throws. */
export function asNumber(value: unknown): number {
  return typeof value === 'object' && value !== null ? Number.NaN : Number(value);
}

/** The value with all its texts and names of members changed. */
export function withTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((one) => withTexts(one, change));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [change(name), withTexts(one, change)]));
}

/** The value as JSON with the members of objects in order: equal texts mean equal values. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((one) => canonical(one) ?? 'null').join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  let members = '';
  for (const name of Object.keys(value).sort()) {
    const text = canonical(value[name]);
    if (text !== undefined) members += `${members === '' ? '' : ','}${JSON.stringify(name)}:${text}`;
  }
  return `{${members}}`;
}

/** The order of texts that is the same everywhere, whatever the language of the machine. */
export function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
