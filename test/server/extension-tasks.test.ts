/** Raw checks of the tasks extension on the compliant server (2026-07-28): the fixtures, and what it says when it goes. */
import { afterEach, describe, expect, it } from 'vitest';
import { tasksExtension } from '../../src/server/session/extension-task.ts';
import type { JsonObject } from '../../src/server/protocol/json-rpc.ts';
import { startPeer, type Peer } from './harness/peer.ts';

const peers: Peer[] = [];
afterEach(async () => {
  for (const peer of peers.splice(0)) await peer.close();
});

const ended = new Set(['completed', 'failed', 'cancelled']);
const version = '2026-07-28';

/** A client that declares forms, and the extension unless told otherwise. */
class Client {
  readonly peer: Peer;
  private last = 0;

  constructor(peer: Peer) {
    this.peer = peer;
  }

  async ask(
    method: string,
    params: JsonObject = {},
    { tasks = true, meta = {} }: { tasks?: boolean; meta?: JsonObject } = {},
  ): Promise<JsonObject> {
    const capabilities = { elicitation: { form: {} }, ...(tasks ? { extensions: { [tasksExtension]: {} } } : {}) };
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': version,
      'io.modelcontextprotocol/clientCapabilities': capabilities,
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      ...meta,
    };
    const name = params.name ?? params.taskId;
    this.last += 1;
    return this.peer.call(
      this.last,
      method,
      { ...params, _meta },
      {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': version,
        'mcp-method': method,
        ...(name === undefined ? {} : { 'mcp-name': String(name) }),
      },
    );
  }

  async result(method: string, params: JsonObject): Promise<JsonObject> {
    return (await this.ask(method, params)).result as JsonObject;
  }

  begin(name: string, given: JsonObject = {}, more: JsonObject = {}): Promise<JsonObject> {
    return this.result('tools/call', { name, arguments: given, ...more });
  }

  /** Asks until the task is over, or waits for input. */
  async settled({ taskId }: JsonObject): Promise<JsonObject> {
    for (;;) {
      const task = await this.result('tasks/get', { taskId });
      if (ended.has(String(task.status)) || task.status === 'input_required') return task;
    }
  }
}

describe.each(['stdio', 'http'] as const)('the fixtures of the tasks extension over %s', (transport) => {
  async function open(): Promise<Client> {
    const peer = await startPeer(transport, { fixtures: true });
    peers.push(peer);
    return new Client(peer);
  }

  it('ends each job as its name says', async () => {
    const client = await open();
    expect(await client.begin('greet', { name: 'Ada' })).toMatchObject({
      resultType: 'complete',
      content: [{ text: 'Hello, Ada!' }],
    });
    expect(await client.settled(await client.begin('slow_compute', { seconds: 0, label: 'sum' }))).toMatchObject({
      status: 'completed',
      result: { content: [{ text: 'Computed: sum' }] },
    });
    expect(await client.settled(await client.begin('failing_job'))).toMatchObject({
      status: 'completed',
      result: { isError: true },
    });
    const broken = await client.settled(await client.begin('protocol_error_job'));
    expect(broken).toMatchObject({ status: 'failed', error: { code: -32603, message: 'The job broke down' } });
    expect(broken).not.toHaveProperty('result');
    expect(await client.ask('tools/call', { name: 'failing_job', arguments: {} }, { tasks: false })).toMatchObject({
      error: { code: -32021, data: { requiredCapabilities: { extensions: { [tasksExtension]: {} } } } },
    });
    expect(
      await client.ask('tools/call', { name: 'slow_compute', arguments: { seconds: 0 } }, { tasks: false }),
    ).toMatchObject({ result: { resultType: 'complete', content: [{}] } });
  });

  it('cancels what is at work, and acknowledges that again', async () => {
    const client = await open();
    const task = await client.begin('slow_compute', { seconds: 60 });
    for (const _ of [1, 2])
      expect(await client.result('tasks/cancel', { taskId: task.taskId! })).not.toHaveProperty('status');
    expect(await client.settled(task)).toMatchObject({ status: 'cancelled' });
  });

  it('asks while a task runs, and keeps what is left open of two questions', async () => {
    const client = await open();
    const deletion = await client.settled(await client.begin('confirm_delete', { filename: 'a.txt' }));
    expect(deletion).toMatchObject({
      status: 'input_required',
      inputRequests: { confirm: { method: 'elicitation/create' } },
    });
    await client.result('tasks/update', {
      taskId: deletion.taskId!,
      inputResponses: { confirm: { action: 'accept', content: { confirm: true } } },
    });
    expect(await client.settled(deletion)).toMatchObject({
      status: 'completed',
      result: { content: [{ text: 'It is gone.' }] },
    });

    const two = await client.settled(await client.begin('multi_input'));
    const answer = (key: string): Promise<JsonObject> =>
      client.result('tasks/update', {
        taskId: two.taskId!,
        inputResponses: { [key]: { action: 'accept', content: { name: key } } },
      });
    await answer('first');
    expect(Object.keys((await client.settled(two)).inputRequests as JsonObject)).toEqual(['second']);
    await answer('second');
    expect(await client.settled(two)).toMatchObject({
      status: 'completed',
      result: { content: [{ text: 'Both are known.' }] },
    });
  });

  it('settles a question in a round of the request before it makes the task', async () => {
    const client = await open();
    const first = await client.begin('test_tool_with_task');
    expect(first).toMatchObject({
      resultType: 'input_required',
      inputRequests: { user_name: { method: 'elicitation/create' } },
    });
    expect(first).not.toHaveProperty('taskId');
    const task = await client.begin(
      'test_tool_with_task',
      {},
      {
        inputResponses: { user_name: { action: 'accept', content: { name: 'Alice' } } },
        requestState: first.requestState!,
      },
    );
    expect(task).toMatchObject({ resultType: 'task', status: 'working' });
    expect(task).not.toHaveProperty('requestState');
    expect(await client.settled(task)).toMatchObject({
      status: 'completed',
      result: { content: [{ text: 'The task was done for Alice.' }] },
    });
  });

  it('lists every fixture on the first page, which is the only one that the suite looks at', async () => {
    const names = ((await (await open()).result('tools/list', {})).tools as JsonObject[]).map(({ name }) =>
      String(name),
    );
    expect(names.filter((name) => /^test_|^json_schema/.test(name))).toHaveLength(29);
    expect(names).toEqual(
      expect.arrayContaining([
        'greet',
        'slow_compute',
        'failing_job',
        'protocol_error_job',
        'confirm_delete',
        'multi_input',
      ]),
    );
  });

  it('continues the trace of a request, and none that is malformed', async () => {
    const client = await open();
    const trace = async (traceparent: string): Promise<unknown> =>
      ((await client.ask('prompts/list', {}, { meta: { traceparent, tracestate: 'a=1' } })).result as JsonObject)._meta;
    const answered = await trace('00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01');
    expect(answered).toMatchObject({
      traceparent: expect.stringMatching(/^00-0af7651916cd43dd8448eb211c80319c-(?!b7ad6b7169203331)[0-9a-f]{16}-01$/),
      tracestate: 'a=1',
    });
    expect(await trace('0af7651916cd43dd8448eb211c80319c')).not.toHaveProperty('traceparent');
  });
});

it('ends its subscriptions with a notification and a result when stdin is closed', async () => {
  const peer = await startPeer('stdio', {});
  const client = new Client(peer);
  const listening = client.ask('subscriptions/listen', { notifications: { toolsListChanged: true } });
  await peer.seen('the acknowledgement', ({ method }) => method === 'notifications/subscriptions/acknowledged');
  await peer.close();
  expect(peer.messages).toContainEqual(
    expect.objectContaining({
      method: 'notifications/cancelled',
      params: expect.objectContaining({ requestId: 1 }) as unknown,
    }),
  );
  expect(await listening).toMatchObject({
    id: 1,
    result: { resultType: 'complete', _meta: { 'io.modelcontextprotocol/subscriptionId': 1 } },
  });
});
