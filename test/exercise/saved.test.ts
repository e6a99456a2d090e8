/** Reports of `mcpc audit` and `mcpc fuzz` of a server over HTTP: their schemas, their pages in a browser, and saved ones rendered again. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import axe from 'axe-core';
import type { AxeResults } from 'axe-core';
import { XMLParser } from 'fast-xml-parser';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AuditReport } from '../../src/core/model/reports/audit-report.ts';
import type { FuzzReport } from '../../src/core/model/reports/fuzz-report.ts';
import { errorOf, root, Workspace } from '../cli/harness.ts';
import { startReferenceServer } from '../../src/testkit/example-server/start.ts';
import { launchBrowser } from '../support/browser.ts';
import { someOf } from '../support/run/some-of.ts';
import { thorough } from '../support/run/options.ts';

const isDue = thorough;
const work = new Workspace();
let server: Awaited<ReturnType<typeof startReferenceServer>> | undefined;
beforeAll(async () => {
  if (!isDue) return;
  server = await startReferenceServer({ transport: 'http', mutation: 'tools/output-schema-conformance' });
  const audit = await work.call([
    'audit',
    '--url',
    server.url,
    '--transport',
    'http',
    '--spec',
    '2025-11-25',
    '--json',
  ]);
  work.write('audit.json', audit.stdout);
  const fuzz = await work.call([
    'fuzz',
    '--url',
    server.url,
    '--transport',
    'http',
    '--spec',
    '2025-11-25',
    '--seed',
    '7',
    '--runs',
    '12',
    '--json',
  ]);
  work.write('fuzz.json', fuzz.stdout);
}, 300_000);
afterAll(() => server?.close());

test.runIf(isDue)('over HTTP both reach the server, find its fault, and fit their schemas', () => {
  const audit = JSON.parse(work.read('audit.json')) as AuditReport;
  expect(audit).toMatchObject({ transport: 'http', revision: '2025-11-25', incomplete: null });
  expect(audit.results.map(({ status }) => status)).toContain('output-mismatch');
  const fuzz = JSON.parse(work.read('fuzz.json')) as FuzzReport;
  expect(fuzz).toMatchObject({ transport: 'http', seed: 7, runs_per_tool: 12, incomplete: null });
  expect(fuzz.summary.runs).toBeGreaterThan(12);
  for (const [name, report] of [
    ['audit', audit],
    ['fuzz', fuzz],
  ] as const) {
    const validate = new Ajv2020({ strict: false }).compile(
      JSON.parse(readFileSync(join(root, `rules/language/${name}-report.schema.json`), 'utf8')) as object,
    );
    expect(validate(report), JSON.stringify(validate.errors)).toBe(true);
    expect(validate({ ...report, revision: undefined, server: 5 })).toBe(false);
  }
});

const reports = ['audit', 'fuzz'] as const;
/** A browser looks at one of the pages in `npm test`. */
const pages = someOf(reports, 2, (name) => `page of ${name}`);

describe.runIf(isDue).each(reports)('mcpc report of a saved report of %s', (name) => {
  test('renders each of its formats, and refuses others and broken ones', async () => {
    const render = async (...args: string[]): Promise<string> =>
      (await work.call(['report', `${name}.json`, ...args])).stdout;
    expect(await render()).toContain(name === 'audit' ? 'Score ' : 'runs');
    expect(JSON.parse(await render('--json'))).toEqual(JSON.parse(work.read(`${name}.json`)));
    expect(await render('--format', 'markdown')).toContain(name === 'audit' ? 'output mismatch' : 'seed 7');
    expect(new XMLParser({ ignoreAttributes: false }).parse(await render('--format', 'junit'))).toHaveProperty(
      'testsuites',
    );
    for (const [args, told] of [
      [[`${name}.json`, '--format', 'sarif'], /"sarif" is no format of such a report/],
      [['broken.json'], /broken\.json is no report of mcpc (?:audit|fuzz)/],
    ] as const) {
      work.write('broken.json', work.read(`${name}.json`).replace(/"revision":\s*"[^"]*"/, '"revision": 5'));
      const outcome = await work.call(['report', ...args]);
      expect([outcome.code, errorOf(outcome).why]).toEqual([2, expect.stringMatching(told)]);
    }
  });

  test.runIf(pages.includes(name))(
    'as a page has one heading, and axe finds nothing',
    async () => {
      expect((await work.call(['report', `${name}.json`, '--output', `${name}.html`])).code).toBe(0);
      const browser = await launchBrowser();
      try {
        const page = await browser.newPage({ bypassCSP: true });
        await page.goto(pathToFileURL(work.path(`${name}.html`)).href);
        expect(await page.locator('h1').count()).toBe(1);
        expect(await page.locator('details').count()).toBeGreaterThan(0);
        await page.addScriptTag({ content: axe.source });
        const found = (await page.evaluate(
          'axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21aa"] })',
        )) as AxeResults;
        expect(found.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
      } finally {
        await browser.close();
      }
    },
    120_000,
  );
});
