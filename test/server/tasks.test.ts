/** Raw checks of the tasks of the compliant server (2025-11-25), on every transport. */
import { afterEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/server/protocol/json-rpc.ts';
import type { Revision } from '../../src/server/protocol/revisions.ts';
import type { Peer } from './harness/peer.ts';
import { startPeer } from './harness/peer.ts';
import { initializeParams } from './harness/scenario.ts';

type Transport = 'stdio' | 'http' | 'sse';

const peers: Peer[] = [];
afterEach(async () => {
  for (const peer of peers.splice(0)) await peer.close();
});

const related = (taskId: unknown): JsonObject => ({ 'io.modelcontextprotocol/related-task': { taskId } });

/** A client of one server, with shorthands for the methods of tasks. */
class TaskClient {
  readonly peer: Peer;
  private last = 0;

  constructor(peer: Peer) {
    this.peer = peer;
  }

  ask(method: string, params?: JsonObject): Promise<JsonObject> {
    this.last += 1;
    return this.peer.call(this.last, method, params);
  }

  /** Calls a tool as a task; the task as it was created. */
  async begin(name: string, given: JsonObject = {}, task: JsonObject = {}, meta: JsonObject = {}): Promise<JsonObject> {
    const { result } = await this.ask('tools/call', { name, arguments: given, task, _meta: meta });
    return (result as { task: JsonObject }).task;
  }

  async get(taskId: unknown): Promise<JsonObject> {
    return (await this.ask('tasks/get', { taskId })).result as JsonObject;
  }

  /** The messages of the server with this method. */
  seen(method: string): JsonObject[] {
    return (this.peer.messages as JsonObject[]).filter((message) => message.method === method);
  }
}

async function open(transport: Transport, revision: Revision = '2025-11-25', variant?: string): Promise<TaskClient> {
  const peer = await startPeer(transport, variant === undefined ? {} : { variant });
  peers.push(peer);
  await peer.call('init', 'initialize', initializeParams(revision, { sampling: {}, elicitation: {} }));
  await peer.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  return new TaskClient(peer);
}

const refusal = (code: number): JsonObject => ({ error: { code } });

describe.each(['stdio', 'http', 'sse'] as const)('tasks over %s', (transport) => {
  it('exist in 2025-11-25 only', async () => {
    const peer = await startPeer(transport, {});
    peers.push(peer);
    const answer = await peer.call('init', 'initialize', initializeParams('2025-11-25'));
    expect(answer).toMatchObject({
      result: { capabilities: { tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } } },
    });
    const older = await open(transport, '2025-06-18');
    expect(await older.ask('tasks/list')).toMatchObject(refusal(-32601));
    expect(await older.ask('tools/call', { name: 'picture', task: {} })).toMatchObject({
      result: { content: [{ type: 'image' }] },
    });
    expect(await older.ask('tools/call', { name: 'write-report' })).toMatchObject({
      result: { content: [{ type: 'text' }] },
    });
  });

  it('are begun only by tools that may, and by tools that must', async () => {
    const client = await open(transport);
    expect(await client.ask('tools/call', { name: 'about', task: {} })).toMatchObject(refusal(-32601));
    expect(await client.ask('tools/call', { name: 'add', task: {}, arguments: { a: 1, b: 2 } })).toMatchObject(
      refusal(-32601),
    );
    expect(await client.ask('tools/call', { name: 'write-report' })).toMatchObject(refusal(-32601));
    expect(await client.ask('tools/call', { name: 'picture', task: 'yes' })).toMatchObject(refusal(-32602));
    expect(await client.ask('tools/call', { name: 'no-such-tool', task: {} })).toMatchObject(refusal(-32602));
    expect(await client.ask('prompts/get', { name: 'summary', task: {} })).toMatchObject({
      result: { messages: [{}] },
    });
  });

  it('run from working to completed, with the result that the plain call has', async () => {
    const client = await open(transport);
    const plain = await client.ask('tools/call', { name: 'picture' });
    const task = await client.begin('picture', {}, { ttl: 5000 });
    expect(task).toMatchObject({
      taskId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      status: 'working',
      ttl: 5000,
      pollInterval: expect.any(Number),
    });
    const { result } = await client.ask('tasks/result', { taskId: task.taskId });
    expect(result).toEqual({ ...(plain.result as JsonObject), _meta: related(task.taskId) });
    const later = await client.get(task.taskId);
    expect(later).toMatchObject({ taskId: task.taskId, status: 'completed', createdAt: task.createdAt, ttl: 5000 });
    expect(Date.parse(String(later.lastUpdatedAt))).toBeGreaterThanOrEqual(Date.parse(String(later.createdAt)));
    expect(later).not.toHaveProperty('_meta');
  });

  it('hold the result until the work is done, and report progress meanwhile', async () => {
    const client = await open(transport);
    const task = await client.begin('slow', { ms: 120 }, {}, { progressToken: 'p' });
    expect(await client.get(task.taskId)).toMatchObject({ status: 'working' });
    expect(await client.ask('tasks/result', { taskId: task.taskId })).toMatchObject({
      result: { content: [{ text: 'worked for 120 ms' }] },
    });
    expect(await client.get(task.taskId)).toMatchObject({ status: 'completed' });
    const progress = client.seen('notifications/progress');
    expect(progress.length).toBeGreaterThan(0);
    for (const { params } of progress)
      expect(params).toMatchObject({ progressToken: 'p', _meta: related(task.taskId) });
  });

  it('wait for input, and ask for it with the request for the result', async () => {
    const client = await open(transport);
    for (const [tool, method] of [
      ['ask-user', 'elicitation/create'],
      ['ask-model', 'sampling/createMessage'],
    ] as const) {
      const task = await client.begin(tool);
      let found = await client.get(task.taskId);
      for (let look = 0; look < 50 && found.status === 'working'; look += 1) found = await client.get(task.taskId);
      expect(found.status).toBe('input_required');
      expect(client.seen(method)).toEqual([]);
      expect(await client.ask('tasks/result', { taskId: task.taskId })).toMatchObject({
        result: { _meta: related(task.taskId) },
      });
      expect(client.seen(method)).toMatchObject([{ params: { _meta: related(task.taskId) } }]);
      expect(await client.get(task.taskId)).toMatchObject({ status: 'completed' });
    }
  });

  it('fail when their tool fails, and return what it returned', async () => {
    const client = await open(transport);
    const failed = await client.begin('fail');
    expect(await client.ask('tasks/result', { taskId: failed.taskId })).toMatchObject({ result: { isError: true } });
    expect(await client.get(failed.taskId)).toMatchObject({
      status: 'failed',
      statusMessage: 'This tool always fails.',
    });
    const broken = await client.begin('throw-error');
    const { error } = await client.ask('tools/call', { name: 'throw-error' });
    expect((await client.ask('tasks/result', { taskId: broken.taskId })).error).toEqual(error);
    expect(await client.get(broken.taskId)).toMatchObject({ status: 'failed', statusMessage: 'The work broke off' });
    const wrong = await client.begin('echo');
    expect(await client.ask('tasks/result', { taskId: wrong.taskId })).toMatchObject({ result: { isError: true } });
  });

  it('are cancelled once, for good, and their work with them', async () => {
    const client = await open(transport);
    const task = await client.begin('slow', { ms: 60_000 }, {}, { progressToken: 'p' });
    const waiting = client.ask('tasks/result', { taskId: task.taskId });
    expect(await client.ask('tasks/cancel', { taskId: task.taskId })).toMatchObject({
      result: { taskId: task.taskId, status: 'cancelled' },
    });
    expect(await waiting).toMatchObject(refusal(-32602));
    expect(await client.ask('tasks/cancel', { taskId: task.taskId })).toMatchObject(refusal(-32602));
    const before = client.seen('notifications/progress').length;
    await client.ask('tools/call', { name: 'slow', arguments: { ms: 60 } });
    expect(client.seen('notifications/progress')).toHaveLength(before);
    expect(await client.get(task.taskId)).toMatchObject({ status: 'cancelled' });
    const asking = await client.begin('ask-user');
    expect(await client.ask('tasks/cancel', { taskId: asking.taskId })).toMatchObject({
      result: { status: 'cancelled' },
    });
    expect([...client.seen('elicitation/create'), ...client.seen('notifications/cancelled')]).toEqual([]);
  });

  it('are listed page by page, oldest first, to their own client', async () => {
    const client = await open(transport);
    const made: unknown[] = [];
    for (let count = 0; count < 9; count += 1) made.push((await client.begin('picture')).taskId);
    const found: unknown[] = [];
    let cursor: unknown;
    do {
      const { result } = await client.ask('tasks/list', cursor === undefined ? {} : { cursor });
      const page = result as { tasks: JsonObject[]; nextCursor?: string };
      expect(page.tasks.length).toBeLessThan(made.length);
      found.push(...page.tasks.map(({ taskId }) => taskId));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(found).toEqual(made);
    expect(new Set(made).size).toBe(made.length);
    expect(await client.ask('tasks/list', { cursor: 'made-up' })).toMatchObject(refusal(-32602));
  });

  it('are found by the parameter alone, and not by ids that nobody gave out', async () => {
    const client = await open(transport);
    const [one, other] = [await client.begin('picture'), await client.begin('picture')];
    const { result } = await client.ask('tasks/get', { taskId: one.taskId, _meta: related(other.taskId) });
    expect(result).toMatchObject({ taskId: one.taskId });
    for (const method of ['tasks/get', 'tasks/result', 'tasks/cancel']) {
      for (const params of [{ taskId: 'made-up' }, { taskId: 7 }, {}])
        expect(await client.ask(method, params)).toMatchObject(refusal(-32602));
    }
  });

  it('are forgotten when their time is over, which the server limits', async () => {
    const client = await open(transport);
    const short = await client.begin('slow', { ms: 60_000 }, { ttl: 40 });
    expect(await client.ask('tasks/result', { taskId: short.taskId })).toMatchObject(refusal(-32602));
    expect(await client.ask('tasks/get', { taskId: short.taskId })).toMatchObject(refusal(-32602));
    expect((await client.begin('picture', {}, { ttl: 1e12 })).ttl).toBeLessThan(1e9);
    expect((await client.begin('picture')).ttl).toEqual(expect.any(Number));
    expect(
      client.seen('notifications/tasks/status').filter(({ params }) => (params as JsonObject).taskId === short.taskId),
    ).toEqual([]);
  });
});

it('tell of each new status on a stream that is open', async () => {
  const client = await open('stdio');
  const task = await client.begin('ask-user');
  await client.ask('tasks/result', { taskId: task.taskId });
  const notices = client.seen('notifications/tasks/status').map(({ params }) => params as JsonObject);
  expect(notices.map(({ status }) => status)).toEqual(['input_required', 'working', 'completed']);
  for (const notice of notices)
    expect(notice).toMatchObject({ taskId: task.taskId, createdAt: task.createdAt, ttl: task.ttl });
  for (const notice of notices) expect(notice).not.toHaveProperty('_meta');
});

it('are hidden from other sessions over HTTP', async () => {
  const client = await open('http');
  const peer = client.peer as Peer & { url: string; sessionId: string | undefined };
  const task = await client.begin('picture');
  const first = peer.sessionId;
  peer.sessionId = undefined;
  await peer.call('again', 'initialize', initializeParams('2025-11-25'));
  expect(peer.sessionId).not.toBe(first);
  await peer.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  expect(await client.ask('tasks/get', { taskId: task.taskId })).toMatchObject(refusal(-32602));
  expect(await client.ask('tasks/list')).toMatchObject({ result: { tasks: [] } });
});

it('do not exist on a server that declares none', async () => {
  const client = await open('http', '2025-11-25', 'no-session-ids');
  expect(await client.ask('tools/call', { name: 'picture', task: {} })).toMatchObject({
    result: { content: [{ type: 'image' }] },
  });
  expect(await client.ask('tasks/list')).toMatchObject(refusal(-32601));
});
