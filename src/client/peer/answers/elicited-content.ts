/** The checker's content for forms of elicitations: valid values, or deliberately invalid ones. */
import { generateValue } from '../../../core/json-schema/generate-value.ts';
import { asText } from '../../../core/model/json.ts';

type Json = Record<string, unknown>;

/** Part of every invalid value, to recognise it anywhere. */
const mark = 7_300_117;

/** A value for every field; optional ones with a pattern are left empty. */
export function elicitedContent(schema: Json): Json {
  const required = Array.isArray(schema.required) ? schema.required.map(asText) : [];
  return Object.fromEntries(
    fieldsOf(schema)
      .filter(([name, field]) => required.includes(name) || !('pattern' in field))
      .map(([name, field]) => [name, generateValue(chosen(field), name)]),
  );
}

/** A value of a wrong type for every field; undefined when there is no field to be wrong. */
export function unfitContent(schema: Json): Json | undefined {
  const fields = fieldsOf(schema);
  if (fields.length === 0) return undefined;
  return Object.fromEntries(
    fields.map(([name, { type }]) => [name, type === 'string' || type === undefined ? mark : `mcpc-unfit-${mark}`]),
  );
}

function fieldsOf({ properties }: Json): [string, Json][] {
  if (typeof properties !== 'object' || properties === null) return [];
  return Object.entries(properties as Json).filter(
    (entry): entry is [string, Json] => typeof entry[1] === 'object' && entry[1] !== null,
  );
}

/** One choice of a list, where none would do as well. */
function chosen(field: Json): Json {
  return field.type === 'array' && field.minItems === undefined && field.maxItems !== 0
    ? { ...field, minItems: 1 }
    : field;
}
