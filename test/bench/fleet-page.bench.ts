/**
 * The dashboard of a large fleet: how long mcpc takes to write it with a page for each server, at which peak
 * memory, and how long the page keeps a reader waiting in Chromium (time to two frames, and the longest task) when
 * it is opened, sorted, filtered and scrolled. Needs `npm run build` and an installed Chromium.
 *
 *   npx tsx test/bench/fleet-page.bench.ts [servers] [rules]
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { standInReport } from '../../src/report/fleet/stand-in.ts';
import { launchBrowser } from '../support/browser.ts';
import { largeFleet, writeSampleRun } from '../support/sample-fleet.ts';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const servers = Number(process.argv[2] ?? 1000);
const rules = Number(process.argv[3] ?? 400);
const folder = mkdtempSync(path.join(tmpdir(), 'mcpc-fleet-page-'));
const peak = "process.on('exit',()=>process.stderr.write('\\npeak '+process.resourceUsage().maxRSS+'\\n'))";

function mcpc(args: string[]): Promise<{ ms: number; peakMb: number }> {
  const began = performance.now();
  return new Promise((resolve, reject) => {
    const child = spawn(
      process.execPath,
      ['--import', `data:text/javascript,${peak}`, path.join(root, 'bin/mcpc.js'), ...args],
      { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] },
    );
    let stderr = '';
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    child.on('error', reject);
    child.on('exit', (code) => {
      if (code === 0)
        resolve({ ms: performance.now() - began, peakMb: Number(/peak (\d+)/.exec(stderr)?.[1] ?? 0) / 1024 });
      else reject(new Error(`mcpc ${args.join(' ')} ended with ${code}: ${stderr}`));
    });
  });
}

function write(name: string, startedAt: string): void {
  const report = largeFleet(servers, rules, startedAt);
  // Each report is made when it is written, so that this process stays small as well.
  const reports = {
    *[Symbol.iterator]() {
      for (const server of report.servers)
        if (server.verdicts !== null) yield [server.id, standInReport(report, server)] as const;
    },
  };
  writeSampleRun(path.join(folder, name), { report, reports });
}

/** What a reader waits for: until the second frame after the act, and the longest task in between. */
const measure = (act: string): string => `(async () => {
  const tasks = [];
  const observer = new PerformanceObserver((list) => tasks.push(...list.getEntries().map((entry) => entry.duration)));
  observer.observe({ type: 'longtask' });
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const began = performance.now();
  ${act};
  await frame(); await frame();
  const ms = performance.now() - began;
  await new Promise((resolve) => setTimeout(resolve, 50));
  tasks.push(...observer.takeRecords().map((entry) => entry.duration));
  return { ms, longest: Math.max(0, ...tasks), nodes: document.querySelectorAll('*').length };
})()`;

const acts: [what: string, act: string][] = [
  ['sort by score', `document.querySelector('[data-sort=score] button').click()`],
  ['sort by owner', `document.querySelector('[data-sort=owner] button').click()`],
  [
    'filter by tag',
    `(() => { const tag = document.getElementById('tag'); tag.value = 'prod'; tag.dispatchEvent(new Event('change', { bubbles: true })); })()`,
  ],
  [
    'all servers again',
    `(() => { const tag = document.getElementById('tag'); tag.value = ''; tag.dispatchEvent(new Event('change', { bubbles: true })); })()`,
  ],
  [
    'all rules by name',
    `(() => { const sort = document.getElementById('rule-sort'); document.getElementById('rule-which').value = ''; sort.value = 'name'; sort.dispatchEvent(new Event('change', { bubbles: true })); })()`,
  ],
  [
    'heat map to its end',
    `(() => { const heat = document.getElementById('heat'); heat.scrollTop = heat.scrollHeight; heat.scrollLeft = heat.scrollWidth; })()`,
  ],
  [
    'heat map half back',
    `(() => { const heat = document.getElementById('heat'); heat.scrollTop = heat.scrollHeight / 2; heat.scrollLeft = heat.scrollWidth / 2; })()`,
  ],
];

try {
  write('runs/old', '2026-11-21T05:15:00.000Z');
  write('runs/new', '2026-11-22T05:15:00.000Z');
  console.log(`${servers} servers, ${rules} rules`);
  for (const [what, args] of [
    ['html with pages', ['-f', 'html', '-o', 'public']],
    ['junit', ['-f', 'junit', '-o', 'junit.xml']],
    ['sarif', ['-f', 'sarif', '-o', 'mcp.sarif']],
    ['csv', ['-f', 'csv', '-o', 'fleet.csv']],
  ] as const) {
    const { ms, peakMb } = await mcpc(['fleet', 'report', 'runs/new', ...args]);
    console.log(`write ${what.padEnd(16)} ${(ms / 1000).toFixed(1)} s, peak ${peakMb.toFixed(0)} MB`);
  }
  const page = path.join(folder, 'public/index.html');
  console.log(`dashboard ${(statSync(page).size / 1e6).toFixed(1)} MB`);
  const browser = await launchBrowser();
  try {
    const tab = await browser.newPage({ viewport: { width: 1400, height: 900 } });
    const began = performance.now();
    await tab.goto(pathToFileURL(page).href);
    await tab.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
    console.log(`open                  ${(performance.now() - began).toFixed(0)} ms`);
    for (const [what, act] of acts) {
      const { ms, longest, nodes } = await tab.evaluate<{ ms: number; longest: number; nodes: number }>(measure(act));
      console.log(`${what.padEnd(21)} ${ms.toFixed(0)} ms, longest task ${longest.toFixed(0)} ms, ${nodes} nodes`);
    }
  } finally {
    await browser.close();
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
