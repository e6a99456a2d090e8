/** The report of a server with some twenty faults, from a live check: short in every format, on few pages of paper. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ofPart, runOf, type PartReport } from '../../src/core/model/reports/run-parts.ts';
import { renderReport, type ReportFormat } from '../../src/report/parts/render.ts';
import { joined } from '../../src/testkit/example-server/mutations/joined.ts';
import { mutations } from '../../src/testkit/example-server/mutations/catalogue.ts';
import { launchBrowser } from '../support/browser.ts';
import { openReferenceLab, type ReferenceLab } from '../support/reference-server.ts';

const faults = [
  'ping/answer-empty-result',
  'completion/result-schema',
  'icons/schema-members',
  'lifecycle/initialization-instructions-type',
  'logging/set-level-invalid-level',
  'prompts/list-name-uniqueness',
  'resources/uri-uniqueness',
  'tools/annotations-schema',
  'resources/annotations-last-modified',
  'tools/name-uniqueness',
  'meta/key-name-ends',
  'prompts/get-message-schema',
  'progress/notification-schema',
  'resources/read-missing-as-empty',
  'tools/input-schema-object-root',
  'tools/call-content-types',
  'logging/message-schema',
  'resources/security-binary-encoding',
  'tools/output-schema-object-root',
  'prompts/list-changed-capability',
  'resources/list-changed-capability',
  'jsonrpc/error-code-type',
  'resources/uri-custom-scheme-syntax',
];

let lab: ReferenceLab;
let browser: Browser;
let report: PartReport;
let dir = '';
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'mcpc-broken-'));
  lab = await openReferenceLab();
  const changes = faults.map((rule) => {
    const found = mutations.find((one) => one.id === rule) ?? mutations.find((one) => one.rule === rule);
    if (found === undefined) throw new Error(`there is no mutation ${rule}`);
    return found.change;
  });
  const outcome = await lab.check({
    transport: 'stdio',
    revision: '2025-11-25',
    inMemory: true,
    change: joined(changes),
  });
  report = ofPart(outcome.report);
  browser = await launchBrowser();
}, 120_000);
afterAll(async () => {
  await browser?.close();
  await lab?.close();
  rmSync(dir, { recursive: true, force: true });
});

/** The report with its first findings alone, the others passed. */
function withFindings(count: number): PartReport {
  const findings = report.verdicts
    .filter(({ status, cause }) => status === 'fail' && cause === undefined)
    .toSorted((a, b) => Number(b.severity === 'error') - Number(a.severity === 'error'));
  const kept = new Set(findings.slice(0, count).map(({ rule }) => rule));
  const verdicts = report.verdicts.map((one) =>
    one.status !== 'fail' || kept.has(one.cause ?? one.rule)
      ? one
      : { ...one, status: 'pass' as const, expected: null, actual: null, fix: null },
  );
  return { ...report, verdicts };
}

const render = (one: PartReport, format: ReportFormat): string =>
  renderReport(runOf(one), format, { color: false, width: 100 });

it('finds the faults, and folds what has one cause', () => {
  const failed = report.verdicts.filter(({ status }) => status === 'fail');
  expect(failed.filter(({ cause }) => cause === undefined).length).toBeGreaterThanOrEqual(20);
  for (const { rule, cause, also = [] } of failed) {
    // Whoever is folded stands in the list of the rule that it is folded under, which is no folded one itself.
    if (cause !== undefined)
      expect(failed.find((one) => one.rule === cause)).toMatchObject({
        also: expect.arrayContaining([rule]) as string[],
      });
    for (const other of also) expect(failed.find((one) => one.rule === other)?.cause).toBe(rule);
  }
});

it('each finding shows its own messages, request first, and the one to blame is the last of the server', () => {
  const wire = new Map(report.wire.map((entry) => [entry.seq, entry]));
  for (const { rule, evidence, failed, moreCases } of report.verdicts.filter(({ status }) => status === 'fail')) {
    expect(evidence.length + moreCases, rule).toBe(failed);
    expect(evidence.length, rule).toBeLessThanOrEqual(4);
    for (const { events, event } of evidence) {
      expect(events, rule).toEqual(events.toSorted((a, b) => a - b));
      expect(
        events.every((seq) => wire.has(seq)),
        rule,
      ).toBe(true);
      expect(events, rule).toContain(event);
      expect(wire.get(event!)!.from, rule).toBe('server');
    }
  }
});

describe('ten findings', () => {
  it('take a few lines each on a terminal, 130 in all', () => {
    const text = render(withFindings(10), 'terminal');
    const lines = text.split('\n');
    expect(lines.length).toBeLessThan(130);
    const starts = lines.flatMap((line, at) => (line.startsWith('✗ ') ? [at] : []));
    expect(starts).toHaveLength(10);
    const ends = [...starts.slice(1), lines.indexOf('', starts.at(-1))];
    for (const [at, start] of starts.entries()) {
      expect(ends[at]! - start, lines[start]).toBeGreaterThanOrEqual(2);
      expect(ends[at]! - start, lines[start]).toBeLessThanOrEqual(10);
    }
  });

  it('are under 20 KB of Markdown', () => {
    expect(render(withFindings(10), 'markdown').length).toBeLessThan(20_000);
  });
});

describe('twenty findings', () => {
  it('are one result each in SARIF, one failure each in JUnit, and one annotation each', () => {
    const findings = report.verdicts.filter(({ status, cause }) => status === 'fail' && cause === undefined);
    const sarif = JSON.parse(render(report, 'sarif')) as { runs: { results: { ruleId: string }[] }[] };
    expect(sarif.runs[0]!.results.map(({ ruleId }) => ruleId).sort()).toEqual(findings.map(({ rule }) => rule).sort());
    const violations = findings.filter(({ severity }) => severity === 'error');
    expect(render(report, 'junit').match(/<failure /g)).toHaveLength(violations.length);
    expect(render(report, 'github').match(/^::error /gm)).toHaveLength(violations.length);
  });

  it('are a page under 320 KB with the findings first, on at most six sheets of paper', async () => {
    const html = render(withFindings(20), 'html');
    expect(Buffer.byteLength(html)).toBeLessThan(320_000);
    expect(html.indexOf('id="group-violation"')).toBeLessThan(html.indexOf('id="areas-title"'));
    const file = join(dir, 'report.html');
    writeFileSync(file, html);
    const page: Page = await browser.newPage();
    try {
      await page.goto(pathToFileURL(file).href);
      expect(await page.locator('.log .entry').count()).toBe(0);
      const paper = (await page.pdf({ format: 'A4' })).toString('latin1');
      expect(paper.match(/\/Type\s*\/Page\b/g)!.length).toBeLessThanOrEqual(6);
    } finally {
      await page.close();
    }
  });
});
