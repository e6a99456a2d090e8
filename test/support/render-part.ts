/** Renders a run of one part, which tests keep flat so that they can change any member of it. */
import { runOf, type PartReport } from '../../src/core/model/reports/run-parts.ts';
import { renderReport as render } from '../../src/report/parts/render.ts';
import type { RenderOptions, ReportFormat } from '../../src/report/parts/render.ts';

export function renderReport(report: PartReport, format: ReportFormat, options?: RenderOptions): string {
  return render(runOf(report), format, options);
}
