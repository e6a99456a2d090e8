/**
 * Arguments and names that a tool has to refuse: values of a JSON type that its inputSchema rules out, and its name in
 * the other letter case. The wrong values are texts that are not returned by chance.
 */
import { isSafetySwitch } from '../../core/permission/careful-arguments.ts';
import { asText } from '../../core/model/json.ts';

type Json = Record<string, unknown>;

/** Shows whether a wrong value was used. */
export const wrongTypeMark = 'mcpc-wrong-type';
const textless = new Set(['number', 'integer', 'boolean', 'array', 'object']);

/** The arguments with a text for every described one that must not be a text. */
export function wrongTypes(inputSchema: unknown, valid: Json): Json {
  return { ...valid, ...Object.fromEntries(typedProperties(inputSchema).map((name) => [name, wrongTypeMark])) };
}

/** Properties of an input schema that state a plain type other than text; no switch that keeps harm away, since any text is true to many servers. */
export function typedProperties(inputSchema: unknown): string[] {
  const properties = (inputSchema as Json | null | undefined)?.properties;
  if (typeof properties !== 'object' || properties === null) return [];
  return Object.entries(properties)
    .filter(
      ([name, property]) =>
        textless.has(asText((property as Json | null)?.type)) && !isSafetySwitch(name, (property as Json).type),
    )
    .map(([name]) => name);
}

/** The name with upper and lower case exchanged; undefined when it has no letters. */
export function swapCase(name: string): string | undefined {
  const swapped = name.replace(/[A-Za-z]/g, (letter) =>
    letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase(),
  );
  return swapped === name ? undefined : swapped;
}
