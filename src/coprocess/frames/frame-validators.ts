/**
 * Validators of frames, compiled when they are first asked for. The build replaces this module by one that reads the
 * validators compiled by tools/build-on-demand.ts, so that a coprocess starts without the compiler.
 */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { frameOptions, frameSchema } from './frame-schema.ts';

let ajv: Ajv2020 | undefined;

/** @param definition one of `frameDefinitions` */
export function frameValidator(definition: string): ValidateFunction {
  ajv ??= new Ajv2020(frameOptions).addSchema(frameSchema, 'frames');
  return ajv.getSchema(`frames#/$defs/${definition.replaceAll('/', '~1')}`)!;
}
