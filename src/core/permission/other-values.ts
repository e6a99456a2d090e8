/**
 * Other calls of a tool: its arguments with another value for one of the switches and choices among them, since a
 * tool does something else by each of them. What decides about harm stays as it is. Pure.
 */
import { isObject, type JsonObject as Json } from '../model/json.ts';
import { isSafetySwitch, mayDoHarm } from './careful-arguments.ts';

/** Choices of a parameter that are looked at; a list may be of any length. */
const mostChoices = 20;

/**
 * The arguments with one of them changed, at most this many: the first other value of each parameter before the second
 * one of any.
 * @param schema the inputSchema of the tool
 * @param given arguments that match it
 */
export function otherArguments(schema: unknown, given: Json, most: number): Json[] {
  const properties = isObject(schema) && isObject(schema.properties) ? Object.entries(schema.properties) : [];
  const others = properties.map(([name, property]) =>
    otherValues(name, property, given[name]).map((value): Json => ({ ...given, [name]: value })),
  );
  const found: Json[] = [];
  for (let round = 0; found.length < most && others.some((one) => round < one.length); round += 1) {
    for (const one of others) if (round < one.length && found.length < most) found.push(one[round]!);
  }
  return found;
}

function otherValues(name: string, property: unknown, given: unknown): unknown[] {
  if (!isObject(property) || isSafetySwitch(name, property.type)) return [];
  const usual = given ?? property.default;
  if (property.type === 'boolean') return [usual !== true];
  const choices = Array.isArray(property.enum) ? property.enum.slice(0, mostChoices) : [];
  return choices.filter((choice) => choice !== null && choice !== usual && !mayDoHarm(choice));
}
