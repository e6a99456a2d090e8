/**
 * Validators of schemas by the meta-schema of their dialect, compiled when they are first asked for. The build puts the
 * module made by tools/compile-meta-schemas.ts in place of this one, so that no run compiles them.
 */
import type { ValidateFunction } from 'ajv';
import { dialectEngine, metaSchemas, plainReading } from './meta-schemas.ts';
import type { DialectName } from './schema-copy.ts';

const compiled = new Map<DialectName, ValidateFunction>();

export function metaValidatorOf(dialect: DialectName): ValidateFunction {
  let found = compiled.get(dialect);
  if (!found) compiled.set(dialect, (found = dialectEngine(dialect, plainReading).getSchema(metaSchemas[dialect])!));
  return found;
}
