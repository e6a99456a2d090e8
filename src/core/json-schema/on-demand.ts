/**
 * What takes long to load, by what is wanted of it: the engine for values, and the validator of schemas of each dialect.
 * Running from source both are simply there. The build puts a module in place of this one that loads a file of dist/
 * when it is asked, with the meta-schemas compiled ahead; see tools/build-on-demand.ts.
 */
import type { ValidateFunction } from 'ajv';
import { dialectEngine, metaSchemas, plainReading } from './meta-schemas.ts';
import type { DialectName } from './schema-copy.ts';
import * as engine from './schema-engine.ts';

export function schemaEngine(): Pick<typeof engine, 'createEngine' | 'isUndecided'> {
  return engine;
}

const compiled = new Map<DialectName, ValidateFunction>();

/** Validates schemas by the meta-schema of a dialect. */
export function metaValidator(dialect: DialectName): ValidateFunction {
  let found = compiled.get(dialect);
  if (!found) compiled.set(dialect, (found = dialectEngine(dialect, plainReading).getSchema(metaSchemas[dialect])!));
  return found;
}
