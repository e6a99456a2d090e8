/**
 * Validators of rule files and of files of facts. The build puts a module in place of this one that reads what
 * tools/build-on-demand.ts has compiled: compiling the schema of a rule takes longer than all else that is done with a rule.
 */
import type { ValidateFunction } from 'ajv/dist/2020.js';
import { ruleSchemas } from './rule-schemas.ts';

/**
 * @param rulesFolder the folder that holds language/
 * @param operatorOptions JSON Schema of the option of each operator
 * @returns the validator of a name of ruleSchemas; undefined for the option of an operator that is not there
 */
export function ruleValidators(
  rulesFolder: string,
  operatorOptions: ReadonlyMap<string, object>,
): (name: string) => ValidateFunction | undefined {
  const ajv = ruleSchemas(rulesFolder, operatorOptions);
  return (name) => ajv.getSchema(name);
}
