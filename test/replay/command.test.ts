/** `mcpc replay` as a command: Streamable HTTP with its sessions, a live server for what is missing, reports and exit codes. Needs the build. */
import { afterEach, describe, expect, test } from 'vitest';
import { errorOf, exampleServer, Workspace } from '../cli/harness.ts';
import { answer, call, hello, lines } from './support.ts';
import { thorough } from '../support/run/options.ts';

const work = new Workspace();
const welcome = {
  jsonrpc: '2.0',
  id: 0,
  result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'paint', version: '7' } },
};
work.write('paint.jsonl', lines({ ...hello, id: 0 }, welcome, call(1, 'mix'), answer(1, 'green')));

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

async function listening(...args: string[]): Promise<string> {
  const running = work.start(['replay', ...args, '--listen', '127.0.0.1:0']);
  cleanups.push(async () => {
    running.kill('SIGINT');
    await running.ended;
  });
  await running.shows('For a client:');
  return /Serving \S+ at (\S+);/.exec(running.text())![1]!;
}

function post(url: string, message: object, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body: JSON.stringify(message),
  });
}

describe('over Streamable HTTP', () => {
  test('each client gets a session of its own, which DELETE ends', async () => {
    const url = await listening('paint.jsonl');
    const ids: string[] = [];
    for (let client = 0; client < 2; client += 1) {
      const reply = await post(url, hello);
      expect(await reply.json()).toEqual({ ...welcome, id: 'h' });
      ids.push(reply.headers.get('mcp-session-id')!);
    }
    expect(new Set(ids).size).toBe(2);
    const session = { 'mcp-session-id': ids[0]! };
    expect(await (await post(url, call(5, 'mix'), session)).json()).toEqual(answer(5, 'green'));
    expect((await post(url, { jsonrpc: '2.0', method: 'notifications/initialized' }, session)).status).toBe(202);
    expect((await fetch(url, { method: 'DELETE', headers: session })).status).toBe(200);
    expect((await post(url, call(6, 'mix'), session)).status).toBe(404);
    expect((await post(url, hello, { origin: 'http://evil.example' })).status).toBe(403);
    expect((await post(url, call(7, 'mix'), { 'mcp-session-id': ids[1]! })).status).toBe(200);
  });

  test('statuses, headers and streams are as recorded; a stream is resumed behind the last event', async () => {
    const exchange = (message: object, status: number, type: string, text: string, more: [string, string][] = []) => ({
      request: {
        method: 'POST',
        url: 'http://paint.example/mcp',
        headers: [],
        postData: { text: JSON.stringify(message) },
      },
      response: {
        status,
        headers: [['Content-Type', type], ...more].map(([name, value]) => ({ name, value })),
        content: { text },
      },
    });
    const progress = { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'half' } };
    const events = [progress, answer(1, 'green')]
      .map((one, at) => `event: message\nid: old-${at}\ndata: ${JSON.stringify(one)}\n\n`)
      .join('');
    work.write('paint.har', {
      log: {
        entries: [
          exchange({ ...hello, id: 0 }, 200, 'application/json', JSON.stringify(welcome), [
            ['Mcp-Session-Id', 'old'],
            ['X-Paint', 'wet'],
          ]),
          exchange(call(1, 'mix'), 200, 'text/event-stream', events),
          exchange(call(2, 'locked'), 401, 'text/plain', 'no', [['WWW-Authenticate', 'Bearer scope="paint"']]),
        ],
      },
    });
    const url = await listening('paint.har');
    const opened = await post(url, hello);
    const session = { 'mcp-session-id': opened.headers.get('mcp-session-id')! };
    expect([session['mcp-session-id'] === 'old', opened.headers.get('x-paint')]).toEqual([false, 'wet']);
    const streamed = await post(url, call(5, 'mix'), session);
    expect(streamed.headers.get('content-type')).toBe('text/event-stream');
    const text = await streamed.text();
    expect(text.match(/^data: .*$/gm)).toEqual(
      [progress, answer(5, 'green')].map((one) => `data: ${JSON.stringify(one)}`),
    );
    const [first] = /(?<=^id: ).*$/m.exec(text)!;
    const resumed = await fetch(url, { headers: { ...session, accept: 'text/event-stream', 'last-event-id': first } });
    expect((await resumed.text()).match(/^data: .*$/gm)).toEqual([`data: ${JSON.stringify(answer(5, 'green'))}`]);
    const locked = await post(url, call(6, 'locked'), session);
    expect([locked.status, locked.headers.get('www-authenticate')]).toEqual([401, 'Bearer scope="paint"']);
  });
});

describe('what was not recorded', () => {
  const asked = lines(hello, { jsonrpc: '2.0', method: 'notifications/initialized' }, call(3, 'echo', { text: 'new' }));
  const server = ['--', process.execPath, exampleServer, 'stdio'];

  test.runIf(thorough)('is asked of the live server, and added to the recording, which then has it', async () => {
    const trace = ['check', '--trace', 'live.trace.jsonl', '--only', 'ping', ...server];
    await work.call(trace);
    const forwarded = await work.run(['replay', 'live.trace.jsonl', '--on-miss', 'forward', ...server], {
      input: asked,
    });
    expect(forwarded.stdout).toContain('"id":3');
    expect(forwarded.stdout).toContain('new');
    const recorded = await work.run(['replay', 'live.trace.jsonl', '--on-miss', 'record', ...server], { input: asked });
    expect(recorded.stderr).toContain('1 request added to live.trace.jsonl.');
    expect((await work.call(['trace', 'validate', 'live.trace.jsonl'])).code).toBe(0);
    const again = await work.run(['replay', 'live.trace.jsonl', '--strict'], { input: asked });
    // Requests that came at once are answered side by side.
    const sorted = (text: string): string[] => text.split('\n').toSorted();
    expect([again.code, sorted(again.stdout)]).toEqual([0, sorted(recorded.stdout)]);
  });

  test('--strict ends with 1 and --report names it', async () => {
    const { code } = await work.run(['replay', 'paint.jsonl', '--strict', '--report', 'r.json'], { input: asked });
    expect(code).toBe(1);
    expect(JSON.parse(work.read('r.json'))).toMatchObject({
      format: 'mcpc-replay-report',
      requests: 2,
      served: 1,
      missed: [{ words: expect.stringContaining('tools/call'), times: 1 }],
      unused: [expect.stringContaining('tools/call {"arguments":{},"name":"mix"}')],
    });
    const plain = await work.run(['replay', 'paint.jsonl', '--on-miss', 'plain', '-q'], { input: asked });
    expect(plain).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('"content":[]') });
  });
});

test.each<[string[], RegExp]>([
  [['nowhere.jsonl'], /nowhere\.jsonl/],
  [['paint.jsonl', '--listen', '7000'], /--listen takes HOST:PORT/],
  [['paint.jsonl', '--fault', 'slow'], /there is no fault "slow"/],
  [['paint.jsonl', '--ignore', '$['], /--ignore \$\[ is no JSONPath/],
  [['paint.jsonl', '--on-miss', 'forward'], /needs a live server/],
  [['paint.jsonl', '--url', 'http://127.0.0.1:1'], /nothing would ask it/],
  [['paint.jsonl', '--on-miss', 'record', '--url', 'http://127.0.0.1:1'], /is no trace of mcpc/],
])('%j is wrong usage', async (args, why) => {
  const outcome = await work.call(['replay', ...args]);
  expect(outcome.code).toBe(2);
  expect(errorOf(outcome).why).toMatch(why);
});
