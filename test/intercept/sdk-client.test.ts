/**
 * The official SDK's client of 2026-07-28 and a server on it talk through `mcpc intercept`, on stdio and over HTTP:
 * rounds of input, subscriptions, parameter headers, caching, progress and logs. What either side gets is what it gets
 * without us, the server breaks no rule, and the saved trace is judged alike.
 */
import { spawn } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  Client,
  ReadBuffer,
  serializeMessage,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client';
import { afterEach, describe, expect, test } from 'vitest';
import type { RunReport } from '../../src/core/model/reports/run-report.ts';
import { root, Workspace } from '../cli/harness.ts';
import { freePort } from '../support/free-port.ts';
import { someOf } from '../support/run/some-of.ts';

const space = new Workspace();
const bin = `${root}/bin/mcpc.js`;
const program = fileURLToPath(new URL('../e2e/servers/sdk-server.mjs', import.meta.url));
const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** A process that speaks on its pipes. Unlike the SDK's own transport it waits for the end, however long judging takes. */
function startedTransport([command, ...args]: string[]): Transport {
  const child = spawn(command!, args, { stdio: ['pipe', 'pipe', 'ignore'] });
  cleanups.push(() => child.kill('SIGKILL'));
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const received = new ReadBuffer();
  const transport: Transport = {
    start: () => Promise.resolve(),
    send: (message) =>
      new Promise((resolve, reject) =>
        child.stdin.write(serializeMessage(message), (error) => (error ? reject(error) : resolve())),
      ),
    async close() {
      child.stdin.end();
      await ended;
      transport.onclose?.();
    },
  };
  child.stdout.on('data', (chunk: Buffer) => {
    received.append(chunk);
    for (let message = received.readMessage(); message !== null; message = received.readMessage())
      transport.onmessage?.(message);
  });
  return transport;
}

/** What the client gets to see, the same in every run. */
async function converse(transport: Transport): Promise<unknown[]> {
  const client = new Client(
    { name: 'test', version: '1' },
    {
      capabilities: { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} },
      versionNegotiation: { mode: { pin: '2026-07-28' } },
    },
  );
  const seen: unknown[] = [];
  client.setRequestHandler('elicitation/create', ({ params }) =>
    params.mode === 'url' ? { action: 'decline' } : { action: 'accept', content: { name: 'Ada' } },
  );
  client.setRequestHandler('sampling/createMessage', () => ({
    model: 'm',
    role: 'assistant',
    content: { type: 'text', text: 'in short' },
  }));
  client.setRequestHandler('roots/list', () => ({ roots: [{ uri: 'file:///work' }] }));
  let heard = (_method: string): void => {};
  client.setNotificationHandler('notifications/tools/list_changed', ({ method }) => heard(method));
  client.setNotificationHandler('notifications/resources/updated', ({ method }) => heard(method));
  await client.connect(transport);
  const { tools } = await client.listTools();
  seen.push(tools.map(({ name }) => name));
  const call = async (name: string, values = {}): Promise<void> =>
    void seen.push((await client.callTool({ name, arguments: values })).content);
  await call('echo', { message: 'näh – 漢字' });
  await call('route', { region: 'ü or not', priority: 7, urgent: true, customer: { name: ' edges ' } });
  await call('route', { region: 'eu-west' });
  for (const asking of ['greet', 'quiz', 'compose', 'connect', 'folders', 'wait']) await call(asking);
  seen.push(
    (await client.getPrompt({ name: 'interview' })).messages,
    (await client.readResource({ uri: 'notes://logo' })).contents,
  );

  const subscription = await client.listen({ toolsListChanged: true, resourceSubscriptions: ['notes://counter'] });
  seen.push(subscription.honoredFilter);
  const told = (method: string): Promise<void> =>
    new Promise((resolve) => (heard = (name) => name === method && resolve()));
  for (const [tool, method] of [
    ['toggle-extra', 'notifications/tools/list_changed'],
    ['increment', 'notifications/resources/updated'],
  ] as const) {
    const change = told(method);
    await call(tool);
    await change;
  }
  await subscription.close();
  seen.push(await subscription.closed);
  // The SDK drops progress that arrives in one piece with the answer; that it is told, the rules see.
  await client.callTool({ name: 'count', arguments: { steps: 2 } }, { onprogress: () => {} });
  // The subscription is over: nothing is told of this change.
  await call('toggle-extra');
  await client.close();
  return seen;
}

/** A server of its own: changes of one conversation are none of the next. */
async function serveHttp(eras: string[]): Promise<string> {
  const port = await freePort();
  const child = spawn(process.execPath, [program, String(port), ...eras], { stdio: 'ignore' });
  cleanups.push(async () => {
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await gone;
  });
  const url = `http://127.0.0.1:${port}/`;
  await expect
    .poll(
      () =>
        fetch(url).then(
          ({ status }) => status,
          () => undefined,
        ),
      { timeout: 60_000 },
    )
    .toBe(404);
  return `${url}mcp`;
}

const failures = ({ parts }: RunReport): string[] =>
  parts[0]!.verdicts
    .filter(({ status }) => status === 'fail' || status === 'error')
    .map(({ rule, role }) => `${role} ${rule}`);

/** Rules that the conversation decides, of each piece of the revision. */
const decided = [
  'caching/hints-resources-read',
  'elicitation/server-decline-handling',
  'mrtr/result-request-kinds',
  'mrtr/result-schema',
  'progress/value-increase',
  'sampling/request-schema',
  'subscriptions/acknowledgement-first-message',
  'subscriptions/filter-resource-uris',
  'subscriptions/identifier-value',
  'subscriptions/listen-request-filter',
  'http/param-header-annotation-placement',
];
const decidedOverHttp = [
  'http/param-header-inspection-decoding',
  'http/std-header-name',
  'progress/flow-http-stream',
  'subscriptions/listen-http-stream',
];

async function judge(file: string, ...flags: string[]): Promise<RunReport> {
  return JSON.parse((await space.call(['judge', '--role', 'both', '--json', ...flags, file])).stdout) as RunReport;
}

/** What was judged while it happened is judged alike from the trace. */
async function holds(trace: string, live: RunReport, rules: string[]): Promise<void> {
  expect(failures(live)).toEqual([]);
  expect(live.parts[0]!.revision).toBe('2026-07-28');
  expect(live.incomplete).toBe(null);
  const passed = live.parts[0]!.verdicts.filter(({ status }) => status === 'pass').map(({ rule }) => rule);
  expect(rules.filter((rule) => !passed.includes(rule))).toEqual([]);
  const retries = space
    .read(path.basename(trace))
    .split('\n')
    .filter((line) => line.includes('"inputResponses"'));
  expect(retries.length).toBeGreaterThan(5);
  for (const answer of ['"Ada"', 'in short', 'file:///work'])
    expect(retries.filter((line) => line.includes(answer))).toEqual([]);
  expect((await judge(trace)).parts[0]!.verdicts).toEqual(live.parts[0]!.verdicts);
}

/** The messages alone, as a tool writes them that tells neither senders nor HTTP. */
function capture(trace: string, name: string): string {
  const messages = space
    .read(trace)
    .split('\n')
    .filter((line) => line.includes('"kind":"message"'))
    .map((line) => JSON.stringify((JSON.parse(line) as { message: unknown }).message));
  return space.write(name, messages.join('\n'));
}

/** One kind of server on one transport in `npm test`; all in the full run. */
const kinds: [title: string, eras: string[]][] = [
  ['both eras', []],
  ['this era alone', ['modern-only']],
];
const due = someOf(
  ['stdio', 'http'].flatMap((transport) => kinds.map(([title]) => `${title} ${transport}`)),
  4,
  String,
);
const casesOn = (transport: string): typeof kinds => kinds.filter(([title]) => due.includes(`${title} ${transport}`));

describe('through the proxy all is as without it, and no rule is broken', () => {
  test.each(casesOn('stdio'))('a server of %s on stdio', async (title, eras) => {
    const name = title.replaceAll(' ', '-');
    const [trace, report] = [space.path(`${name}.jsonl`), space.path(`${name}.json`)];
    const server = [process.execPath, program, 'stdio', ...eras];
    const plain = await converse(startedTransport(server));
    expect(
      await converse(
        startedTransport([
          process.execPath,
          bin,
          'intercept',
          '--quiet',
          '--trace',
          trace,
          '--report',
          report,
          '--',
          ...server,
        ]),
      ),
    ).toEqual(plain);
    const live = JSON.parse(space.read(`${name}.json`)) as RunReport;
    await holds(trace, live, decided);
    const alone = await judge(capture(`${name}.jsonl`, `${name}-messages.jsonl`), '--from', 'jsonrpc');
    expect(failures(alone)).toEqual([]);
    expect(alone.parts[0]!.verdicts.find(({ rule }) => rule === 'subscriptions/identifier-value')?.status).toBe('pass');
  });

  test.each(casesOn('http'))('a server of %s over HTTP', async (title, eras) => {
    const name = `${title.replaceAll(' ', '-')}-http`;
    const trace = space.path(`${name}.jsonl`);
    const plain = await converse(new StreamableHTTPClientTransport(new URL(await serveHttp(eras))));
    const proxy = space.start([
      'intercept',
      '--listen',
      '127.0.0.1:0',
      '--upstream',
      await serveHttp(eras),
      '--trace',
      trace,
      '--report',
      space.path(`${name}.json`),
    ]);
    cleanups.push(async () => {
      proxy.kill('SIGKILL');
      await proxy.ended;
    });
    await proxy.shows(/Listening on \S+,/);
    expect(
      await converse(new StreamableHTTPClientTransport(new URL(/Listening on (\S+),/.exec(proxy.text())![1]!))),
    ).toEqual(plain);
    proxy.kill('SIGINT');
    const { code, stderr } = await proxy.ended;
    const live = JSON.parse(space.read(`${name}.json`)) as RunReport;
    await holds(trace, live, [...decided, ...decidedOverHttp]);
    expect(code, stderr).toBe(0);
  });
});
