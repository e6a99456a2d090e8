/**
 * Validators of rule files and of files of facts. The build replaces this module by one that reads the validators
 * compiled by tools/build-on-demand.ts: compiling the schema of a rule takes longer than everything else about it.
 */
import type { ValidateFunction } from 'ajv/dist/2020.js';
import { ruleSchemas } from './rule-schemas.ts';

/**
 * @param rulesFolder the folder that holds language/
 * @param operatorOptions JSON Schema of the option of each operator
 * @returns the validator of a name of ruleSchemas; undefined for the option of a missing operator
 */
export function ruleValidators(
  rulesFolder: string,
  operatorOptions: ReadonlyMap<string, object>,
): (name: string) => ValidateFunction | undefined {
  const ajv = ruleSchemas(rulesFolder, operatorOptions);
  return (name) => ajv.getSchema(name);
}
