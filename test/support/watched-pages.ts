/** Pages of a browser under watch: whatever one asks for, says or throws is heard. */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

export interface WatchedPages {
  /** Opens an address in a clean page, with a context of its own where it has options, and forgets what was heard before. */
  open(url: string, options?: BrowserContextOptions): Promise<Page>;
  /** Requests, dialogs, console messages and errors since the last page was opened. */
  heard(): string[];
  closeAll(): Promise<void>;
}

const nowhere = 'about:blank';

/** @param browser asked for when a page is opened, since tests start it late */
export function watchPages(
  browser: () => Browser,
  viewport: { width: number; height: number },
  timeoutMs: number,
): WatchedPages {
  const pages: Page[] = [];
  /** Those without options come one after another in one page: a process for each costs more than most tests. */
  let common: Page | undefined;
  let heard: string[] = [];

  async function pageWith(options: BrowserContextOptions): Promise<Page> {
    const context = await browser().newContext({ viewport, reducedMotion: 'reduce', ...options });
    context.setDefaultTimeout(timeoutMs);
    const page = await context.newPage();
    page.on('request', (request) => heard.push(`request ${request.url()}`));
    page.on('dialog', (dialog) => {
      heard.push(`dialog ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on('console', (message) => heard.push(`console ${message.text()}`));
    page.on('pageerror', (error) => heard.push(`error ${error.message}`));
    return page;
  }

  return {
    async open(url, options = {}) {
      const isCommon = Object.keys(options).length === 0;
      const page = (isCommon ? common : undefined) ?? (await pageWith(options));
      if (isCommon) common = page;
      else pages.push(page);
      heard = [];
      await page.goto(url);
      return page;
    },
    heard: () => heard,
    async closeAll() {
      for (const page of pages.splice(0)) await page.context().close();
      if (common === undefined || common.url() === nowhere) return;
      await common.evaluate('localStorage.clear()');
      await common.emulateMedia({ media: null });
      await common.goto(nowhere);
    },
  };
}
