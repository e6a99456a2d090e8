/** A client is untrusted: whatever it does, a run ends in time, with the right word, and leaves nothing behind. */
import { execFileSync } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { exampleServer, root, Workspace } from '../cli/harness.ts';
import { spawn } from 'node:child_process';
import { dirname } from 'node:path';
import { thorough } from '../support/run/options.ts';

const bin = `${root}/bin/mcpc.js`;
const sdkClient = `${root}/examples/clients/sdk-client.mjs`;

interface Ended {
  code: number | null;
  out: string;
  err: string;
}

function client(
  script: string,
  ...flags: string[]
): { ended: Promise<Ended>; pid: number; said: (text: string) => Promise<void> } {
  const child = spawn('node', [bin, 'client', ...flags, '--', 'node', '-e', script, 'own-mark'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk) => (out += String(chunk)));
  child.stderr.on('data', (chunk) => (err += String(chunk)));
  const ended = new Promise<Ended>((resolve) => child.once('close', (code) => resolve({ code, out, err })));
  return {
    ended,
    pid: child.pid!,
    async said(text) {
      while (!err.includes(text)) await wait(20);
    },
  };
}

/** Whether a process with the text in its command line runs. */
function runs(mark: string): boolean {
  return execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })
    .split('\n')
    .some((line) => line.includes(mark) && !line.includes('ps -eo'));
}

test('one that ends at once never connected: exit 3, with what it printed', async () => {
  const { code, err } = await client('console.error("no such flag"); process.exit(7)').ended;
  expect(code).toBe(3);
  expect(err).toMatch(/The client never connected\. It ended with exit code 7/);
  expect(err).toContain('no such flag');
});

test('one that hangs and ignores SIGTERM is ended with its children', async () => {
  const mark = `mark-${process.pid}-hang`;
  const script = `process.on('SIGTERM', () => {}); require('node:child_process').spawn('node', ['-e', 'setInterval(() => {}, 1000)', '${mark}']); setInterval(() => {}, 1000)`;
  const { code, err } = await client(script, '--start-timeout', '1s').ended;
  expect(code).toBe(3);
  expect(err).toContain('it did not end within 1000 ms');
  expect(runs(mark)).toBe(false);
});

test('one that prints without end costs its own time alone', async () => {
  const script = `setInterval(() => process.stdout.write('x'.repeat(1 << 20)), 1)`;
  const { code } = await client(script, '--start-timeout', '1s').ended;
  expect(code).toBe(3);
});

test('a command that there is not is named', async () => {
  const child = spawn('node', [bin, 'client', '--', 'no-such-client-program'], { stdio: ['ignore', 'ignore', 'pipe'] });
  let err = '';
  child.stderr.on('data', (chunk) => (err += String(chunk)));
  const code = await new Promise((resolve) => child.once('close', resolve));
  expect(code).toBe(3);
  expect(err).toContain('no-such-client-program was not found');
});

test('Ctrl-C ends the client and the run', async () => {
  const mark = `mark-${process.pid}-interrupt`;
  const run = client(`console.log('${mark}'); setInterval(() => {}, 1000)`, '--verbose');
  await run.said(mark);
  process.kill(run.pid, 'SIGINT');
  expect((await run.ended).code).toBe(130);
  expect(runs(mark)).toBe(false);
});

test('when mcpc is killed its client goes as well', async () => {
  const mark = `mark-${process.pid}-kill`;
  const run = client(`console.log('${mark}'); setInterval(() => {}, 1000)`, '--verbose');
  await run.said(mark);
  process.kill(run.pid, 'SIGKILL');
  await run.ended;
  const until = performance.now() + 10_000;
  while (runs(mark) && performance.now() < until) await wait(50);
  expect(runs(mark)).toBe(false);
});

test.each([
  ['Ctrl-C', 'SIGINT'],
  ['a kill', 'SIGKILL'],
] as const)('after %s no port is left open', async (_, signal) => {
  const run = client(`console.log('at ' + process.argv.at(-1) + ' now'); setInterval(() => {}, 1000)`, '--verbose');
  await run.said(' now');
  process.kill(run.pid, signal);
  const [, port] = /at http:\/\/127\.0\.0\.1:(\d+)\//.exec((await run.ended).err)!;
  await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });
});

test.runIf(thorough)('one that connects twice in a start is judged on both connections', async () => {
  const script = `const { spawnSync } = require('node:child_process');
    for (const _ of [1, 2]) spawnSync('node', ['${sdkClient}', process.argv.at(-1)], { stdio: 'inherit' });`;
  const { code, out, err } = await client(script, '--only', 'ping,lifecycle', '--json').ended;
  expect(code, err).toBe(0);
  const { parts } = JSON.parse(out) as { parts: { verdicts: { status: string }[] }[] };
  const verdicts = parts.flatMap((part) => part.verdicts);
  expect(verdicts.filter(({ status }) => status === 'fail')).toEqual([]);
  expect(verdicts.filter(({ status }) => status === 'pass').length).toBeGreaterThan(2);
});

test.runIf(thorough)('one that connects a thousand times costs its own time alone', async () => {
  const script = `const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: {
      protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'flood', version: '1' } } });
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const one = () => fetch(process.argv.at(-1), { method: 'POST', headers, body }).then((reply) => reply.text(), () => {});
    (async () => { for (let round = 0; round < 20; round += 1) await Promise.all(Array.from({ length: 50 }, one)); })();`;
  const { code, err } = await client(script, '--only', 'ping,lifecycle', '--start-timeout', '20s').ended;
  expect([0, 1], err).toContain(code);
});

test.runIf(thorough)('the client of the examples gets a scorecard, and its saved trace is judged alike', async () => {
  const space = new Workspace();
  const words = [
    bin,
    'client',
    '--trace',
    space.path('client.jsonl'),
    '-f',
    'json',
    '--',
    'node',
    sdkClient,
    '{{url}}',
  ];
  const child = spawn('node', words, { stdio: ['ignore', 'pipe', 'ignore'] });
  let out = '';
  child.stdout.on('data', (chunk) => (out += String(chunk)));
  expect(await new Promise((resolve) => child.once('close', resolve))).toBe(0);
  const live = JSON.parse(out) as {
    target: object;
    parts: { verdicts: { rule: string; status: string }[]; decided: number }[];
  };
  expect(live.target).toMatchObject({ kind: 'client', name: 'node sdk-client.mjs {{url}}' });
  expect(live.parts[0]!.decided).toBeGreaterThan(30);
  const again = JSON.parse(
    execFileSync('node', [bin, 'judge', space.path('client.jsonl'), '-f', 'json'], {
      encoding: 'utf8',
      maxBuffer: 1 << 26,
    }),
  ) as typeof live;
  expect(again.parts[0]!.verdicts).toEqual(live.parts[0]!.verdicts);
});

test.runIf(thorough)('--watch checks again when a file of the client changes, and Ctrl-C ends it', async () => {
  const space = new Workspace();
  const file = space.write('client.mjs', 'process.exit(1)');
  const run = client('', '--watch', '--profile', 'quick', '--cwd', dirname(file), '--start-timeout', '5s');
  await run.said('Watching');
  space.write('client.mjs', 'process.exit(2)');
  await run.said('client.mjs changed, checking again.');
  process.kill(run.pid, 'SIGINT');
  expect((await run.ended).code).toBe(130);
});

test('a server is no client: the mistake is told', async () => {
  const child = spawn('node', [bin, 'client', '--start-timeout', '1s', '--', 'node', exampleServer], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let err = '';
  child.stderr.on('data', (chunk) => (err += String(chunk)));
  expect(await new Promise((resolve) => child.once('close', resolve))).toBe(3);
  expect(err).toContain('never connected');
});
