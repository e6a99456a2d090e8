/**
 * Compiles the schema of suites ahead of time into one ES module that stands in for src/suite/file/validators.ts in
 * dist/. Writes nothing itself.
 */
import { Ajv2020 } from 'ajv/dist/2020.js';
import standalone from 'ajv/dist/standalone/index.js';
import { checkedDefinitions, looseSchema, validatorOptions } from '../suite/file/schema.ts';

/** The text of a module that exports `validatorOf`. Deterministic. */
export function compileSuiteSchema(): string {
  const ajv = new Ajv2020({ ...validatorOptions, code: { source: true, esm: true } }).addSchema(looseSchema(), 'suite');
  const names = checkedDefinitions.map((definition, index): [string, string] => [`of${index}`, definition]);
  const code = standalone.default(ajv, Object.fromEntries(names.map(([name, definition]) => [name, `suite#/$defs/${definition}`])));
  return `${code}\nconst table = { ${names.map(([name, definition]) => `${JSON.stringify(definition)}: ${name}`).join(', ')} };\nexport function validatorOf(definition) { return table[definition]; }\n`;
}
