/**
 * Checks that a value read from a file is a report of `mcpc audit` or `mcpc fuzz` (rules/language), so that rendering can
 * rely on its shape. Loads ajv: import it only where a report comes from outside.
 */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { usageError } from '../../core/model/errors.ts';
import type { AuditReport } from '../../core/model/reports/audit-report.ts';
import type { FuzzReport } from '../../core/model/reports/fuzz-report.ts';
import auditSchema from '../../../rules/language/audit-report.schema.json' with { type: 'json' };
import fuzzSchema from '../../../rules/language/fuzz-report.schema.json' with { type: 'json' };
import { schemaErrors } from '../validate-report.ts';

export type ToolsReport = AuditReport | FuzzReport;

/** True if a text seems to be such a report. */
export function isToolsReport(text: string): boolean {
  return /^\s*\{\s*"format":\s*"mcpc-(?:audit|fuzz)-report"/.test(text);
}

/** @param file only names it in errors. @throws McpcError (usage) with the path of each member that is wrong */
export function parseToolsReport(text: string, file: string): ToolsReport {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw usageError(
      `${file} is not JSON: ${(error as Error).message}`,
      'Give a file with what mcpc audit --json or mcpc fuzz --json printed.',
      error,
    );
  }
  const kind = (value as { format?: unknown }).format === 'mcpc-audit-report' ? 'audit' : 'fuzz';
  const validate = new Ajv2020({ allErrors: true, strict: false }).compile<ToolsReport>(
    kind === 'audit' ? auditSchema : fuzzSchema,
  );
  if (validate(value)) return value;
  throw usageError(
    `${file} is no report of mcpc ${kind}:\n  ${schemaErrors(validate.errors)}`,
    `Give a file with what mcpc ${kind} --json printed.`,
  );
}
