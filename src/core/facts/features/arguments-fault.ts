/**
 * Certain faults in the arguments of a call, compared with the tool's inputSchema: a required argument is missing, or
 * has a value that no server could accept as the right type, or none of the allowed values. What a lenient server may
 * well take (numbers as text, values beyond a bound that it cuts off, members that it drops) is no fault here. It makes
 * no judgement.
 */
import { fitOf, isMisfit } from '../../json-schema/schema-fit.ts';
import { asObject, asText, isObject, type JsonObject } from '../../model/json.ts';

/** The first fault, such as `count is missing`; undefined when none is certain. */
export function argumentsFault(inputSchema: unknown, given: JsonObject): string | undefined {
  if (!isObject(inputSchema)) return undefined;
  const properties = asObject(inputSchema.properties) ?? {};
  const required = Array.isArray(inputSchema.required) ? (inputSchema.required as unknown[]).map(asText) : [];
  for (const name of required) {
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
    // Some generators list members as required that the server fills in by itself.
    if (!Object.hasOwn(given, name) && !(isObject(schema) && 'default' in schema)) return `${name} is missing`;
  }
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(properties, name)) continue;
    const fit = fitOf(properties[name], value, inputSchema);
    if (!isMisfit(fit) || fit.path !== '$') continue;
    if (fit.what.startsWith('is not of type') && isFarFrom(properties[name], value)) return `${name} ${fit.what}`;
    if (
      fit.what === 'is not one of the allowed values' &&
      typeof value === 'string' &&
      !isNear(properties[name], value)
    )
      return `${name} ${fit.what}`;
  }
  return undefined;
}

/** The first argument of a prompt that is required and missing; undefined when none is, or they have not the shape of arguments: an object of texts. */
export function promptFault(declared: unknown, given: unknown): string | undefined {
  if (!Array.isArray(declared) || (given !== undefined && !isObject(given))) return undefined;
  if (!Object.values(given ?? {}).every((value) => typeof value === 'string')) return undefined;
  const missing = (declared as unknown[]).find(
    (one) =>
      isObject(one) && one.required === true && typeof one.name === 'string' && !Object.hasOwn(given ?? {}, one.name),
  );
  return isObject(missing) ? `${asText(missing.name)} is missing` : undefined;
}

/** An object or a list instead of a plain value, or a text that is not a number instead of a number. */
function isFarFrom(schema: unknown, value: unknown): boolean {
  const types = isObject(schema) ? [schema.type].flat().map(asText) : [];
  const plain = types.every((type) => ['string', 'number', 'integer', 'boolean', 'null'].includes(type));
  if (isObject(value) || Array.isArray(value)) return plain && types.length > 0;
  const numeric = types.every((type) => type === 'number' || type === 'integer' || type === 'null');
  return typeof value === 'string' && numeric && types.length > 0 && value.trim() !== '' && Number.isNaN(Number(value));
}

/** True if a value is an allowed one except for case and spaces. */
function isNear(schema: unknown, value: string): boolean {
  const allowed = isObject(schema) && Array.isArray(schema.enum) ? (schema.enum as unknown[]) : [];
  return allowed.some((one) => asText(one).trim().toLowerCase() === value.trim().toLowerCase());
}
