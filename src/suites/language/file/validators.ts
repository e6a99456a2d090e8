/**
 * Validators of the parts of suite files, compiled when they are first asked for. The build replaces this module by one
 * that reads the validators compiled by tools/build-on-demand.ts, so that no run loads the compiler.
 */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { looseSchema, validatorOptions } from './schema.ts';

let ajv: Ajv2020 | undefined;

/** @param definition name of a definition of the schema of suites, which is there */
export function validatorOf(definition: string): ValidateFunction {
  ajv ??= new Ajv2020(validatorOptions).addSchema(looseSchema(), 'suite');
  return ajv.getSchema(`suite#/$defs/${definition}`)!;
}
