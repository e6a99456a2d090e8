/** The meta-schemas by dialect, and engines that know them. */
import { Ajv, type AnySchemaObject, type Options } from 'ajv';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import draft06 from 'ajv/dist/refs/json-schema-draft-06.json' with { type: 'json' };
import draft07 from 'ajv/dist/refs/json-schema-draft-07.json' with { type: 'json' };
import type { DialectName } from './schema-copy.ts';

/** The address of the meta-schema of each dialect. */
export const metaSchemas: Record<DialectName, string> = {
  '2020-12': 'https://json-schema.org/draft/2020-12/schema',
  '2019-09': 'https://json-schema.org/draft/2019-09/schema',
  'draft-07': 'http://json-schema.org/draft-07/schema',
  'draft-06': 'http://json-schema.org/draft-06/schema',
};

/** Reading of a target's schemas: only the text of the dialect counts. */
export const plainReading: Options = {
  strict: false,
  validateFormats: false,
  validateSchema: false,
  addUsedSchema: false,
  inlineRefs: false,
  logger: false,
};

/** An engine that knows the dialect and its meta-schema. */
export function dialectEngine(dialect: DialectName, options: Options): Ajv {
  if (dialect === '2020-12') return new Ajv2020(options) as Ajv;
  if (dialect === '2019-09') return new Ajv2019(options) as Ajv;
  const engine = new Ajv({ ...options, meta: false });
  return engine.addMetaSchema(asOfText(dialect === 'draft-06' ? draft06 : draft07));
}

/**
 * A meta-schema of draft-06 or draft-07 as in its text and the current official copy. There it is a recommendation that
 * enum has at least one value without duplicates; older copies, such as Ajv's, require it.
 */
function asOfText(meta: { properties: object }): AnySchemaObject {
  return { ...meta, properties: { ...meta.properties, enum: { type: 'array', items: true } } };
}
