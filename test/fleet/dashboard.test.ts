/** The dashboard of a fleet in a real browser: what a reader does with it, also with a thousand servers, and that it talks to nobody. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { accessibilityOf } from '../support/accessibility.ts';
import { writeDashboard } from '../../src/fleet/commands/support/dashboard.ts';
import { writeWhole } from '../../src/files/output/draft.ts';
import { diffFleet } from '../../src/fleet/compare/diff.ts';
import { renderFleet } from '../../src/report/fleet/render.ts';
import { launchBrowser } from '../support/browser.ts';
import { someOf } from '../support/run/some-of.ts';
import { thorough } from '../support/run/options.ts';
import { watchPages } from '../support/watched-pages.ts';
import { largeFleet, sampleMaterial } from '../support/sample-fleet.ts';

/** The machine may be busy; nothing here is about time. */
const patience = { timeout: 60_000 };
const manyServers = 1000;
const manyRules = 400;

let browser: Browser;
let dir = '';
const watched = watchPages(() => browser, { width: 1400, height: 900 }, patience.timeout);
const address = (file: string): string => pathToFileURL(join(dir, file)).href;

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'mcpc-dashboard-'));
  writeDashboard(dir, sampleMaterial(), {});
  const large = largeFleet(manyServers, manyRules);
  const before = largeFleet(manyServers - 5, manyRules - 5, '2026-11-21T05:15:00.000Z');
  writeWhole(
    join(dir, 'large.html'),
    renderFleet(
      { report: large, diff: diffFleet(before, large), history: [], policies: null, reportOf: () => null },
      'html',
    ),
  );
  browser = await launchBrowser();
});
afterEach(() => watched.closeAll());
afterAll(async () => {
  await browser?.close();
  rmSync(dir, { recursive: true, force: true });
});

const open = (options: BrowserContextOptions = {}, file = 'index.html'): Promise<Page> =>
  watched.open(address(file), options);

const names = (page: Page): Promise<string[]> => page.locator('#rows .server').allTextContents();
const rulesShown = (page: Page): Promise<string[]> => page.locator('#grid [role=rowheader]').allTextContents();
const text = (page: Page, selector: string): Promise<string | null> => page.locator(selector).textContent();
const sorted = (page: Page, column: string): Promise<void> =>
  page.getByRole('button', { name: column, exact: true }).click();
const nodes = (page: Page): Promise<number> => page.evaluate<number>('document.querySelectorAll("*").length');

/** What axe looks at in `npm test`; all of it with --mode all. */
const looked = someOf(['light', 'dark', 'large'], 3, (what) => `dashboard, ${what}`);

it('asks for nothing but itself, and runs nothing of a server', async () => {
  const page = await open();
  expect(watched.heard()).toEqual([`request ${address('index.html')}`]);
  expect(await page.locator('a[href^="javascript:"]').count()).toBe(0);
  expect((await names(page)).filter((name) => name.startsWith('<script>alert(1)</script>'))).toHaveLength(1);
});

it('is kept from the network even if a script got in', async () => {
  const page = await open();
  const blocked = await page.evaluate(`(async () => {
    const script = document.createElement('script');
    script.textContent = 'window.intruder = true';
    document.body.append(script);
    const fetched = await fetch('http://127.0.0.1:9/').then(() => 'loaded', () => 'refused');
    return { fetched, ran: 'intruder' in window };
  })()`);
  expect(blocked).toEqual({ fetched: 'refused', ran: false });
});

it('says what got worse before anything else, and leads to the proof', async () => {
  const page = await open();
  const headings = await page.locator('main h2').allTextContents();
  expect(headings).toEqual([
    'Since 2026-11-21 05:15:00 UTC',
    'Broken policies',
    'Leaderboard',
    'Without a whole verdict',
    'Disabled in the project file',
    'Rules',
    'Optional features',
    'Runs',
  ]);
  const first = page.locator('.change').first();
  expect(await first.locator('.rule').textContent()).toBe('lifecycle/protocol-version-echoed');
  await first.getByRole('link', { name: 'search' }).click();
  await page.locator('#v-lifecycle-protocol-version-echoed[open]').waitFor();
  expect(await text(page, 'h1')).toBe('search');
  await page.getByRole('link', { name: 'All servers' }).click();
  await page.locator('#fleet-title').waitFor();
});

describe.runIf(thorough)('leaderboard', () => {
  it('sorts both ways, with what is unknown at the end', async () => {
    const page = await open();
    expect((await names(page)).slice(0, 3)).toEqual(['billing', 'mail', 'legacy']);
    await sorted(page, 'Score');
    expect(await page.locator('th[data-sort=score]').getAttribute('aria-sort')).toBe('descending');
    await sorted(page, 'Score');
    const rising = await names(page);
    expect(rising[0]).toContain('<script>');
    expect(rising.slice(-3)).toEqual(['gone', 'slow', 'uninstalled']);
    await sorted(page, 'Owner');
    expect((await names(page)).slice(0, 2)).toEqual([expect.stringContaining('<script>'), 'mail']);
    expect(await page.locator('[aria-sort]').count()).toBe(1);
  });

  it('filters by words, tag and status, and the heat map with it', async () => {
    const page = await open();
    await page.locator('#tag').selectOption('prod');
    expect(await names(page)).toEqual(['billing', 'mail', 'search', 'gone']);
    await page.locator('#status').selectOption('bad');
    expect(await names(page)).toEqual(['search']);
    expect(await text(page, '#shown')).toBe('1 of 9 servers shown');
    expect(await page.locator('#grid .col').allTextContents()).toEqual(['search']);
    expect(await rulesShown(page)).toHaveLength(5);
    await page.locator('#filter button[type=reset]').click();
    await expect.poll(() => text(page, '#shown'), patience).toBe('9 servers');
    await page.locator('#q').fill('payments unreachable');
    await expect.poll(() => names(page), patience).toEqual(['gone']);
    await page.locator('#q').fill('no such words');
    await page.locator('#none').waitFor();
    expect(await text(page, '#where')).toBe('No rule to show for these servers.');
  });

  it('shows trends and grades over the runs', async () => {
    const page = await open();
    const row = page.locator('#rows tr', { hasText: 'discovery' });
    expect(await row.getByRole('img').getAttribute('aria-label')).toBe('From 87.5 to 58.2 in 3 runs');
    expect(await row.locator('.grades').textContent()).toBe('A → D');
    expect(await page.locator('#trends tbody tr').count()).toBe(3);
  });
});

describe.runIf(thorough)('heat map', () => {
  it('has the rules that fail most first, and the rest when asked', async () => {
    const page = await open();
    expect((await rulesShown(page)).slice(0, 2)).toEqual([
      'stdio/stdout-messages-only',
      'lifecycle/protocol-version-echoed',
    ]);
    await page.locator('#rule-which').selectOption('');
    expect(await rulesShown(page)).toHaveLength(14);
    await page.locator('#rule-sort').selectOption('name');
    expect((await rulesShown(page))[0]).toBe('cancellation/cancelled-request-unanswered');
    await page.locator('#rule-q').fill('cursor');
    await expect.poll(() => rulesShown(page), patience).toEqual(['pagination/cursor-opaque']);
  });

  it('shows which servers use which optional features, filtered and sorted with the others', async () => {
    const page = await open();
    await page.locator('#rule-which').selectOption('features');
    expect(await rulesShown(page)).toEqual([
      'tools/result-resource-link',
      'progress/receiver-permission',
      'tools/result-embedded-resource',
    ]);
    expect(await text(page, '#where')).toBe('3 optional features by 9 servers');
    expect(await page.locator('#grid .c-u').count()).toBe(12);
    expect(await page.locator('#grid .c-s').count()).toBe(6);
    await page.locator('#rule-sort').selectOption('name');
    expect((await rulesShown(page))[0]).toBe('progress/receiver-permission');
    await page.locator('#q').fill('search discovery');
    await expect.poll(() => page.locator('#grid .c-u').count(), patience).toBe(2);
    await page.locator('#rule-q').fill('embedded');
    await expect.poll(() => rulesShown(page), patience).toEqual(['tools/result-embedded-resource']);
    // Leaving the field chooses the rules once more.
    await page.locator('#rule-q').blur();
    await page.locator('#grid .cell[tabindex="0"]').focus();
    await page.keyboard.press('Home');
    expect(await text(page, '#where')).toContain('search, tools/result-embedded-resource: Used.');
    await page.keyboard.press('Enter');
    await page.locator('#features-title').waitFor();
    expect(await page.locator('.features').textContent()).toContain('tools/result-embedded-resource');
  });

  it('is gone through by keyboard, and opens a verdict', async () => {
    const page = await open();
    await page.locator('#grid .cell[tabindex="0"]').focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('End');
    await page.keyboard.press('Home');
    for (let n = 0; n < 4; n++) await page.keyboard.press('ArrowRight');
    expect(await text(page, '#where')).toBe(
      'search, lifecycle/protocol-version-echoed: Violated. A supported protocol version is echoed',
    );
    expect(await page.locator('#grid .cell[tabindex="0"]').count()).toBe(1);
    await page.keyboard.press('Enter');
    await page.locator('#v-lifecycle-protocol-version-echoed[open]').waitFor();
  });
});

describe.runIf(thorough)(`${manyServers} servers by ${manyRules} rules`, () => {
  const most = 9000;

  it('keep the document small, whatever is sorted, filtered and scrolled', async () => {
    const page = await open({}, 'large.html');
    expect(await text(page, '#shown')).toBe('1000 servers');
    expect(await page.locator('#rows tr[data-i]').count()).toBe(50);
    expect(await nodes(page)).toBeLessThan(most);
    const cells = await page.locator('#grid .cell').count();
    expect(cells).toBeGreaterThan(200);
    expect(cells).toBeLessThan(2500);
    await sorted(page, 'Start-up');
    expect(await page.locator('#rows tr[data-i]').count()).toBe(50);
    await page.locator('#tag').selectOption('prod');
    expect(await text(page, '#shown')).toBe('100 of 1000 servers shown');
    await page.locator('#filter button[type=reset]').click();
    await expect.poll(() => text(page, '#shown'), patience).toBe('1000 servers');
    await page.evaluate(
      `(() => { const heat = document.getElementById('heat'); heat.scrollTop = heat.scrollHeight; heat.scrollLeft = heat.scrollWidth; })()`,
    );
    await expect
      .poll(
        () =>
          page
            .locator('#grid .cell')
            .last()
            .evaluate((cell) => (cell as unknown as { dataset: { r: string; c: string } }).dataset),
        patience,
      )
      .toMatchObject({ r: '399', c: '999' });
    expect(await nodes(page)).toBeLessThan(most);
    expect(watched.heard().filter((line) => !line.startsWith('request'))).toEqual([]);
  });

  it('are gone through page by page, and the heat map to its ends', async () => {
    const page = await open({}, 'large.html');
    await page.locator('#next').click();
    expect(await text(page, '#place')).toBe('51–100 of 1000');
    await page.locator('#back').click();
    expect(await page.locator('#back').isDisabled()).toBe(true);
    await page.locator('#rule-which').selectOption('');
    await page.locator('#rule-sort').selectOption('name');
    await page.locator('#grid .cell[tabindex="0"]').focus();
    await page.keyboard.press('Control+End');
    expect(
      await page
        .locator('#grid .cell:focus')
        .evaluate((cell) => ({ ...(cell as unknown as { dataset: object }).dataset })),
    ).toEqual({ r: '399', c: '999' });
    await page.keyboard.press('Control+Home');
    expect(
      await page
        .locator('#grid .cell:focus')
        .evaluate((cell) => ({ ...(cell as unknown as { dataset: object }).dataset })),
    ).toEqual({ r: '0', c: '0' });
    expect(await nodes(page)).toBeLessThan(most);
  });

  it('jump to a place of the picture at a glance', async () => {
    const page = await open({}, 'large.html');
    const picture = page.locator('#overview');
    const box = (await picture.boundingBox())!;
    await picture.click({ position: { x: box.width / 2, y: box.height / 2 } });
    const middle = async (): Promise<boolean> => {
      const columns = await page
        .locator('#grid .heat-row')
        .first()
        .locator('.cell')
        .evaluateAll((cells) => cells.map((cell) => Number((cell as unknown as { dataset: { c: string } }).dataset.c)));
      return columns.includes(500);
    };
    await expect.poll(middle, patience).toBe(true);
  });

  it.runIf(looked.includes('large'))('are no accessibility violation', async () => {
    const page = await open({}, 'large.html');
    await noViolation(page, '#heat-part');
  });
});

it('reads without scripts: changes, first servers, rules that fail most', async () => {
  const page = await open({ javaScriptEnabled: false });
  expect(await page.locator('#rows tr[data-i]:visible').count()).toBe(9);
  expect(await page.locator('.change:visible').count()).toBe(8);
  expect(await page.locator('#rules tbody tr:visible').count()).toBe(8);
  expect(await page.locator('#features tbody tr:visible').count()).toBe(3);
  expect(await page.locator('#filter').isVisible()).toBe(false);
  expect(await page.locator('#heat-part').isVisible()).toBe(false);
});

it.each(someOf([320, 390, 768, 1400], 2, (width) => `dashboard of ${width}`))(
  'fits a window %d wide',
  async (width) => {
    const page = await open({ viewport: { width, height: 800 } });
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
  },
);

it.each(someOf(['light', 'dark'] as const, 1, (scheme) => `phone, ${scheme}`))(
  'shows on a phone which server is compliant, without scrolling aside (%s)',
  async (colorScheme) => {
    const page = await open({ viewport: { width: 390, height: 844 }, colorScheme });
    const shown = await page.locator('#rows td[class^=compliance], #rows td[class^=grade]').evaluateAll((cells) =>
      cells.map((cell) => {
        const { left, right } = (
          cell as unknown as { getBoundingClientRect(): Record<'left' | 'right', number> }
        ).getBoundingClientRect();
        return { text: cell.textContent, inView: left >= 0 && right <= 390 };
      }),
    );
    expect(shown.map(({ text }) => text)).toEqual(expect.arrayContaining(['Not compliant', 'Known failures', 'A']));
    expect(shown.filter(({ inView }) => !inView)).toEqual([]);
    await noViolation(page, '#leaderboard');
  },
);

it('has a key for each kind of cell, with the word that the cell says', async () => {
  const page = await open();
  await page.locator('#rule-which').selectOption('');
  const cells = await page
    .locator('#grid .cell')
    .evaluateAll((all) => all.map((cell) => `${/c-./.exec(cell.className)![0]} ${cell.getAttribute('aria-label')}`));
  const keys = await page
    .locator('.heat-legend li')
    .evaluateAll((all) =>
      all.map((item) => `${/c-./.exec(item.firstElementChild!.className)![0]} ${item.lastChild!.textContent}`),
    );
  expect(new Set(cells).size).toBeGreaterThan(4);
  expect([...new Set(cells)].filter((cell) => !keys.includes(cell))).toEqual([]);
});

it('has one ranking for each revision, and shows no ranks in an order that mixes them', async () => {
  const page = await open();
  const headings = (): Promise<string[]> => page.locator('#rows .section').allTextContents();
  const rank = page.locator('#rows tr[data-i] td:first-child').first();
  expect(await headings()).toEqual(['MCP 2025-11-25', 'Without a score']);
  await sorted(page, 'Score');
  expect(await headings()).toEqual(['MCP 2025-11-25', 'Without a score']);
  expect(await rank.isVisible()).toBe(true);
  await sorted(page, 'Owner');
  expect(await headings()).toEqual([]);
  expect(await rank.isVisible()).toBe(false);
});

it('prints all servers, and no controls', async () => {
  const page = await open({}, 'large.html');
  await page.emulateMedia({ media: 'print' });
  await page.evaluate(`window.dispatchEvent(new Event('beforeprint'))`);
  expect(await page.locator('#rows tr[data-i]').count()).toBe(300);
  for (const part of ['#filter', '#heat-part', '#pager', '#theme'])
    expect(await page.locator(part).isVisible(), part).toBe(false);
  expect(await page.locator('#rules tbody tr:visible').count()).toBeGreaterThan(0);
});

it.runIf(thorough)('keeps the theme that was chosen', async () => {
  const page = await open({ colorScheme: 'light' });
  await page.getByRole('button', { name: 'Dark theme' }).click();
  await page.reload();
  expect(await text(page, '#theme')).toBe('Light theme');
});

async function noViolation(page: Page, part = 'html'): Promise<void> {
  const { violations, passes } = await accessibilityOf(page, part);
  expect(violations).toEqual([]);
  expect(passes).toContain('color-contrast');
}

it.each((['light', 'dark'] as const).filter((scheme) => looked.includes(scheme)))(
  'has no accessibility violation (%s)',
  async (colorScheme) => {
    const page = await open({ colorScheme });
    await page.locator('#rule-which').selectOption('');
    await page
      .locator('details')
      .evaluateAll((all) => all.forEach((one) => ((one as unknown as { open: boolean }).open = true)));
    await noViolation(page);
  },
);
