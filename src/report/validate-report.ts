/**
 * Checks that a value read from a file is a RunReport (rules/language/run-report.schema.json), so that rendering
 * can rely on its shape. Loads ajv: import it only where a report comes from outside. It must not repair anything.
 */
import { Ajv } from 'ajv';
import type { ErrorObject, ValidateFunction } from 'ajv';
import { usageError } from '../model/errors.ts';
import type { RunReport } from '../model/reports/run-report.ts';
import schema from '../../rules/language/run-report.schema.json' with { type: 'json' };

let compiled: ValidateFunction<RunReport> | undefined;

/**
 * Parses the text of a report file; `file` only names it in errors.
 * @throws McpcError (usage) with the path of each member that is wrong.
 */
export function parseReport(text: string, file: string): RunReport {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw usageError(`${file} is not JSON: ${(error as Error).message}`, 'Give a report written by "mcpc check --json", "mcpc run --format json", "mcpc audit --json" or "mcpc fuzz --json".');
  }
  return validateReport(value, file);
}

/** The value as a RunReport. @throws McpcError (usage) with the path of each member that is wrong. */
export function validateReport(value: unknown, file: string): RunReport {
  compiled ??= new Ajv({ allErrors: true, allowUnionTypes: true }).compile<RunReport>(schema);
  if (compiled(value)) return value;
  throw usageError(`${file} is no report of mcpc:\n  ${schemaErrors(compiled.errors)}`, 'Give a report written by "mcpc check --json", "mcpc run --format json", "mcpc audit --json" or "mcpc fuzz --json".');
}

/** What a schema found wrong: the first five, and how many more there are, one a line. */
export function schemaErrors(found: readonly ErrorObject[] | null | undefined): string {
  // The outcome of an `if` says nothing that the error inside its branch does not say better.
  const errors = (found ?? []).filter((error) => error.keyword !== 'if').map(describe);
  const more = errors.length > 5 ? `\n  and ${errors.length - 5} more` : '';
  return `${errors.slice(0, 5).join('\n  ')}${more}`;
}

function describe({ instancePath, message, params }: ErrorObject): string {
  const allowed: unknown = params['allowedValues'] ?? params['allowedValue'];
  const detail = allowed === undefined ? '' : ` (${JSON.stringify(allowed)})`;
  return `${instancePath === '' ? '/' : instancePath} ${message ?? 'is wrong'}${detail}`;
}
