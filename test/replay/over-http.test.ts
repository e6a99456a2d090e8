/** Faults and the ways to match over Streamable HTTP, as a client sees them; and the pace. */
import { expect, onTestFinished, test } from 'vitest';
import { parseFault } from '../../src/replay/faults.ts';
import { openReplay, type ReplaySettings } from '../../src/replay/replay.ts';
import { Workspace } from '../cli/harness.ts';
import { answer, call, conversed, hello, lines, settings, type Json } from './support.ts';

const work = new Workspace();
const tools = [
  { name: 'a', inputSchema: { type: 'object' } },
  { name: 'b', inputSchema: { type: 'object' } },
];
const file = work.write(
  'made.jsonl',
  lines(
    hello,
    {
      jsonrpc: '2.0',
      id: 'h',
      result: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } },
    },
    { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    { jsonrpc: '2.0', id: 1, result: { tools } },
    call(2, 'a', { time: 1, x: 'k' }),
    answer(2, 'first'),
    call(3, 'a', { time: 1, x: 'k' }),
    answer(3, 'second'),
    call(4, 'b'),
    answer(4, 'of b'),
  ),
);

/** Sends messages one after another. @returns for each the status and the body, or the code of what broke off */
async function exchanged(
  messages: readonly Json[],
  more: Partial<ReplaySettings>,
  recording = file,
): Promise<[number, string][]> {
  const replay = await openReplay(recording, {}, { ...settings, ...more });
  const { url, close } = await replay.listen('http', { host: '127.0.0.1', port: 0 });
  onTestFinished(close);
  const session: Record<string, string> = {};
  const got: [number, string][] = [];
  for (const message of [hello, ...messages]) {
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...session };
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(message) }).catch(
      () => undefined,
    );
    const id = response?.headers.get('mcp-session-id');
    if (typeof id === 'string') session['mcp-session-id'] = id;
    got.push([response?.status ?? 0, (await response?.text().catch(() => 'broken off')) ?? 'no response']);
  }
  return got.slice(1);
}

const list = { jsonrpc: '2.0', id: 9, method: 'tools/list' };

/** A trace over HTTP: the request is accepted with 202, and its response comes on the stream of a GET. */
function answeredElsewhere(): string {
  const events: Json[] = [
    { exchange: 'x1', from: 'client', kind: 'http-request', http: { method: 'POST', path: '/mcp', headers: {} } },
    { exchange: 'x1', from: 'client', kind: 'message', message: hello },
    { exchange: 'x1', from: 'server', kind: 'http-response', http: { status: 200, headers: {} } },
    {
      exchange: 'x1',
      from: 'server',
      kind: 'message',
      message: {
        jsonrpc: '2.0',
        id: 'h',
        result: { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: { name: 's', version: '1' } },
      },
    },
    { exchange: 'x2', from: 'client', kind: 'http-request', http: { method: 'GET', path: '/mcp', headers: {} } },
    { exchange: 'x2', from: 'server', kind: 'http-response', http: { status: 200, headers: {} } },
    { exchange: 'x3', from: 'client', kind: 'http-request', http: { method: 'POST', path: '/mcp', headers: {} } },
    { exchange: 'x3', from: 'client', kind: 'message', message: call(1, 'a') },
    { exchange: 'x3', from: 'server', kind: 'http-response', http: { status: 202, headers: {} } },
    { exchange: 'x2', from: 'server', kind: 'message', message: answer(1, 'late') },
  ];
  const head = {
    format: 'mcpc-trace',
    version: 1,
    origin: 'check',
    transport: 'http',
    revision: '2025-06-18',
    era: 'stateful',
    target: { name: 's', url: 'http://127.0.0.1:1/mcp' },
    startedAt: '2026-11-29T00:00:00.000Z',
  };
  return lines(head, ...events.map((event, index) => ({ seq: index + 1, t: index, session: 's1', ...event })));
}

test('a response that came on another stream answers the request, which is no longer accepted with 202', async () => {
  const elsewhere = work.write('elsewhere.trace.jsonl', answeredElsewhere());
  expect(await exchanged([call(5, 'a')], {}, elsewhere)).toEqual([[200, JSON.stringify(answer(5, 'late'))]]);
});
const whole = JSON.stringify(answer(7, 'first'));

test.each<[fault: string, status: number, body: string | RegExp]>([
  ['status=503', 503, /A status that --fault makes/],
  ['latency=1ms', 200, whole],
  ['error', 200, /"id":7,"error":\{"code":-32603/],
  ['empty', 200, '{"jsonrpc":"2.0","id":7,"result":{}}'],
  ['invalid', 200, whole.slice(0, -1)],
  ['cut', 200, 'broken off'],
  ['disconnect', 0, 'no response'],
])('fault %s', async (fault, status, body) => {
  const faults = [parseFault(`${fault},tool=a`)];
  const [faulty, fine] = await exchanged([call(7, 'a', { time: 1, x: 'k' }), call(8, 'b')], { faults });
  expect(faulty).toEqual([status, typeof body === 'string' ? body : expect.stringMatching(body)]);
  expect(fine).toEqual([200, JSON.stringify(answer(8, 'of b'))]);
});

test('tools change after some requests, not before', async () => {
  const names = ([, body]: [number, string]): string[] =>
    (JSON.parse(body) as { result: { tools: { name: string }[] } }).result.tools.map(({ name }) => name);
  const got = await exchanged([list, list], { faults: [parseFault('tools=2')] });
  expect(got.map(names)).toEqual([['a', 'b'], ['b']]);
});

test.each<[title: string, more: Partial<ReplaySettings>, asked: Json, got: string | RegExp]>([
  ['other params are a miss', {}, call(7, 'a', { time: 2, x: 'k' }), /\$\.arguments\.time \(recorded 1, asked 2\)/],
  ['by method alone', { match: { by: 'method', strict: false, ignore: [] } }, call(7, 'a', { time: 2 }), 'first'],
  [
    'in order',
    { match: { by: 'order', strict: false, ignore: [] } },
    call(7, 'a'),
    /the next request of the recording is/,
  ],
  [
    'a path does not count',
    { match: { by: 'params', strict: false, ignore: ['$.arguments.time'] } },
    call(7, 'a', { time: 2, x: 'k' }),
    'first',
  ],
  ['a plain answer', { onMiss: 'plain' }, call(7, 'new'), '"content":[]'],
])('%s', async (_title, more, asked, wanted) => {
  const [[, body] = [0, '']] = await exchanged([asked], more);
  if (typeof wanted === 'string') expect(body).toContain(wanted);
  else expect(body).toMatch(wanted);
});

test('at the pace of the recording a response takes its time, at ten times the pace a tenth', async () => {
  const said = (seq: number, t: number, from: string, message: object): object => ({
    seq,
    t,
    session: 's1',
    from,
    kind: 'message',
    message,
  });
  const header = { format: 'mcpc-trace', version: 1, origin: 'intercept', transport: 'stdio', target: { name: 's' } };
  const messages = [
    header,
    said(1, 0, 'client', call(1, 'a')),
    said(2, 400, 'server', answer(1, 'slow')),
    { footer: true, events: 2, complete: true },
  ];
  const paced = work.write('paced.jsonl', lines(...messages));
  for (const [speed, least] of [
    [1, 390],
    [10, 39],
  ] as const) {
    const begun = performance.now();
    const { got } = await conversed(paced, [call(5, 'a')], { speed });
    // It may take longer, as on a busy machine; never less.
    expect([got, performance.now() - begun >= least]).toEqual([[answer(5, 'slow')], true]);
  }
});
