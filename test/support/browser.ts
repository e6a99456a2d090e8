/** Finds and starts a Chrome or Chromium that is installed on the machine; downloads nothing. */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from 'playwright-core';
import type { Browser } from 'playwright-core';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];
const fixed = [
  '/usr/bin/chromium',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/** Path of the browser. CHROME_PATH goes first, then PATH, then the usual places. @throws Error with the one command to run. */
export function findBrowser(env: NodeJS.ProcessEnv = process.env): string {
  const asked = env['CHROME_PATH'];
  if (asked !== undefined && asked !== '') {
    if (existsSync(asked)) return asked;
    throw new Error(`CHROME_PATH names ${asked}, which does not exist.`);
  }
  const onPath = (env['PATH'] ?? '')
    .split(delimiter)
    .filter(Boolean)
    .flatMap((dir) => names.map((name) => join(dir, name)));
  const found = [...onPath, ...fixed].find((path) => existsSync(path));
  if (found !== undefined) return found;
  throw new Error(
    'No Chrome or Chromium found, and the HTML report is tested in one. Run: sudo apt-get update && sudo apt-get install -y chromium (or set CHROME_PATH)',
  );
}

/** A headless browser that talks to nobody by itself. The caller closes it. */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: findBrowser(),
    headless: true,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--no-first-run',
      '--disable-sync',
      '--disable-component-update',
    ],
  });
}
