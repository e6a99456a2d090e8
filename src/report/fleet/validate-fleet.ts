/**
 * Checks that a value read from a file is a FleetReport (rules/language/fleet-report.schema.json), so that rendering
 * and comparing can rely on its shape. Loads ajv: import it only where a report comes from outside.
 */
import { Ajv } from 'ajv';
import type { ValidateFunction } from 'ajv';
import { usageError } from '../../core/model/errors.ts';
import type { FleetReport } from '../../core/model/reports/fleet.ts';
import schema from '../../../rules/language/fleet-report.schema.json' with { type: 'json' };
import { schemaErrors } from '../validate-report.ts';

let compiled: ValidateFunction<FleetReport> | undefined;

/** The value as a FleetReport; `file` only names it in errors. @throws McpcError (usage) with the path of each member that is wrong */
export function validateFleetReport(value: unknown, file: string): FleetReport {
  compiled ??= new Ajv({ allErrors: true, allowUnionTypes: true }).compile<FleetReport>(schema);
  if (!compiled(value))
    throw usageError(
      `${file} is no report of a fleet:\n  ${schemaErrors(compiled.errors)}`,
      'Name the folder of a run, or its fleet.json.',
    );
  const odd = value.servers.find((server) => server.verdicts !== null && server.verdicts.length !== value.rules.length);
  if (odd !== undefined)
    throw usageError(
      `${file} is no report of a fleet:\n  ${odd.id} has ${odd.verdicts!.length} verdicts for ${value.rules.length} rules`,
    );
  return value;
}
