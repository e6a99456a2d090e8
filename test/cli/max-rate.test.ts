/** `--max-rate`: the pace of a check and of a fleet. That no request comes before its turn is held by test/probe/request-rate.test.ts. */
import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { listening, smallMcp } from '../support/small-mcp.ts';
import { someOf } from '../support/run/some-of.ts';
import { Workspace } from './harness.ts';

const space = new Workspace();
const perSecond = 5;

/** How many requests came, and how long that took at most: a slow machine makes it longer, never shorter. */
async function arrivals(
  run: (url: string) => Promise<{ code: number | null; stderr: string }>,
): Promise<{ count: number; ms: number }> {
  const began = performance.now();
  let [count, ms] = [0, 0];
  const server = createServer((request, response) => {
    count += 1;
    ms = performance.now() - began;
    smallMcp(request, response);
  });
  await listening(server, async (port) => {
    const { code, stderr } = await run(`http://127.0.0.1:${port}/mcp`);
    expect(code, stderr).toBe(0);
  });
  return { count, ms };
}

const atPace = ({ count, ms }: { count: number; ms: number }): boolean =>
  count > 10 && count <= 1 + (ms * perSecond) / 1000;
const only = ['--only', 'ping,lifecycle'];

test('a check sends no faster', { timeout: 120_000 }, async () => {
  const seen = await arrivals((url) =>
    space.call([
      'check',
      '--spec',
      '2025-11-25',
      ...only,
      '--transport',
      'http',
      '--url',
      url,
      '--max-rate',
      String(perSecond),
    ]),
  );
  expect(seen).toSatisfy(atPace);
});

/** By turns. */
const ways: [name: string, member: object, flags: string[]][] = [
  ['as a flag', {}, ['--max-rate', String(perSecond)]],
  ['as a member of its file', { maxRate: perSecond }, []],
];

test.each(someOf(ways, 2, ([name]) => name))('a fleet has it %s', { timeout: 120_000 }, async (name, member, flags) => {
  const seen = await arrivals((url) => {
    space.write('fleet.json', {
      version: 1,
      defaults: member,
      servers: { shared: { url, transport: 'http', spec: '2025-11-25' } },
    });
    return space.call([
      'fleet',
      'check',
      'fleet.json',
      '--only-rules',
      'ping,lifecycle',
      '--out',
      name.replaceAll(' ', '-'),
      '--no-dashboard',
      ...flags,
    ]);
  });
  expect(seen).toSatisfy(atPace);
});

test.each(['0', '-1', 'fast'])('%s is no rate', async (rate) => {
  const { code, stderr } = await space.call(['check', '--max-rate', rate, '--url', 'http://127.0.0.1:1/mcp']);
  expect(code).toBe(2);
  expect(stderr).toContain('--max-rate');
});
