/** The HTML report in a real browser: what a reader does with it, and that it talks to nobody. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { joinRuns, runOf } from '../../src/core/model/reports/run-parts.ts';
import { renderReport as renderRun } from '../../src/report/parts/render.ts';
import { accessibilityOf } from '../support/accessibility.ts';
import { renderReport } from '../support/render-part.ts';
import { launchBrowser } from '../support/browser.ts';
import { someOf } from '../support/run/some-of.ts';
import { thorough } from '../support/run/options.ts';
import { watchPages } from '../support/watched-pages.ts';
import { sampleReport } from '../support/sample-report.ts';

/** The machine may be busy; nothing here is about time. */
const patience = { timeout: 20_000 };

let browser: Browser;
let dir = '';
let url = '';
const watched = watchPages(() => browser, { width: 1240, height: 900 }, patience.timeout);

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'mcpc-html-'));
  const file = join(dir, 'report.html');
  writeFileSync(file, renderReport(sampleReport(), 'html'));
  url = pathToFileURL(file).href;
  browser = await launchBrowser();
});
afterEach(() => watched.closeAll());
afterAll(async () => {
  await browser?.close();
  rmSync(dir, { recursive: true, force: true });
});

const open = (options: BrowserContextOptions = {}, hash = ''): Promise<Page> => watched.open(url + hash, options);

const rulesShown = (page: Page): Promise<string[]> => page.locator('.verdict:visible .rule').allTextContents();
const status = (page: Page): Promise<string | null> => page.locator('#shown').textContent();

it('asks for nothing but itself, and runs nothing of the server', async () => {
  const page = await open();
  await page.locator('#expand').click();
  expect(watched.heard()).toEqual([`request ${url}`]);
  // The script, and the wire log as data.
  expect(
    await page
      .locator('script')
      .evaluateAll((nodes) => nodes.map((node) => (node as unknown as { type: string }).type)),
  ).toEqual(['application/json', '']);
  expect(await page.locator('a[href^="javascript:"]').count()).toBe(0);
  expect(await page.locator('.verdict .title', { hasText: 'A ping is answered' }).count()).toBe(1);
  expect(await page.locator('#v-ping-answer-empty-result .actual').textContent()).toContain(
    '<script>alert(1)</script>',
  );
});

it('is kept from the network even if a script got in', async () => {
  const page = await open();
  // As text: the types of this project know no DOM, and should not.
  const blocked = await page.evaluate(`(async () => {
    const script = document.createElement('script');
    script.textContent = 'window.intruder = true';
    document.body.append(script);
    const image = await new Promise((resolve) => {
      const img = new Image();
      img.onload = () => resolve('loaded');
      img.onerror = () => resolve('refused');
      img.src = 'http://127.0.0.1:9/x.png';
    });
    const fetched = await fetch('http://127.0.0.1:9/').then(() => 'loaded', () => 'refused');
    return { image, fetched, ran: 'intruder' in window };
  })()`);
  expect(blocked).toEqual({ image: 'refused', fetched: 'refused', ran: false });
  expect(watched.heard().filter((line) => /Content Security Policy/.test(line)).length).toBeGreaterThanOrEqual(3);
});

describe.runIf(thorough)('filter', () => {
  it('shows all at first and says so', async () => {
    const page = await open();
    expect(await rulesShown(page)).toHaveLength(14);
    expect(await status(page)).toBe('14 verdicts');
  });

  it('goes by status, level and area together', async () => {
    const page = await open();
    for (const label of ['Passed', 'Not applicable', 'Not reached', 'Conditional'])
      await page.locator('.chip', { hasText: label }).click();
    expect(await rulesShown(page)).toHaveLength(6);
    await page.locator('#level').selectOption('MUST');
    expect(await rulesShown(page)).toEqual([
      'lifecycle/protocol-version-echoed',
      'ping/answer-empty-result',
      'errors/code-is-integer',
    ]);
    await page.locator('#area').selectOption('ping');
    expect(await rulesShown(page)).toEqual(['ping/answer-empty-result']);
    expect(await status(page)).toBe('1 of 14 verdicts shown');
    expect(await page.locator('.group:visible').count()).toBe(1);
    await page.locator('button[type=reset]').click();
    await expect.poll(() => status(page), patience).toBe('14 verdicts');
    expect(await page.locator('input[name=tone]:not(:checked)').count()).toBe(0);
  });

  it('searches titles, ids, texts and the wire log', async () => {
    const page = await open();
    for (const [words, rules] of [
      ['banner stderr', ['stdio/stdout-messages-only']],
      ['1999-01-01 PROTOCOLVERSION', ['lifecycle/protocol-version-echoed', 'lifecycle/initialize-first']],
      ['unknown-name', ['tools/unknown-name-refused']],
      ['no such words', []],
    ] as const) {
      await page.locator('#q').fill(words);
      await expect.poll(() => rulesShown(page), patience).toEqual(rules);
    }
    expect(await page.locator('#nothing').isVisible()).toBe(true);
  });

  it('is set by the name of an area', async () => {
    const page = await open();
    await page.locator('a[data-filter-area=lifecycle]').click();
    expect(await rulesShown(page)).toEqual(['lifecycle/protocol-version-echoed', 'lifecycle/initialize-first']);
    expect(await page.locator('#area').inputValue()).toBe('lifecycle');
  });
});

describe('keyboard', () => {
  it('reaches the verdicts by the skip link, first in the order', async () => {
    const page = await open();
    await page.keyboard.press('Tab');
    expect(await page.locator(':focus').textContent()).toBe('Skip to the verdicts');
    expect((await page.locator('.skip').boundingBox())!.y).toBeGreaterThanOrEqual(0);
    await page.keyboard.press('Enter');
    expect(await page.locator(':focus').getAttribute('id')).toBe('verdicts');
    await page.keyboard.press('Tab');
    expect(await page.locator(':focus').getAttribute('id')).toBe('q');
  });

  it('searches with slash, clears with Escape', async () => {
    const page = await open();
    await page.keyboard.press('/');
    await page.keyboard.type('cursor/');
    expect(await page.locator('#q').inputValue()).toBe('cursor/');
    await page.keyboard.press('Escape');
    expect(await page.locator('#q').inputValue()).toBe('');
    expect(await status(page)).toBe('14 verdicts');
  });

  it('opens a verdict and toggles a status', async () => {
    const page = await open();
    const verdict = page.locator('#v-tools-list-answered');
    await page.locator('.fold:has(#v-tools-list-answered) > summary').click();
    await verdict.locator('> summary').focus();
    await page.keyboard.press('Enter');
    expect(await verdict.getAttribute('open')).not.toBeNull();
    await page.locator('input[value=pass]').focus();
    expect(
      await page.evaluate(`getComputedStyle(document.querySelector('input[value=pass] + span')).outlineStyle`),
    ).toBe('solid');
    await page.keyboard.press('Space');
    expect(await verdict.isVisible()).toBe(false);
  });
});

it('begins with the worst findings', async () => {
  const page = await open();
  const [first] = await page.locator('.worst a').all();
  expect(await page.locator('.worst li').count()).toBeLessThanOrEqual(3);
  await first!.click();
  const target = page.locator((await first!.getAttribute('href'))!);
  expect(await target.getAttribute('open')).not.toBeNull();
});

it('folds what is no finding by area, and opens an area for a search', async () => {
  const page = await open();
  const passed = page.locator('.tone-pass .verdict');
  expect(await passed.first().isVisible()).toBe(false);
  await page.locator('#q').fill('tools/list-answered');
  await page.locator('#v-tools-list-answered').waitFor({ state: 'visible' });
});

it('opens and closes all that is shown', async () => {
  const page = await open();
  const opened = () => page.locator('.verdict[open]').count();
  expect(await opened()).toBe(3);
  await page.locator('#expand').click();
  expect(await opened()).toBe(14);
  await expect.poll(() => page.locator('#expand').textContent(), patience).toBe('Close all');
  await page.locator('#expand').click();
  expect(await opened()).toBe(0);
});

it('follows an address to a verdict', async () => {
  const page = await open({}, '#v-tools-list-answered');
  await page.locator('#v-tools-list-answered[open]').waitFor();
  await page.keyboard.press('Tab');
  expect(await page.locator('#v-tools-list-answered summary:focus').count()).toBe(1);
});

it('marks in the wire log who spoke and what was sent wrong on purpose', async () => {
  const page = await open({}, '#v-cancellation-cancelled-request-unanswered');
  const entries = page.locator('#v-cancellation-cancelled-request-unanswered .telling .entry');
  expect(await entries.evaluateAll((nodes) => nodes.map((node) => node.className))).toEqual([
    'entry from-client deviant',
    'entry from-client',
    'entry from-server',
  ]);
  expect(await entries.first().locator('.deviation').textContent()).toBe('Deliberate fault: cancelled at once');
  expect(await entries.first().locator('.entry-head').textContent()).toContain('client:');
});

it('fills the wire log from its table when it is opened, once', async () => {
  const page = await open();
  const log = page.locator('#v-lifecycle-protocol-version-echoed .log');
  expect(await log.locator('.entry').count()).toBe(0);
  for (let round = 0; round < 3; round += 1) await log.locator('> summary').click();
  await expect.poll(() => log.locator('.entry').count(), patience).toBe(2);
  expect(await log.locator('pre').first().textContent()).toContain('"method":"initialize"');
  // A hostile body is text there, too.
  const hostile = page.locator('#v-ping-answer-empty-result .log');
  await hostile.locator('> summary').click();
  await expect.poll(() => hostile.locator('pre').last().textContent(), patience).toContain('<script>alert(1)</script>');
  expect(await page.locator('script').count()).toBe(2);
});

it.runIf(thorough)('keeps the theme that was chosen', async () => {
  const page = await open({ colorScheme: 'light' });
  const background = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
  const light = await background();
  await page.getByRole('button', { name: 'Dark theme' }).click();
  const dark = await background();
  expect(dark).not.toBe(light);
  await page.reload();
  expect(await background()).toBe(dark);
  expect(await page.locator('#theme').textContent()).toBe('Light theme');
});

it('reads fully without scripts', async () => {
  const page = await open({ javaScriptEnabled: false });
  expect(await page.locator('.verdict').count()).toBe(14);
  for (const fold of await page.locator('.fold > summary:visible').all()) await fold.click();
  expect(await page.locator('.verdict:visible').count()).toBe(14);
  expect(await page.locator('#filter').isVisible()).toBe(false);
  expect(await page.locator('#theme').isVisible()).toBe(false);
  expect(await page.locator('#v-lifecycle-protocol-version-echoed .entry:visible').count()).toBe(2);
});

it.each(someOf([320, 390, 768, 1240], 2, (width) => `page of ${width}`))('fits a window %d wide', async (width) => {
  const page = await open({ viewport: { width, height: 800 } });
  await page.locator('#expand').click();
  expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
});

it('prints failures open and without controls', async () => {
  const page = await open();
  await page.emulateMedia({ media: 'print' });
  await page.evaluate(`window.dispatchEvent(new Event('beforeprint'))`);
  expect(await page.locator('#filter').isVisible()).toBe(false);
  expect(await page.locator('.verdict[open]').count()).toBe(6);
});

it.each(someOf(['light', 'dark'] as const, 2, (scheme) => `page in ${scheme}`))(
  'has no accessibility violation (%s)',
  async (colorScheme) => {
    const page = await open({ colorScheme });
    await page.locator('#expand').click();
    const { violations, passes } = await accessibilityOf(page);
    expect(violations).toEqual([]);
    expect(passes).toContain('color-contrast');
  },
);

describe.runIf(thorough)('a run of two revisions', () => {
  const openBoth = (options: BrowserContextOptions): Promise<Page> => {
    const run = runOf(sampleReport());
    const file = join(dir, 'two.html');
    const [part] = run.parts;
    writeFileSync(file, renderRun(joinRuns([run, { ...run, parts: [{ ...part!, revision: '2026-07-28' }] }]), 'html'));
    return watched.open(pathToFileURL(file).href, options);
  };

  const widths = someOf([400, 1400], 2, (width) => `two revisions ${width}`);
  it.each(widths)(
    'tells at each verdict which one it belongs to, in a window %d wide, and nothing is cut off',
    async (width) => {
      const page = await openBoth({ viewport: { width, height: 800 } });
      expect(await page.locator('.verdict').count()).toBe(28);
      for (const revision of ['2025-11-25', '2026-07-28']) {
        const part = page.locator('.part', { has: page.locator(`#part-${revision}`) });
        expect(new Set(await part.locator('.verdict .tag.revision').allTextContents())).toEqual(new Set([revision]));
        expect(await part.locator('.verdict .tag.revision').count()).toBe(14);
      }
      const named = (await page.locator('h2').allTextContents()).filter((text) =>
        /^(?:Areas|Tools|Left out|Optional features)/.test(text),
      );
      expect(named.filter((text) => !/, MCP 20\d\d-\d\d-\d\d$/.test(text))).toEqual([]);
      await page.locator('#expand').click();
      const wide = await page.evaluate<string[]>(
        `[...document.querySelectorAll('.parts .scroll, .areas .scroll')].filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent)`,
      );
      expect(wide).toEqual([]);
      expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    },
  );

  it.each(widths)('has no accessibility violation in a window %d wide', async (width) => {
    const page = await openBoth({ viewport: { width, height: 800 } });
    await page.locator('#expand').click();
    const { violations } = await accessibilityOf(page);
    expect(violations).toEqual([]);
  });
});
