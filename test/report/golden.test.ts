/** One report in every format, compared with test/golden. UPDATE_GOLDEN=1 writes the files anew. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { reportFormats } from '../../src/report/parts/render.ts';
import { renderReport } from '../support/render-part.ts';
import type { RenderOptions, ReportFormat } from '../../src/report/parts/render.ts';
import { scoreVerdicts } from '../../src/core/score/scorecard.ts';
import { defaultScoring } from '../../src/core/score/scoring.ts';
import { sampleReport } from '../support/sample-report.ts';

const folder = new URL('../golden/', import.meta.url);

const cases: [file: string, format: ReportFormat, options: RenderOptions][] = [
  ['report.json', 'json', {}],
  ['report.txt', 'terminal', { color: false, width: 100 }],
  ['report-narrow.txt', 'terminal', { color: false, width: 60, verbose: true }],
  ['report-color.txt', 'terminal', { color: true, width: 100 }],
  ['report-quiet.txt', 'terminal', { color: false, width: 100, quiet: true }],
  ['report.html', 'html', {}],
  ['report.md', 'markdown', {}],
  ['report.junit.xml', 'junit', {}],
  ['report.sarif', 'sarif', {}],
  ['report.github.txt', 'github', {}],
  ['badge.json', 'badge-json', {}],
  ['badge.svg', 'badge-svg', {}],
];

it.each(cases)('%s', (file, format, options) => {
  const text = renderReport(sampleReport(), format, options);
  const path = fileURLToPath(new URL(file, folder));
  if (process.env['UPDATE_GOLDEN'] === '1') {
    mkdirSync(folder, { recursive: true });
    writeFileSync(path, text);
  }
  expect(text).toBe(readFileSync(path, 'utf8'));
  expect(text.endsWith('\n')).toBe(true);
});

it('has every format', () => {
  expect([...new Set(cases.map(([, format]) => format))].sort()).toEqual([...reportFormats].sort());
});

it('shows a report whose numbers follow from its verdicts', () => {
  const report = sampleReport();
  const { areas, ...card } = scoreVerdicts(report.verdicts, defaultScoring);
  expect(report).toMatchObject(card);
  expect(report.areas).toEqual(areas);
});
