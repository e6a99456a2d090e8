/**
 * Checks that a value read from a file is a RunReport (rules/language/run-report.schema.json), so that rendering can
 * rely on its shape. A report of version 1 is checked by its own schema and converted to version 2. Loads ajv: import
 * it only where a report comes from outside. It must not repair anything.
 */
import { Ajv } from 'ajv';
import type { ErrorObject, ValidateFunction } from 'ajv';
import { usageError } from '../core/model/errors.ts';
import type { RunReport } from '../core/model/reports/run-report.ts';
import { upgradeReport, type RunReport1 } from '../core/model/reports/upgrade-report.ts';
import schema1 from '../../rules/language/run-report-1.schema.json' with { type: 'json' };
import schema from '../../rules/language/run-report.schema.json' with { type: 'json' };

const written =
  'Give a report written by "mcpc check --json", "mcpc run --format json", "mcpc audit --json" or "mcpc fuzz --json".';

let compiled: ValidateFunction<RunReport> | undefined;
let compiled1: ValidateFunction<RunReport1> | undefined;

/**
 * Parses the text of a report file; `file` only names it in errors.
 * @throws McpcError (usage) with the path of each member that is wrong.
 */
export function parseReport(text: string, file: string): RunReport {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw usageError(`${file} is not JSON: ${(error as Error).message}`, written);
  }
  return validateReport(value, file);
}

/** The value as a RunReport of today, whichever version it has. @throws McpcError (usage) with the path of each member that is wrong. */
export function validateReport(value: unknown, file: string): RunReport {
  const ajv = (): Ajv => new Ajv({ allErrors: true, allowUnionTypes: true });
  const isOld = typeof value === 'object' && value !== null && (value as { version?: unknown }).version === 1;
  const check = isOld
    ? (compiled1 ??= ajv().compile<RunReport1>(schema1))
    : (compiled ??= ajv().compile<RunReport>(schema));
  if (check(value)) return upgradeReport(value);
  // A different kind of file has every fault of a report.
  const isOther = typeof value !== 'object' || value === null || !('format' in value);
  throw usageError(
    isOther
      ? `${file} is no report of mcpc: it has no property 'format'.`
      : `${file} is no report of mcpc:\n  ${schemaErrors(check.errors)}`,
    written,
  );
}

/** Errors of a schema: the first five, one a line, and the number of the others. */
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
