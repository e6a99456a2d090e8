/** `mcpc` as programs use it: check, judge, runSuite and connect in this process. Real SDK servers, as objects and as processes. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { check, connect, judge, listCases, McpcError, runSuite } from '../../src/api/index.ts';
import type { RunReport } from '../../src/core/model/reports/run-report.ts';
import { exampleServer, root } from '../cli/harness.ts';
import { moody } from '../coprocess/harness.ts';
import { createServer } from './servers/objects.mjs';
import { thorough } from '../support/run/options.ts';

const objects = join(root, 'test/api/servers/objects.mjs');
const node = process.execPath;
let folder: string;
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'mcpc-api-'))));
afterAll(() => rmSync(folder, { recursive: true }));

const statuses = ({ parts }: RunReport): Record<string, string> =>
  Object.fromEntries(parts.flatMap(({ verdicts }) => verdicts.map(({ rule, status }) => [rule, status])));

describe.each([1, 2] as const)('a server object of SDK %i.x', (major) => {
  test('answers in a session, whose conversation is recorded and judged', async () => {
    await using session = await connect(createServer(major), { name: 'mine' });
    expect(session).toMatchObject({ name: 'mine', revision: '2025-11-25', over: undefined });
    expect(session.handshake).toMatchObject({ serverInfo: { name: `object-${major}` } });
    const greeted = await session.call('greet', { name: 'Ada' });
    expect(greeted).toMatchObject({ method: 'tools/call', error: undefined });
    expect(greeted.result).toMatchObject({ structuredContent: { greeting: 'Hello, Ada!', length: 3 } });
    expect(greeted.durationMs).toBeGreaterThan(0);
    const { items } = await session.list('tools');
    expect(items.map(({ name }) => name)).toEqual(['greet', 'refuse', 'announce']);
    expect((await session.read('note:first')).result).toMatchObject({ contents: [{ text: 'a note' }] });
    expect((await session.get('welcome', { name: 'Ada' })).result).toMatchObject({
      messages: [{ content: { text: 'Welcome Ada' } }],
    });
    const completed = await session.complete({ prompt: 'welcome' }, { name: 'name', value: 'A' });
    expect(completed.error).toMatchObject({ code: -32601 });
    expect((await session.request('no/such', { a: 1 })).error).toMatchObject({ code: -32601 });
    await session.call('announce');
    expect(session.notifications('notifications/message')).toEqual([
      { method: 'notifications/message', params: { level: 'info', data: 'announced' } },
    ]);
    const { header, events } = session.trace();
    expect(header).toMatchObject({ revision: '2025-11-25', transport: 'stdio' });
    expect(events.filter(({ message }) => (message as { method?: string })?.method === 'tools/call')).toHaveLength(2);
    const verdicts = await session.verdicts();
    expect(verdicts.filter(({ status }) => status === 'fail')).toEqual([]);
    expect(verdicts.find(({ rule }) => rule === 'ping/answer-empty-result')).toMatchObject({ status: 'not-exercised' });
    // It goes on, and what comes is judged as well.
    await session.request('ping');
    const [ping] = await session.verdicts({ only: ['ping/answer-empty-result'] });
    expect(ping).toMatchObject({ status: 'pass' });
    expect((await session.verdicts()).find(({ rule }) => rule === ping!.rule)).toMatchObject({ status: 'pass' });
  });

  test('can be connected to again once a session is closed', async () => {
    const server = createServer(major);
    for (const name of ['Ada', 'Bob']) {
      const session = await connect(server);
      expect((await session.call('greet', { name })).result).toMatchObject({ structuredContent: { length: 3 } });
      await session.close();
      await expect(session.call('greet', { name })).rejects.toMatchObject({ stage: 'target' });
    }
  });

  test.runIf(thorough).each([false, true])('gets the verdicts of its form on stdio (broken: %s)', async (broken) => {
    const [inside, outside] = [
      await check(() => createServer(major, broken)),
      await check([node, objects, String(major), broken ? 'broken' : 'sound']),
    ];
    // Whether a response and the cancellation of its request cross is decided anew in each run, on either side.
    const racing = 'cancellation/receiver-response-suppression';
    const { [racing]: here, ...those } = statuses(inside);
    const { [racing]: there, ...others } = statuses(outside);
    expect(those).toEqual(others);
    expect([here, there]).not.toContain('fail');
    expect(inside.incomplete).toBeNull();
    expect(statuses(inside)['ping/answer-empty-result']).toBe(broken ? 'fail' : 'pass');
  });
});

test('a function may connect by itself: both eras of SDK 2.x', async () => {
  const report = await check(
    (transport) => void serveStdio(() => createServer(2) as never, { transport: transport as never }),
    {
      spec: '2026-07-28',
      profile: 'quick',
    },
  );
  expect(report.parts[0]).toMatchObject({ revision: '2026-07-28', era: 'stateless' });
  expect(report.parts[0]!.decided).toBeGreaterThan(20);
});

test('a server that cannot be made is a target that cannot be reached, with its words on stderr', async () => {
  const lines: string[] = [];
  const made = connect(
    () => {
      throw new Error('the database is away');
    },
    { onStderr: (line) => lines.push(line) },
  );
  await expect(made).rejects.toMatchObject({ name: 'McpcError', stage: 'target' });
  expect(lines.join('\n')).toContain('the database is away');
});

test('several at a time; nothing is written, signals stay with the program, and each tells its progress', async () => {
  const written = [vi.spyOn(process.stdout, 'write'), vi.spyOn(process.stderr, 'write')];
  const exits = vi.spyOn(process, 'exit');
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  const before = signals.map((signal) => process.listenerCount(signal));
  const stages = new Set<string>();
  const stderr: string[] = [];
  try {
    const [first, second, suite] = await Promise.all([
      check(() => createServer(1), { onProgress: ({ stage }) => stages.add(stage), only: ['tools', 'ping'] }),
      check([node, objects, '2'], { onStderr: (line) => stderr.push(line), only: ['tools', 'ping'], name: 'second' }),
      runSuite(writeSuite('several.yaml'), { target: () => createServer(1) }),
    ]);
    expect([first, second].map(({ target }) => target.name)).toEqual(['server', 'second']);
    expect(suite.counts).toMatchObject({ total: 3, passed: 2, failed: 1 });
    expect([...stages]).toEqual(['connecting', 'probing', 'judging']);
    for (const spy of written) expect(spy).not.toHaveBeenCalled();
    expect(exits).not.toHaveBeenCalled();
    // One listener ends what mcpc started, and lets the signal have its way.
    for (const [index, signal] of signals.entries())
      expect(process.listenerCount(signal) - before[index]!).toBeLessThanOrEqual(1);
  } finally {
    for (const spy of [...written, exits]) spy.mockRestore();
  }
});

describe('giving up', () => {
  test('a check, a run and a session end with the signal, and reject with its reason', async () => {
    const gaveUp = new AbortController();
    const onProgress = ({ stage }: { stage: string }): void => {
      if (stage === 'probing') gaveUp.abort(new Error('enough'));
    };
    const checked = check([node, objects], { signal: gaveUp.signal, onProgress });
    await expect(checked).rejects.toMatchObject({ stage: 'interrupted', cause: new Error('enough') });
    await expect(check([node, objects], { signal: gaveUp.signal })).rejects.toBeInstanceOf(McpcError);
    await expect(connect([node, objects], { signal: gaveUp.signal })).rejects.toMatchObject({ stage: 'interrupted' });
    await expect(runSuite(folder, { signal: gaveUp.signal })).rejects.toMatchObject({ stage: 'interrupted' });
  });

  test('one request; the session goes on', async () => {
    await using session = await connect([node, moody]);
    const gaveUp = new AbortController();
    const hanging = session.call('hang', {}, { signal: gaveUp.signal });
    gaveUp.abort('enough');
    await expect(hanging).rejects.toMatchObject({ stage: 'interrupted', cause: 'enough' });
    await expect(session.call('hang', {}, { timeoutMs: 50 })).rejects.toThrow(
      /no response to tools\/call within 50 ms/,
    );
    expect((await session.call('echo', { message: 'still here' })).result).toMatchObject({
      content: [{ text: 'still here' }],
    });
    await expect(session.call('die')).rejects.toMatchObject({ stage: 'target' });
    expect(session.over).toContain('the server ended');
  });

  test.runIf(thorough)('a check that takes too long gives an incomplete report', async () => {
    const report = await check(
      (transport) => {
        const { send } = transport;
        let sent = 0;
        // Only the handshake is answered.
        transport.send = async (message) => {
          if ((sent += 1) === 1) await send(message);
        };
        return createServer(1);
      },
      { checkTimeoutMs: 3_000, timeoutMs: 60_000 },
    );
    expect(report).toMatchObject({ compliant: false });
    expect(report.incomplete).not.toBeNull();
  });
});

describe('over HTTP, with a server that mcpc starts', () => {
  const target = {
    url: 'http://127.0.0.1:{{port}}/mcp',
    serve: `"${node}" "${exampleServer}" http --port {{port}}`,
  };

  test('the trace of a session is judged to the same verdicts', async () => {
    const traceFile = join(folder, 'session.trace.jsonl');
    const session = await connect(target, { traceFile, spec: '2025-11-25' });
    await session.list('tools');
    await session.request('ping');
    const live = await session.verdicts();
    await session.close();
    const saved = await judge(traceFile);
    expect(saved.parts[0]!.verdicts.filter(({ status }) => status === 'pass').map(({ rule }) => rule)).toEqual(
      expect.arrayContaining(live.filter(({ status }) => status === 'pass').map(({ rule }) => rule)),
    );
    expect(live.filter(({ status }) => status === 'pass').length).toBeGreaterThan(10);
    expect(live.filter(({ status }) => status === 'fail')).toEqual([]);
  });

  test('a check with a trace of it', async () => {
    const traceFile = join(folder, 'check.trace.jsonl');
    const report = await check(target, { only: ['ping'], traceFile });
    expect(report).toMatchObject({ transport: 'http', compliant: true, trace: traceFile });
    expect(existsSync(traceFile)).toBe(true);
  });
});

describe('suites', () => {
  test('cases are listed, chosen, told as they end, and fail with their reason', async () => {
    const suite = writeSuite('suite.yaml');
    expect(await listCases(suite)).toEqual([
      { id: `${suite}#1`, name: 'greets', file: suite, line: 6, tags: ['quick'] },
      { id: `${suite}#2`, name: 'greets nobody', file: suite, line: 11, tags: [] },
      { id: `${suite}#3`, name: 'refuses', file: suite, line: 15, tags: [] },
    ]);
    const begun: string[] = [];
    const told: string[] = [];
    const report = await runSuite([suite], {
      onBegin: ({ name }) => begun.push(name),
      onCase: ({ name, status }) => told.push(`${status} ${name}`),
      session: 'suite',
      jobs: 1,
    });
    expect(begun).toEqual(['greets', 'greets nobody', 'refuses']);
    expect(told).toEqual(['pass greets', 'fail greets nobody', 'pass refuses']);
    expect(report.cases[1]!.detail).toContain('Hello, Ada!');
    const chosen = await runSuite(suite, { tags: ['quick'] });
    expect(chosen.counts).toMatchObject({ total: 1, passed: 1 });
  });

  test('what is wrong in a file is told with its place', async () => {
    const file = join(folder, 'wrong.yaml');
    writeFileSync(file, 'version: 1\ncases:\n  - name: 3\n    steps: none\n');
    await expect(runSuite(file)).rejects.toThrow(/wrong\.yaml:4:\d+: /);
  });
});

test('options that do not fit are refused with a remedy', async () => {
  await expect(check(createServer(1))).rejects.toMatchObject({
    stage: 'usage',
    remedy: /function that makes a server/,
  });
  await expect(check({} as never)).rejects.toMatchObject({ stage: 'usage', remedy: /Give an address/ });
  await expect(connect(createServer(1), { client: { sampling: 3 } })).rejects.toThrow(/^client: /);
  await expect(check([node, objects], { only: ['no/such'] })).rejects.toThrow('No rule fits "no/such"');
  await expect(runSuite([])).rejects.toMatchObject({ stage: 'usage' });
  await expect(judge(join(folder, 'none.jsonl'))).rejects.toMatchObject({ stage: 'usage' });
});

function writeSuite(name: string): string {
  const file = join(folder, name);
  writeFileSync(
    file,
    `servers:
  one:
    command: [${JSON.stringify(node)}, ${JSON.stringify(objects)}]
tools:
  # Reached by name.
  - name: greets
    tool: greet
    tags: [quick]
    args: { name: Ada }
    expect: [{ target: result.structuredContent.length, matcher: { exact: 3 } }]
  - name: greets nobody
    tool: greet
    args: { name: Ada }
    expect: [{ target: result.structuredContent.greeting, matcher: { exact: "Hello, nobody!" } }]
  - name: refuses
    tool: refuse
    expect: [{ target: result.isError, matcher: { exact: true } }]
`,
  );
  return file;
}
