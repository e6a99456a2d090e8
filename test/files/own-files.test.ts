/** Every format that mcpc writes to a file is known again by what stands in it; what others write is not. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { isReplaceable, type OwnFile } from '../../src/files/output/own-files.ts';
import { fleetFormats, renderFleet } from '../../src/report/fleet/render.ts';
import { renderReport } from '../support/render-part.ts';
import { reportFormats } from '../../src/report/parts/render.ts';
import { sampleMaterial } from '../support/sample-fleet.ts';
import { sampleReport } from '../support/sample-report.ts';

const folder = mkdtempSync(join(tmpdir(), 'mcpc-own-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let count = 0;
function known(text: string, kind: OwnFile): boolean {
  const path = join(folder, `file-${(count += 1)}`);
  writeFileSync(path, text);
  return isReplaceable(path, kind);
}

test.each(reportFormats)('a report as %s', (format) => {
  const text = renderReport(sampleReport(), format, { color: false, verbose: true, width: 100 });
  expect(known(text, 'report')).toBe(true);
  for (const other of ['trace', 'baseline', 'episode'] as const) expect(known(text, other)).toBe(false);
});

test.each(fleetFormats)('a report of a fleet as %s', (format) => {
  expect(
    known([...renderFleet(sampleMaterial(), format, { color: false, verbose: true, width: 120 })].join(''), 'report'),
  ).toBe(true);
});

test('a server that fails at nothing has a report that is known, too', () => {
  const { verdicts, ...report } = sampleReport();
  const sound = { ...report, verdicts: verdicts.filter(({ status }) => status === 'pass') };
  for (const format of reportFormats)
    expect(known(renderReport(sound, format, { color: false, verbose: true, width: 100 }), 'report'), format).toBe(
      true,
    );
});

describe('files of others', () => {
  test.each([
    ['a page', '<!doctype html>\n<html><head><meta name="generator" content="Hugo 0.1"></head>mcpc 0.1.0</html>'],
    ['notes about mcpc', '# mcpc\n\nwritten by mcpc and others\n'],
    ['package.json', '{"name":"mcpc","version":"0.1.0"}'],
    [
      'SARIF of another tool',
      '{"$schema":"https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json","runs":[{"tool":{"driver":{"name":"eslint"}}}]}',
    ],
    ['JUnit of another tool', '<?xml version="1.0"?>\n<testsuites name="mcpc"/>'],
    ['a badge of another tool', '{"schemaVersion":1,"label":"coverage","message":"9 %"}'],
    ['annotations of another tool', '::error title=lint::no\n'],
    ['bytes', '\u0000\u0001\u0002'],
  ])('%s', (_title, text) => {
    for (const kind of ['report', 'trace', 'baseline', 'episode'] as const) expect(known(text, kind)).toBe(false);
  });

  test('a capture is no episode, and a source file nothing of ours', () => {
    expect(known('{"jsonrpc":"2.0","id":1,"method":"ping"}\n', 'episode')).toBe(false);
    expect(isReplaceable(fileURLToPath(import.meta.url), 'report')).toBe(false);
  });
});
