/** A report from its text, seen as the one part that it has. */
import { ofPart, type PartReport } from '../../src/core/model/reports/run-parts.ts';
import { parseReport as parse } from '../../src/report/validate-report.ts';

export function parseReport(text: string, file = 'report'): PartReport {
  return ofPart(parse(text, file));
}
