/**
 * The fleet of examples/ is checked, and its page shows in a real browser which server uses which optional features:
 * those that its code has (test/e2e/expected, test/rules/unused-on-reference.ts). In one run of four, and in the full run.
 */
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { FleetReport } from '../../src/core/model/reports/fleet.ts';
import { statelessRevision } from '../../src/server/protocol/revisions.ts';
import { concerns } from '../rules/undecided-on-reference.ts';
import { unusedHere, usedAtTimes } from '../rules/unused-on-reference.ts';
import { Workspace } from '../cli/harness.ts';
import { launchBrowser } from '../support/browser.ts';
import { watchPages } from '../support/watched-pages.ts';
import { fleetReportOf } from './run-folder.ts';
import { thorough } from '../support/run/options.ts';

/** The machine may be busy; nothing here is about time. */
const patience = { timeout: 60_000 };
const isDue = thorough;

const space = new Workspace();
let browser: Browser;
let report: FleetReport;
const watched = watchPages(() => browser, { width: 1400, height: 900 }, patience.timeout);

beforeAll(async () => {
  if (!isDue) return;
  const { code, stderr } = await space.run([
    'fleet',
    'check',
    new URL('../../examples/fleet.yaml', import.meta.url).pathname,
    '--out',
    'run',
  ]);
  expect(code, stderr).toBe(0);
  report = fleetReportOf(space.path('run'));
  browser = await launchBrowser();
}, 180_000);
afterEach(() => watched.closeAll());
afterAll(() => browser?.close());

async function open(width = 1400): Promise<Page> {
  const page = await watched.open(pathToFileURL(space.path('run/index.html')).href, {
    viewport: { width, height: 900 },
  });
  await page.locator('#rule-which').selectOption('features');
  return page;
}

const rowsOf = (page: Page): Promise<string[]> => page.locator('#grid [role=rowheader]').allTextContents();
const columnsOf = (page: Page): Promise<string[]> => page.locator('#grid .col').allTextContents();

/** What each server uses, by the signs of the table. */
async function shown(page: Page): Promise<Record<string, string[]>> {
  const columns = await columnsOf(page);
  const used: Record<string, string[]> = Object.fromEntries(columns.map((name) => [name, []]));
  // What is out of view has no cells.
  for (const rule of new Set(report.servers.flatMap(({ features }) => features ?? []))) {
    await page.locator('#rule-q').fill(rule);
    const row = page
      .locator('#grid .heat-row')
      .filter({ has: page.getByRole('rowheader', { name: rule, exact: true }) });
    await row.waitFor();
    const signs = await row
      .locator('.cell')
      .evaluateAll((cells) =>
        cells.map((cell) => (cell as unknown as { getAttribute(name: string): string }).getAttribute('aria-label')),
      );
    for (const [at, sign] of signs.entries()) if (sign === 'Used') used[columns[at]!]!.push(rule);
  }
  return used;
}

/** By reading the code of the server. */
function expected(name: string): string[] | undefined {
  const file = new URL(`../e2e/expected/${name}-stdio.json`, import.meta.url);
  if (!name.startsWith('example'))
    return Object.keys((JSON.parse(readFileSync(file, 'utf8')) as { uses: object }).uses).sort();
  const here = {
    transport: name === 'example' ? 'stdio' : 'http',
    revision: statelessRevision,
    speaks: 'all revisions',
  } as const;
  const lacking = unusedHere.filter((entry) => concerns(entry, here)).flatMap(({ rules }) => rules);
  const { features = [], unseen = [] } = report.servers.find((one) => one.name === name)!;
  return [...features, ...unseen].filter((rule) => !lacking.includes(rule)).sort();
}

describe.runIf(isDue)('the optional features of the example fleet', patience, () => {
  it('are those that the code of each server has, in the report and in the table', async () => {
    const table = await shown(await open());
    const byChance = usedAtTimes.flatMap(({ rules }) => rules);
    const sure = (rules: readonly string[] | undefined): string[] =>
      (rules ?? []).filter((rule) => !byChance.includes(rule)).sort();
    expect(report.servers.map(({ name }) => name).sort()).toEqual([
      'example',
      'example-http',
      'memory',
      'sequential-thinking',
    ]);
    for (const { name, features } of report.servers) {
      expect(sure(features), name).toEqual(sure(expected(name)));
      expect(table[name]!.sort(), name).toEqual([...features!].sort());
    }
  });

  it('are told apart from what is none of a server’s revision or transport', async () => {
    const page = await open();
    await page.locator('#rule-q').fill('http/post-rejection-body');
    const cells = page.locator('#grid .cell');
    await expect.poll(() => cells.count(), patience).toBe(4);
    const columns = await columnsOf(page);
    const words = await cells.evaluateAll((all) =>
      all.map((cell) => (cell as unknown as { getAttribute(name: string): string }).getAttribute('aria-label')),
    );
    expect(Object.fromEntries(columns.map((name, at) => [name, words[at]]))).toEqual({
      'example-http': 'Used',
      example: 'Not of its revision or transport',
      memory: 'Not of its revision or transport',
      'sequential-thinking': 'Not of its revision or transport',
    });
  });

  it('are filtered by servers and by words, and sorted', async () => {
    const page = await open();
    const most = await rowsOf(page);
    const count = (rule: string): number => report.servers.filter(({ features }) => features?.includes(rule)).length;
    expect(most.map(count)).toEqual(most.map(count).toSorted((a, b) => b - a));
    await page.locator('#rule-sort').selectOption('name');
    const named = await rowsOf(page);
    expect(named).toEqual(named.toSorted());
    await page.locator('#tag').selectOption('own');
    expect((await columnsOf(page)).sort()).toEqual(['example', 'example-http']);
    await page.locator('#rule-q').fill('mrtr');
    await expect
      .poll(() => rowsOf(page), patience)
      .toEqual(['mrtr/result-member-choice', 'mrtr/server-answerable-methods', 'mrtr/server-repetition']);
  });

  it.each([1400, 400])('are read in a window %d wide', async (width) => {
    const page = await open(width);
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    const rows = page.locator('#grid [role=rowheader]');
    const cut = await rows.evaluateAll((all) =>
      (all as unknown as { scrollWidth: number; clientWidth: number; textContent: string }[])
        .filter((row) => row.scrollWidth > row.clientWidth)
        .map(({ textContent }) => textContent),
    );
    // On a narrow window only the longest names are cut, and none so far that it could be another's.
    if (width === 1400) expect(cut).toEqual([]);
    else expect(cut.filter((name) => name.length < 32)).toEqual([]);
    expect(
      await page.evaluate<number>(
        'parseFloat(getComputedStyle(document.querySelector("#grid [role=rowheader]")).fontSize)',
      ),
    ).toBeGreaterThan(11);
    const name = (await rows.first().boundingBox())!;
    const cells = page.locator('#grid .heat-row').first().locator('.cell');
    const boxes = await Promise.all((await cells.all()).map((cell) => cell.boundingBox()));
    expect(boxes).toHaveLength(4);
    for (const box of boxes) {
      expect(box!.x).toBeGreaterThanOrEqual(name.x + name.width);
      expect(box!.x + box!.width).toBeLessThanOrEqual(width);
      expect(Math.min(box!.width, box!.height)).toBeGreaterThanOrEqual(24);
    }
  });
});
