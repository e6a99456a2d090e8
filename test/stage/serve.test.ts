/** `mcpc client --serve`: an application of the official SDK, a person in a browser, and what is kept for another day. */
import { existsSync, readFileSync } from 'node:fs';
import { once } from 'node:events';
import { request } from 'node:http';
import { createServer } from 'node:net';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { everything } from '../../src/check/plan.ts';
import type { RunReport } from '../../src/core/model/reports/run-report.ts';
import type { ServedStart } from '../../src/stage/serve/checklist.ts';
import { serveClient, type ServeOptions } from '../../src/stage/serve/serve-client.ts';
import { Workspace } from '../cli/harness.ts';
import { accessibilityOf } from '../support/accessibility.ts';
import { launchBrowser } from '../support/browser.ts';
import { watchPages } from '../support/watched-pages.ts';
import { thorough } from '../support/run/options.ts';

const space = new Workspace();
/** Of a busy machine. */
const patience = { timeout: 20_000 };
let browser: Browser;
const watched = watchPages(() => browser, { width: 1280, height: 900 }, 10_000);
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
});

interface Served {
  page: string;
  starts: readonly ServedStart[];
  news: string[];
  end(): void;
  report: Promise<RunReport>;
}

/** A run, once it listens. */
async function serve(more: Partial<ServeOptions> = {}): Promise<Served> {
  const ending = new AbortController();
  const news: string[] = [];
  let ready: (served: Pick<Served, 'page' | 'starts'>) => void = () => {};
  const listening = new Promise<Pick<Served, 'page' | 'starts'>>((resolve) => (ready = resolve));
  const report = serveClient({
    name: 'test',
    transport: 'http',
    spec: 'auto',
    selection: everything,
    host: '127.0.0.1',
    port: 0,
    stateFile: undefined,
    traceFile: undefined,
    keepSecrets: false,
    toolVersion: 'test',
    templatesDir: undefined,
    signal: ending.signal,
    onReady: ready,
    onNews: (line) => void news.push(line),
    ...more,
  });
  report.catch(() => {});
  return {
    ...(await Promise.race([listening, report.then(() => Promise.reject(new Error('it ended')))])),
    news,
    end: () => ending.abort(),
    report,
  };
}

/** What a person makes an application do. */
async function use(transport: Transport): Promise<void> {
  const client = new Client({ name: 'application', version: '1.0.0' });
  await client.connect(transport);
  await client.listTools();
  await client.callTool({ name: 'add_numbers', arguments: { a: 5, b: 3 } });
  await client.close();
}

const over = (start: ServedStart): Transport =>
  'url' in start.at
    ? new StreamableHTTPClientTransport(new URL(start.at.url))
    : new StdioClientTransport({ command: start.at.command[0]!, args: start.at.command.slice(1) });

const failures = ({ parts }: RunReport): string[] =>
  parts.flatMap(({ verdicts }) => verdicts.filter(({ status }) => status === 'fail').map(({ rule }) => rule));
const statuses = ({ parts }: RunReport): string[] =>
  parts.flatMap(({ verdicts }) => verdicts.map(({ rule, status }) => `${rule} ${status}`));

async function accessible(page: Page): Promise<void> {
  const { violations, passes } = await accessibilityOf(page);
  expect(violations).toEqual([]);
  expect(passes).toContain('color-contrast');
}

test('the page follows an application live, takes answers, and ends the run', async () => {
  const traceFile = space.path('served.jsonl');
  const served = await serve({ traceFile });
  const page = await watched.open(served.page, { viewport: { width: 390, height: 800 } });
  expect(await page.locator('#status').textContent()).toBe('Nothing has connected yet.');
  expect(await page.locator('.start').count()).toBe(served.starts.length);
  await accessible(page);

  await page.locator('#start-c2 > summary').press('Enter');
  await use(over(served.starts[0]!));
  const first = page.locator('#start-c1');
  await expect.poll(() => first.locator('summary').first().textContent(), patience).toContain('connected, ');
  await expect
    .poll(() => page.locator('#status').textContent(), patience)
    .toMatch(/^\d+ of \d+ steps seen; no rule is broken\.$/);
  const step = first.locator('.steps li', { hasText: 'add_numbers' }).first();
  await expect.poll(() => step.textContent(), patience).toContain('Seen: ');
  expect(await page.locator('#start-c2').getAttribute('open')).not.toBeNull();
  expect(await page.evaluate<string>('document.activeElement.parentElement.id')).toBe('start-c2');
  expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);

  const question = page.locator('.question', { hasText: 'ask you before it called the tool' });
  await question.getByRole('button', { name: 'No', exact: true }).press('Enter');
  await expect.poll(() => question.locator('legend').textContent(), patience).toContain('You said: no.');
  await page.emulateMedia({ colorScheme: 'dark' });
  await accessible(page);

  await page.locator('#finish').click();
  const report = await served.report;
  await expect.poll(() => page.locator('#status').textContent(), patience).toContain('The run has ended.');
  expect(failures(report)).toEqual([]);
  expect(report.attested).toMatchObject([
    { requirement: 'tools.security.client-confirmation', level: 'SHOULD', answer: 'no' },
  ]);
  expect(report.skipped).toContainEqual({
    what: `start c2 (${served.starts[1]!.start.title})`,
    why: 'nothing connected to it',
  });
  expect(served.news).toContain('Connected to c1.');
  expect(served.news.join('\n')).toContain('Seen: c1: Ask: "Call the tool add_numbers with a = 5 and b = 3."');

  const again = JSON.parse((await space.call(['judge', '--role', 'client', '--json', traceFile])).stdout) as RunReport;
  expect(statuses(again)).toEqual(statuses(report));
  expect(again.attested).toEqual(report.attested);
});

test.runIf(thorough)('what is broken stands on the page with its messages', async () => {
  const served = await serve();
  const { url } = served.starts[0]!.at as { url: string };
  const page = await watched.open(served.page);
  const send = (body: object): Promise<Response> =>
    fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify(body),
    });
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } };
  await send({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
  // Without its session.
  await send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  await send({ jsonrpc: '2.0', id: 2, method: 'tools/list' });
  const broken = page.locator('#broken-violation');
  await expect.poll(() => broken.count(), patience).toBe(1);
  await page.locator('.verdict summary').first().click();
  await expect.poll(() => page.locator('.verdict .telling .entry').count(), patience).toBeGreaterThan(0);
  await accessible(page);
  expect(served.news.some((line) => line.startsWith('Broken: '))).toBe(true);
  served.end();
  expect(failures(await served.report)).not.toEqual([]);
});

/** The first of so many free ports, outside of the range that the system gives to other tests meanwhile. */
async function freePorts(count: number): Promise<number> {
  for (let first = 20_000 + (process.pid % 100) * 100; first < 32_000; first += count) {
    const servers = Array.from({ length: count }, () => createServer());
    const taken = await Promise.allSettled(
      servers.map((server, index) => once(server.listen(first + index, '127.0.0.1'), 'listening')),
    );
    await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
    if (taken.every(({ status }) => status === 'fulfilled')) return first;
  }
  throw new Error('No block of ports is free.');
}

test('a run goes on another day: addresses, answers and messages stay', async () => {
  const stateFile = space.path('app.json');
  const one = await serve({ stateFile, port: await freePorts(80) });
  await use(over(one.starts[0]!));
  await fetch(`${one.page}answer`, {
    method: 'POST',
    body: new URLSearchParams({ requirement: 'tools.ui.tool-display', answer: 'yes' }),
    redirect: 'manual',
  });
  one.end();
  const before = await one.report;
  const two = await serve({ stateFile });
  expect([two.page, ...two.starts.map(({ at }) => at)]).toEqual([one.page, ...one.starts.map(({ at }) => at)]);
  await use(over(two.starts[1]!));
  two.end();
  const after = await two.report;
  expect(after.attested).toEqual(before.attested);
  expect(after.skipped.map(({ what }) => what.split(' ')[1])).not.toContain('c1');
  expect(after.skipped.map(({ what }) => what.split(' ')[1])).not.toContain('c2');
  const lines = readFileSync(space.path('app.trace.jsonl'), 'utf8').trim().split('\n');
  const events = lines.map((line) => JSON.parse(line) as { kind?: string; session?: string });
  // Each start says where its addresses lie, whether a client comes or not.
  const met = events.filter(({ kind }) => kind !== 'listening');
  const sessions = new Set(met.map(({ session }) => session?.split('-')[0]));
  expect([...sessions].filter((name) => name?.startsWith('c')).sort()).toEqual(['c1', 'c2r2']);
  expect(existsSync(space.path('app.trace.jsonl.before'))).toBe(false);
});

test('over stdio, an application starts each server by a command', async () => {
  const served = await serve({ transport: 'stdio' });
  await use(over(served.starts[0]!));
  served.end();
  const report = await served.report;
  expect(failures(report)).toEqual([]);
  expect(report.transport).toBe('stdio');
  expect(served.news).toContain('Connected to c1.');
});

describe('what is refused', () => {
  const status = (url: string, headers: Record<string, string> = {}, method = 'GET'): Promise<number> =>
    new Promise((resolve, reject) => {
      const sent = request(url, { headers, method }, (reply) => {
        reply.resume();
        resolve(reply.statusCode!);
      });
      sent.once('error', reject);
      sent.end();
    });

  test('requests without the secret path, of other hosts, of other sites', async () => {
    const traceFile = space.path('refused.jsonl');
    const served = await serve({ traceFile });
    const { url } = served.starts[0]!.at as { url: string };
    expect(await status(new URL('/', served.page).href)).toBe(404);
    expect(await status(new URL('/mcp', url).href, {}, 'POST')).toBe(404);
    expect(await status(served.page, { host: 'evil.example' })).toBe(403);
    expect(await status(url, { host: 'evil.example' }, 'POST')).toBe(403);
    expect(await status(`${served.page}finish`, { origin: 'http://evil.example' }, 'POST')).toBe(403);
    served.end();
    await expect(served.report).rejects.toThrow('Nothing connected.');
    expect(readFileSync(traceFile, 'utf8')).not.toContain('http-request');
  });

  test('addresses that other machines reach, and states of another transport', async () => {
    const remote = await space.call(['client', '--serve', '--listen', '0.0.0.0:0']);
    expect(remote.code).toBe(2);
    expect(remote.stderr).toContain('--allow-remote');
    const file = space.write(
      'other.json',
      JSON.stringify({
        format: 'mcpc-client-state',
        version: 1,
        transport: 'stdio',
        spec: 'auto',
        secret: 'a'.repeat(24),
        ports: {},
        runs: 1,
        trace: 't.jsonl',
        answers: {},
      }),
    );
    const other = await space.call(['client', 'serve', '--state', file]);
    expect(other.code).toBe(2);
    expect(other.stderr).toContain('--transport stdio');
    const none = await space.call(['client', 'serve', '--state', space.write('none.json', '{"format":"other"}')]);
    expect(none.code).toBe(2);
    expect(none.stderr).toContain('none.json:1');
  });
});
