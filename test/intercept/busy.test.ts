/** `mcpc intercept` while judging does not get done with a message: what follows passes at once, and Ctrl-C ends it. */
import { spawn } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, test, vi } from 'vitest';
import { root, Workspace } from '../cli/harness.ts';
import { someOf } from '../support/run/some-of.ts';
import { thorough } from '../support/run/options.ts';
import { listening } from '../support/small-mcp.ts';

const space = new Workspace();
/** mcpc with a fault: texts that it never gets done with, or that use up its memory. */
const faulty = { NODE_OPTIONS: `--import ${join(root, 'test/e2e/hostile/servers/faulty-parser.mjs')}` };
const texts = { 'is never done with': 'mcpc-reads-this-for-ever', 'fills the memory of': 'mcpc-keeps-all-of-this' };
const initialize = {
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};

space.write(
  'server.mjs',
  `
import { createInterface } from 'node:readline';
process.on('SIGINT', () => process.exit(0));
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line.replaceAll('mcpc-', ''));
  if (id === undefined) return;
  const result = method === 'initialize' ? { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 's', version: '1' } } : {};
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n');
});
`,
);

/** Stops saying more than anyone judges in two seconds when it has said it, so that all of it can be recorded. */
const emptyLines = 1_000_000;
space.write(
  'flood.mjs',
  `
import { createInterface } from 'node:readline';
process.on('SIGINT', () => process.exit(0));
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  const result = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 's', version: '1' } };
  process.stdout.write(method === 'initialize' ? JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n' : '\\n'.repeat(${emptyLines}));
});
`,
);

test.runIf(thorough)(
  'what is recorded and waits for the judge is waited for no longer after Ctrl-C',
  { timeout: 240_000 },
  async () => {
    const args = [join(root, 'bin/mcpc.js'), 'intercept', '--trace', 'flood.jsonl', '--', 'node', 'flood.mjs'];
    const child = spawn(process.execPath, args, {
      cwd: space.folder,
      env: { ...process.env, NO_COLOR: '1' },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (more: string) => (stderr += more));
    child.stdout.resume();
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    child.stdin.write(
      [initialize, { method: 'notifications/initialized' }]
        .map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
        .join(''),
    );
    const leastOfALine = '{"seq":1,"t":1,"session":"s1","from":"server","kind":"unparsable","raw":""}\n'.length;
    const trace = space.path('flood.jsonl');
    await vi.waitUntil(() => existsSync(trace) && statSync(trace).size > emptyLines * leastOfALine, {
      timeout: 200_000,
    });
    child.kill('SIGINT');
    expect(await ended, stderr).toBe(1);
    expect(stderr).toContain('INCOMPLETE: nothing was judged: it was interrupted before all that was said was judged');
  },
);

describe.each(someOf(Object.entries(texts), 2, ([what]) => `busy ${what}`))('a message that judging %s', (_, text) => {
  test.runIf(thorough)('holds up nothing on stdio, and Ctrl-C ends all', async () => {
    const args = [
      join(root, 'bin/mcpc.js'),
      'intercept',
      '--trace',
      'stdio.jsonl',
      '--overwrite',
      '--',
      'node',
      'server.mjs',
    ];
    const child = spawn(process.execPath, args, {
      cwd: space.folder,
      env: { ...process.env, ...faulty, NO_COLOR: '1' },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (more: string) => (stderr += more));
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const ask = async (message: object): Promise<unknown> => {
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
      return (JSON.parse((await answers.next()).value as string) as { id: unknown }).id;
    };
    expect(await ask(initialize)).toBe(1);
    expect(await ask({ id: 2, method: 'ping', params: { text } })).toBe(2);
    for (let id = 3; id < 100; id += 1) expect(await ask({ id, method: 'ping' })).toBe(id);
    // A message that waits in the pipe to the thread is what the end must not wait for.
    child.kill('SIGINT');
    expect(await ended, stderr).toBe(1);
    expect(stderr).toMatch(
      /INCOMPLETE: nothing was judged: (?:it was interrupted before all that was said was judged|judging used up its memory \(\d+ MB\))\. The trace so far/,
    );
    expect(space.read('stdio.jsonl').split('\n')[0]).toContain('mcpc-trace');
  });

  test('holds up nothing over HTTP, and Ctrl-C ends all', async () => {
    const upstream = createServer((incoming, response) => {
      incoming.resume();
      incoming.on('end', () =>
        response.writeHead(200, { 'content-type': 'application/json' }).end('{"jsonrpc":"2.0","id":1,"result":{}}'),
      );
    });
    await listening(upstream, async (port) => {
      const running = space.start(
        ['intercept', '--listen', '127.0.0.1:0', '--upstream', `http://127.0.0.1:${port}/mcp`],
        { env: faulty },
      );
      await running.shows(/Listening on \S+,/);
      const url = /Listening on (\S+),/.exec(running.text())![1]!;
      const post = (message: object) =>
        new Promise<number>((resolve, reject) => {
          const sent = request(
            url,
            { method: 'POST', agent: false, headers: { 'content-type': 'application/json' } },
            (reply) => reply.resume().on('end', () => resolve(reply.statusCode!)),
          );
          sent.on('error', reject).end(JSON.stringify({ jsonrpc: '2.0', ...message }));
        });
      expect(await post(initialize)).toBe(200);
      expect(await post({ id: 2, method: 'ping', params: { text } })).toBe(200);
      for (let id = 3; id < 30; id += 1) expect(await post({ id, method: 'ping' })).toBe(200);
      running.kill('SIGINT');
      const { code, stderr } = await running.ended;
      expect(code, stderr).toBe(1);
      expect(stderr).toContain('INCOMPLETE: nothing was judged');
    });
  });
});
