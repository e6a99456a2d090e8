/**
 * The HTML report of a large suite: how long it keeps a reader waiting in Chromium, from an act to the second frame after
 * the list has changed, the pause behind a key stroke included, and the longest task in between. Needs an installed
 * Chromium.
 *
 *   npx tsx test/bench/suite-page.bench.ts [cases]
 */
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { renderSuite } from '../../src/report/suite/render.ts';
import { launchBrowser } from '../support/browser.ts';
import { sampleSuite } from '../support/sample-suite.ts';

const cases = Number(process.argv[2] ?? 1000);
const rounds = 7;
const folder = mkdtempSync(join(tmpdir(), 'mcpc-suite-page-'));

const measure = (act: string): string => `(async () => {
  const tasks = [];
  const observer = new PerformanceObserver((list) => tasks.push(...list.getEntries().map((entry) => entry.duration)));
  observer.observe({ type: 'longtask' });
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const changed = new Promise((resolve) => new MutationObserver((_found, seen) => { seen.disconnect(); resolve(); }).observe(document.getElementById('shown'), { childList: true, characterData: true, subtree: true }));
  const began = performance.now();
  ${act};
  await changed; await frame(); await frame();
  const ms = performance.now() - began;
  await new Promise((resolve) => setTimeout(resolve, 50));
  tasks.push(...observer.takeRecords().map((entry) => entry.duration));
  return { ms, longest: Math.max(0, ...tasks) };
})()`;

const type = (text: string): string =>
  `(() => { const q = document.getElementById('q'); q.value = ${JSON.stringify(text)}; q.dispatchEvent(new Event('input', { bubbles: true })); })()`;
const acts: [what: string, act: string][] = [
  ['search for one case', type('case-2.yaml')],
  ['search for nothing', type('')],
  ['hide what passed', `document.querySelector('input[name=tone][value=good], input[name=tone]').click()`],
  ['show it again', `document.querySelector('input[name=tone][value=good], input[name=tone]').click()`],
];

try {
  const file = join(folder, 'suite.html');
  writeFileSync(file, renderSuite(sampleSuite(cases), 'html'));
  console.log(`${cases} cases, ${(statSync(file).size / 1e6).toFixed(1)} MB`);
  const browser = await launchBrowser();
  try {
    const tab = await browser.newPage({ viewport: { width: 1400, height: 900 } });
    const began = performance.now();
    await tab.goto(pathToFileURL(file).href);
    await tab.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
    console.log(`open                  ${(performance.now() - began).toFixed(0)} ms`);
    const seen = new Map<string, { ms: number; longest: number }[]>(acts.map(([what]) => [what, []]));
    for (let round = 0; round < rounds; round += 1)
      for (const [what, act] of acts)
        seen.get(what)!.push(await tab.evaluate<{ ms: number; longest: number }>(measure(act)));
    for (const [what, all] of seen) {
      const times = all.map(({ ms }) => ms).toSorted((a, b) => a - b);
      console.log(
        `${what.padEnd(21)} median ${times[Math.floor(rounds / 2)]!.toFixed(0)} ms, worst ${times.at(-1)!.toFixed(0)} ms, longest task ${Math.max(...all.map(({ longest }) => longest)).toFixed(0)} ms`,
      );
    }
  } finally {
    await browser.close();
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
