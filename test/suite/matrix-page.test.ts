/** The page of `mcpc matrix`, of real runs, in a real browser: what differs first, a filter, lists entry by entry, no paths of the machine. */
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it, test } from 'vitest';
import { listDifference, partDiffers } from '../../src/suites/language/expectations/differences.ts';
import { root, Workspace } from '../cli/harness.ts';
import { accessibilityOf } from '../support/accessibility.ts';
import { launchBrowser } from '../support/browser.ts';
import { someOf } from '../support/run/some-of.ts';
import { watchPages } from '../support/watched-pages.ts';

const work = new Workspace();
const changing = join(root, 'test/suite/servers/changing.mjs');
const tools = ['greet', 'get_weather', 'get_time', 'get_visits', 'list_users'];
const rest = ['find_missing', 'get_icon', 'get_env', 'delete_user'];

let browser: Browser;
const watched = watchPages(() => browser, { width: 1280, height: 900 }, 60_000);

beforeAll(async () => {
  browser = await launchBrowser();
  work.write(
    'evals/changing.yaml',
    `version: 1
servers: { changing: { command: node, args: [${JSON.stringify(changing)}], session: file } }
cases:
  - { name: greets, steps: [{ call: greet, with: { name: Ada }, expect: { equals: "Hello, Ada" } }] }
  - { name: lists its tools, steps: [{ list: tools, expect: { structured: { tools: [${[...tools, ...rest].map((name) => `{ name: ${name} }`).join(', ')}] } } }] }
  - { name: users, steps: [{ call: get_time, expect: { contains: [no such text] } }] }
`,
  );
  // Named by its whole path, as a job of a build server does.
  const { code, stderr } = await work.run([
    'matrix',
    work.path('evals'),
    '--with',
    `old=node ${changing}`,
    '--with',
    `new=node '${changing}' 'tool gone'`,
    ...['matrix.html', 'matrix.json', 'matrix.md'].flatMap((file) => ['--output', file]),
  ]);
  expect(code, stderr).toBe(1);
}, 120_000);
afterEach(() => watched.closeAll());
afterAll(() => browser?.close());

const open = (options = {}): Promise<Page> => watched.open(pathToFileURL(work.path('matrix.html')).href, options);
const cases = (page: Page): Promise<string[]> =>
  page.locator('#cases tbody tr:visible th').evaluateAll((all) => all.map((one) => one.firstChild!.textContent!));

it('begins with what differs, and names no folder of the machine', async () => {
  const page = await open();
  expect(await cases(page)).toEqual(['lists its tools', 'greets', 'users']);
  expect(await page.locator('#cases .place').allTextContents()).toEqual(
    [5, 4, 6].map((line) => `evals/changing.yaml:${line}`),
  );
  for (const file of ['matrix.html', 'matrix.md']) expect(work.read(file), file).not.toContain(work.path('evals'));
  expect(watched.heard()).toHaveLength(1);
});

it('shows of two lists what is missing and what is there instead', async () => {
  const page = await open();
  const detail = page.locator('.reason').first().locator('.detail span');
  expect(await detail.allTextContents()).toEqual([
    'structured: tools: want 9 entries, got 8',
    '  4 equal',
    '- {"name":"list_users"}',
    '  4 equal',
  ]);
  expect(await page.locator('.line-missing').count()).toBe(1);
});

it('is filtered by words and by state, with the reasons', async () => {
  const page = await open();
  const reasons = page.locator('.reason:visible h3');
  await page.locator('#which').selectOption('differs');
  expect(await cases(page)).toEqual(['lists its tools']);
  expect(await reasons.allTextContents()).toEqual(['lists its tools']);
  expect(await page.locator('#shown').textContent()).toBe('1 of 3 cases shown');
  await page.locator('#which').selectOption('fails');
  expect(await cases(page)).toEqual(['lists its tools', 'users']);
  await page.locator('#q').fill('no such text');
  await expect.poll(() => cases(page)).toEqual(['users']);
  await page.locator('#q').fill('nothing at all');
  await page.locator('#none').waitFor();
  expect(await page.locator('#failed').isVisible()).toBe(false);
  await page.locator('#filter button[type=reset]').click();
  await expect.poll(() => cases(page)).toHaveLength(3);
});

it.each(
  someOf(
    [390, 1280].flatMap((width) => (['light', 'dark'] as const).map((scheme) => ({ width, scheme }))),
    2,
    ({ width, scheme }) => `matrix, ${width}, ${scheme}`,
  ),
)('fits $width px and passes axe ($scheme)', async ({ width, scheme }) => {
  const page = await open({ viewport: { width, height: 844 }, colorScheme: scheme });
  expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
  expect(await page.locator('#cases tbody td').last().boundingBox()).toMatchObject({ x: expect.any(Number) as number });
  const { violations } = await accessibilityOf(page);
  expect(violations).toEqual([]);
});

it('replaces a report of its own, as other commands do', async () => {
  const again = [
    'matrix',
    'evals',
    '--with',
    `old=node ${changing}`,
    '--with',
    `new=node ${changing}`,
    '--filter',
    'greets',
  ];
  expect((await work.run([...again, '--output', 'matrix.json'])).code).toBe(0);
});

test.each([
  [[1, 2, 3], [1, 2, 3], []],
  [
    ['a', 'b', 'c'],
    ['a', 'c'],
    ['  1 equal', '- "b"', '  1 equal'],
  ],
  [[{ name: 'a' }], [{ name: 'a', title: 'A' }, { name: 'b' }], ['  1 equal', '+ {"name":"b"}']],
  [
    ['a', 'b'],
    ['b', 'a'],
    ['- "a"', '  1 equal', '+ "a"'],
  ],
])('the lists %j and %j', (wanted, got, lines) => {
  const found = partDiffers(got, wanted, '$')?.split('\n');
  expect(found?.slice(1) ?? []).toEqual(lines);
});

test('lists that share nothing are cut, and take no long search', () => {
  const many = (letter: string): string[] => Array.from({ length: 3000 }, (_, index) => `${letter}${index}`);
  expect(listDifference(many('a'), many('b'))).toEqual(['  more than 500 entries differ']);
  const some = listDifference(many('a').slice(0, 30), []);
  expect(some).toHaveLength(21);
  expect(some.at(-1)).toBe('  and 10 more lines');
});
