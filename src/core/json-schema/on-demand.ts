/**
 * Slow modules by purpose: the engine for values, and the schema validator of each dialect. Running from source both
 * are simply there. The build replaces this module by one that loads a file of dist/ on demand, with precompiled
 * meta-schemas; see tools/build-on-demand.ts.
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
