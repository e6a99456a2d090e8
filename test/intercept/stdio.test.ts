/** `mcpc intercept` in place of a stdio server: no byte lost or altered, verdicts from its trace, clean ends. */
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { describe, expect, test } from 'vitest';
import type { RunReport } from '../../src/core/model/reports/run-report.ts';
import { root, Workspace } from '../cli/harness.ts';
import { thorough } from '../support/run/options.ts';

const space = new Workspace();
const bin = `${root}/bin/mcpc.js`;
const everything = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/dist/index.js');
const odd = fileURLToPath(new URL('../e2e/servers/odd-server.mjs', import.meta.url));

interface Talk {
  stdout: Buffer;
  stderr: string;
  code: number | null;
}

/** Writes all input, waits until stdout shows what ends the talk, closes stdin. */
function talk(args: string[], input: Buffer, until: string): Promise<Talk> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, {
      stdio: 'pipe',
      cwd: space.folder,
      env: { ...process.env, NO_COLOR: '1' },
    });
    const chunks: Buffer[] = [];
    let stderr = '';
    let tail = '';
    child.stdout.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      tail = (tail + chunk.toString('latin1')).slice(-10_000);
      if (tail.includes(until)) child.stdin.end();
    });
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    child.once('error', reject);
    child.once('close', (code) => resolve({ stdout: Buffer.concat(chunks), stderr, code }));
    child.stdin.write(input);
  });
}

const line = (message: object, end = '\n'): string => `${JSON.stringify({ jsonrpc: '2.0', ...message })}${end}`;
const hello = line({
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
});
const ready = line({ method: 'notifications/initialized' });

/** Answers each line with itself, and what it hears on stderr; ends with the code 7. */
const parrot = `
  process.stdin.on('data', (chunk) => { if (!process.stdout.write(chunk)) { process.stdin.pause(); process.stdout.once('drain', () => process.stdin.resume()); } });
  process.stdin.on('end', () => { process.stderr.write('parrot leaves\\n'); process.exitCode = 7; });`;

describe('bytes', () => {
  test('a server says to the client what it says without us', async () => {
    const input = Buffer.from(
      [
        hello,
        ready,
        line({ id: 1, method: 'tools/call', params: { name: 'echo', arguments: { message: 'näh – 漢字' } } }, '\r\n'),
        line({ id: 'end', method: 'ping' }),
      ].join(''),
    );
    const until = '"id":"end"';
    const [plain, through] = await Promise.all([
      talk([everything, 'stdio'], input, until),
      talk([bin, 'intercept', '--quiet', '--', process.execPath, everything, 'stdio'], input, until),
    ]);
    expect(through.stdout.equals(plain.stdout)).toBe(true);
    expect(through.code).toBe(plain.code);
  });

  test.runIf(thorough)(
    'whatever the bytes are, split and joined as they come, and 20 MB without a pause (A-152)',
    async () => {
      const big = line({ id: 2, method: 'x', params: { text: 'ü'.repeat(10_000_000) } });
      const input = Buffer.concat([
        Buffer.from('no json\r\n\n{"half":'),
        Buffer.from([0xff, 0xfe, 0x0a]),
        Buffer.from(big),
        Buffer.from('"the end"'),
      ]);
      const { stdout, stderr, code } = await talk(
        [bin, 'intercept', '--', process.execPath, '-e', parrot],
        input,
        '"the end"',
      );
      expect(stdout.equals(input)).toBe(true);
      expect(code).toBe(7);
      expect(stderr).toContain('parrot leaves');
      expect(stderr.trimEnd().split('\n').at(-1)).toBe(
        'Exit 7: The server ended with exit code 7, which is passed on.',
      );
    },
  );
});

test.runIf(thorough)("the SDK's client talks through it, and the trace gives the same verdicts again", async () => {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [
      bin,
      'intercept',
      '--quiet',
      '--trace',
      space.path('sdk.jsonl'),
      '--report',
      space.path('sdk.json'),
      '--',
      process.execPath,
      everything,
      'stdio',
    ],
    stderr: 'ignore',
  });
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport);
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toContain('echo');
  expect(await client.callTool({ name: 'echo', arguments: { message: 'hi' } })).toMatchObject({
    content: [{ type: 'text', text: 'Echo: hi' }],
  });
  await client.close();
  await expect.poll(() => space.has('sdk.json'), { timeout: 20_000 }).toBe(true);
  const report = JSON.parse(space.read('sdk.json')) as RunReport;
  expect(report.parts[0]!.verdicts.filter(({ status }) => status === 'fail' || status === 'error')).toEqual([]);
  expect(report.parts[0]!.verdicts.find(({ rule }) => rule === 'tools/list-result-schema')?.status).toBe('pass');
  const again = JSON.parse(
    (await space.call(['judge', '--role', 'both', '--json', space.path('sdk.jsonl')])).stdout,
  ) as RunReport;
  expect(again.parts[0]!.verdicts).toEqual(report.parts[0]!.verdicts);
});

test('a violation is told the moment it happens', async () => {
  const child = spawn(
    process.execPath,
    [bin, 'intercept', '--live', '--', process.execPath, odd, 'answers-notifications'],
    { stdio: 'pipe' },
  );
  let stderr = '';
  const told = new Promise<void>((resolve) => {
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk.toString();
      if (stderr.includes('jsonrpc/notification-response-absence')) resolve();
    });
  });
  child.stdout.resume();
  child.stdin.write(hello + ready + line({ id: 1, method: 'tools/list' }));
  // Stdin stays open until then: the finding does not wait for the end.
  await told;
  child.stdin.end();
  expect(await new Promise((resolve) => child.once('close', resolve))).toBe(0);
  expect(stderr).toMatch(/\[mcpc] server violates MUST NOT: jsonrpc\/notification-response-absence: .+ \(event \d+\)/);
  // The exit code is the server's, and the last line says so.
  expect(stderr).toMatch(/violated: .*jsonrpc\/notification-response-absence/);
  expect(stderr).not.toContain('Exit 1');
  expect(stderr.trimEnd().split('\n').at(-1)).toBe('Exit 0: The server ended with exit code 0, which is passed on.');
});

describe('trajectories', () => {
  const calls = [
    hello,
    ready,
    line({ id: 1, method: 'tools/call', params: { name: 'echo', arguments: { message: 'a' } } }),
    line({ id: 2, method: 'tools/call', params: { name: 'get-sum', arguments: { a: 1, b: 2 } } }),
  ].join('');
  const server = ['--', process.execPath, everything, 'stdio'];

  test.runIf(thorough)('that hold and that are broken (A-149, A-150)', async () => {
    const good = space.write(
      'good.yaml',
      'trajectory:\n  - { type: order, tools: [echo, get-sum] }\n  - { type: args_contain, tool: get-sum, args: { a: "1" } }\n  - { type: absence, tools: [rm] }\n',
    );
    const bad = space.write(
      'bad.yaml',
      'trajectory:\n  - { type: order, tools: [get-sum, echo] }\n  - { type: presence, tools: [echo, fly] }\n',
    );
    const [held, broken] = await Promise.all([
      talk([bin, 'intercept', '--suite', good, ...server], Buffer.from(calls), '"id":2'),
      talk([bin, 'intercept', '--suite', bad, ...server], Buffer.from(calls), '"id":2'),
    ]);
    expect(held.stderr).toContain('2 tool calls: echo, get-sum');
    expect(held.stderr).not.toContain('BROKEN');
    expect(held.code).toBe(0);
    expect(broken.stderr).toContain('BROKEN order: echo was not called after get-sum');
    expect(broken.stderr).toContain('BROKEN presence: fly was never called');
    expect(broken.code).toBe(1);
    expect(broken.stderr.trimEnd().split('\n').at(-1)).toBe('Exit 1: An assertion about the tool calls does not hold.');
  });

  test('a wrong file is told by line before anything starts', async () => {
    const file = space.write(
      'wrong.yaml',
      'trajectory:\n  - { type: presence, tools: [a] }\n  - { type: often, tools: [a] }\n',
    );
    const { code, stderr } = await space.run(['intercept', '--suite', file, '--', 'no-such-command']);
    expect(code).toBe(2);
    expect(stderr).toContain('wrong.yaml:3: trajectory[1] has the unknown type "often"');
  });
});

test('a signal reaches the server, whose end is ours', async () => {
  const server = `process.on('SIGTERM', () => { process.stderr.write('told\\n'); process.exit(3); }); process.stdin.resume(); process.stderr.write('up ' + process.pid + '\\n');`;
  const child = spawn(process.execPath, [bin, 'intercept', '--', process.execPath, '-e', server], { stdio: 'pipe' });
  let stderr = '';
  const up = new Promise<void>((resolve) =>
    child.stderr.on('data', (chunk: Buffer) => ((stderr += chunk.toString()).includes('up ') ? resolve() : undefined)),
  );
  await up;
  child.kill('SIGTERM');
  expect(await new Promise((resolve) => child.once('close', resolve))).toBe(3);
  expect(stderr).toContain('told');
  const pid = Number(/up (\d+)/.exec(stderr)?.[1]);
  expect(() => process.kill(pid, 0)).toThrow();
});

test('a command that is not there is a target error', async () => {
  const { code, stderr } = await space.run(['intercept', '--', 'no-such-command']);
  expect(code).toBe(3);
  expect(stderr).toContain('no-such-command');
});
