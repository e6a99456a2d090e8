/** One run over a fleet in every format, compared with test/golden. UPDATE_GOLDEN=1 writes the files anew. */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { fleetFormats, renderFleet, renderFleetDiff } from '../../src/report/fleet/render.ts';
import type { FleetFormat, FleetRenderOptions } from '../../src/report/fleet/render.ts';
import { sampleMaterial } from '../support/sample-fleet.ts';

const folder = new URL('../golden/', import.meta.url);
const plain: FleetRenderOptions = { color: false, width: 120 };

const cases: [file: string, format: FleetFormat, options: FleetRenderOptions][] = [
  ['fleet.txt', 'terminal', plain],
  ['fleet-all.txt', 'terminal', { ...plain, width: 80, verbose: true }],
  ['fleet.json', 'json', {}],
  ['fleet.html', 'html', { pages: true }],
  ['fleet.md', 'markdown', {}],
  ['fleet-issue.md', 'issue', {}],
  ['fleet-chat.txt', 'chat', {}],
  ['fleet.csv', 'csv', {}],
  ['fleet.junit.xml', 'junit', {}],
  ['fleet.sarif', 'sarif', {}],
  ['fleet-badge.json', 'badge-json', {}],
  ['fleet-badge.svg', 'badge-svg', {}],
];

function compare(file: string, text: string): void {
  const path = fileURLToPath(new URL(file, folder));
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(path, text);
  expect(text).toBe(readFileSync(path, 'utf8'));
  expect(text.endsWith('\n')).toBe(true);
}

it.each(cases)('%s', (file, format, options) => {
  compare(file, [...renderFleet(sampleMaterial(), format, options)].join(''));
});

it.each([
  ['fleet-diff.txt', 'terminal'],
  ['fleet-diff.md', 'markdown'],
] as const)('%s', (file, format) => {
  compare(file, renderFleetDiff(sampleMaterial().diff!, format, plain));
});

it('has every format', () => {
  expect([...new Set(cases.map(([, format]) => format))].sort()).toEqual([...fleetFormats].sort());
});
