/** Pages of a browser under watch: whatever one asks for, says or throws is heard. */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

export interface WatchedPages {
  /** Opens an address in a context of its own, and forgets what was heard before. */
  open(url: string, options?: BrowserContextOptions): Promise<Page>;
  /** Requests, dialogs, console messages and errors since the last page was opened. */
  heard(): string[];
  closeAll(): Promise<void>;
}

/** @param browser asked for when a page is opened, since tests start it late */
export function watchPages(browser: () => Browser, viewport: { width: number; height: number }, timeoutMs: number): WatchedPages {
  const pages: Page[] = [];
  let heard: string[] = [];
  return {
    async open(url, options = {}) {
      const context = await browser().newContext({ viewport, reducedMotion: 'reduce', ...options });
      context.setDefaultTimeout(timeoutMs);
      const page = await context.newPage();
      pages.push(page);
      heard = [];
      page.on('request', (request) => heard.push(`request ${request.url()}`));
      page.on('dialog', (dialog) => {
        heard.push(`dialog ${dialog.message()}`);
        void dialog.dismiss();
      });
      page.on('console', (message) => heard.push(`console ${message.text()}`));
      page.on('pageerror', (error) => heard.push(`error ${error.message}`));
      await page.goto(url);
      return page;
    },
    heard: () => heard,
    async closeAll() {
      for (const page of pages.splice(0)) await page.context().close();
    },
  };
}
