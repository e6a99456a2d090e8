/**
 * Checks that a value read from a file is a SuiteReport (rules/language/suite-report.schema.json), so that rendering can
 * rely on its shape. Loads ajv: import it only where a report comes from outside.
 */
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ValidateFunction } from 'ajv';
import { usageError } from '../../core/model/errors.ts';
import type { SuiteReport } from '../../core/model/reports/suite-report.ts';
import schema from '../../../rules/language/suite-report.schema.json' with { type: 'json' };
import { schemaErrors } from '../validate-report.ts';

let compiled: ValidateFunction<SuiteReport> | undefined;

/** True if a text seems to be a SuiteReport. */
export function isSuiteReport(text: string): boolean {
  return /^\s*\{\s*"format":\s*"mcpc-suite-report"/.test(text);
}

/** @param file only names it in errors. @throws McpcError (usage) with the path of each member that is wrong */
export function parseSuiteReport(text: string, file: string): SuiteReport {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw usageError(
      `${file} is not JSON: ${(error as Error).message}`,
      'Give a file written by mcpc run --format json.',
      error,
    );
  }
  compiled ??= new Ajv2020({ allErrors: true, strict: false }).compile<SuiteReport>(schema);
  if (compiled(value)) return value;
  throw usageError(
    `${file} is no report of suites:\n  ${schemaErrors(compiled.errors)}`,
    'Give a file written by mcpc run --format json.',
  );
}
