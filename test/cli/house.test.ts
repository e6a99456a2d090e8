/** The house rules that come as examples: about order, uniqueness, time, shares and steps, without a line of TypeScript. */
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parseReport } from '../support/read-report.ts';
import { Workspace } from './harness.ts';

const space = new Workspace();
const root = fileURLToPath(new URL('../../', import.meta.url));
const house = [
  '--rules',
  path.join(root, 'examples/house/rules/house/*.json'),
  '--requirements',
  path.join(root, 'examples/house/house.md'),
  '--facts',
  path.join(root, 'examples/house/facts.json'),
  '--only',
  'house',
];
const server = path.join(root, 'test/e2e/servers/job-server.mjs');

function statuses(json: string): Record<string, string> {
  return Object.fromEntries(parseReport(json, 'report').verdicts.map(({ rule, status }) => [rule, status]));
}

/** The connection with the most events: a capture holds one. */
function longestSession(trace: string): string {
  const names = [...trace.matchAll(/^\{"seq":\d+.*?"session":"([^"]+)"/gm)].map(([, name]) => name!);
  const count = (name: string): number => names.filter((one) => one === name).length;
  return [...new Set(names)].reduce((best, name) => (count(name) > count(best) ? name : best));
}

test('they are sound', async () => {
  const { code, stderr } = await space.call(['rules', 'lint', ...house.slice(1, 2), ...house.slice(2, 6)]);
  expect({ code, stderr }).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('5 rules with 72 examples are sound.') as string,
  });
});

test.each([
  ['good', 'pass'],
  ['bad', 'fail'],
])(
  'a server that is %s: each rule says %s, live, from the trace and from a capture',
  { timeout: 120_000 },
  async (habit, wanted) => {
    const trace = `${habit}.trace.jsonl`;
    const live = await space.call([
      'check',
      ...house,
      '--timeout',
      '3s',
      '--json',
      '--trace',
      trace,
      '--',
      process.execPath,
      server,
      habit,
    ]);
    const all = Object.fromEntries(
      ['job-order', 'job-transitions', 'list-latency', 'status-latency', 'ticket-uniqueness'].map((name) => [
        `house/${name}`,
        wanted,
      ]),
    );
    expect(statuses(live.stdout)).toEqual(all);
    const again = await space.call(['judge', ...house, '--json', trace]);
    expect(statuses(again.stdout)).toEqual(all);

    // Captures hold no times, so the rules about time are not exercised.
    const converted = await space.call([
      'trace',
      'convert',
      trace,
      '--to',
      'http-sse',
      '--session',
      longestSession(space.read(trace)),
      '-o',
      `${habit}.json`,
    ]);
    expect(converted.code, converted.stderr).toBe(0);
    const captured = await space.call(['judge', ...house, '--json', `${habit}.json`]);
    expect(statuses(captured.stdout)).toEqual({
      ...all,
      'house/list-latency': 'not-exercised',
      'house/status-latency': 'not-exercised',
    });
  },
);
