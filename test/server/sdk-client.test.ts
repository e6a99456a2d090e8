/** Drives the reference server with the official SDK's client over every transport. */
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  type JSONRPCMessage,
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  LoggingMessageNotificationSchema,
  PingRequestSchema,
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { afterEach, describe, expect, it } from 'vitest';
import { startReferenceServer } from '../../src/testkit/example-server/start.ts';

type Content = { type: string; text?: string }[];
const main = fileURLToPath(new URL('../../src/testkit/example-server/main.ts', import.meta.url));
const cleanups: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function transportFor(kind: 'stdio' | 'http' | 'sse') {
  if (kind === 'stdio')
    return new StdioClientTransport({
      command: process.execPath,
      args: ['--import', 'tsx', main, 'stdio'],
      stderr: 'ignore',
    });
  const server = await startReferenceServer({ transport: kind });
  cleanups.push(() => server.close());
  return kind === 'http'
    ? new StreamableHTTPClientTransport(new URL(server.url))
    : new SSEClientTransport(new URL(server.url));
}

async function connect(kind: 'stdio' | 'http' | 'sse') {
  const client = new Client(
    { name: 'test', version: '1' },
    { capabilities: { roots: {}, sampling: {}, elicitation: {} } },
  );
  const pinged = new Promise<void>((resolve) => {
    client.setRequestHandler(PingRequestSchema, () => {
      resolve();
      return {};
    });
  });
  client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [{ uri: 'file:///srv/a', name: 'a' }] }));
  client.setRequestHandler(CreateMessageRequestSchema, () => ({
    role: 'assistant',
    model: 'm',
    content: { type: 'text', text: 'Teal' },
  }));
  client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept', content: { team: 'blue' } }));
  await client.connect(await transportFor(kind));
  cleanups.push(() => client.close());
  return { client, pinged, arrived: arriving(client) };
}

/** Every message that arrives from here on, before the client sees it: it drops progress that is read together with the answer. */
function arriving(client: Client): JSONRPCMessage[] {
  const transport = client.transport!;
  const hand = transport.onmessage!;
  const arrived: JSONRPCMessage[] = [];
  transport.onmessage = (message, extra) => {
    arrived.push(message);
    hand(message, extra);
  };
  return arrived;
}

const firstText = async (result: Promise<unknown>): Promise<string> =>
  ((await result) as { content: Content }).content[0]?.text ?? '';

describe.each(['stdio', 'http', 'sse'] as const)('the SDK client over %s', (kind) => {
  it('initializes, is pinged, and lists everything page by page', async () => {
    const { client, pinged } = await connect(kind);
    expect(client.getServerVersion()?.name).toBe('mcpc-reference');
    await client.ping();
    await pinged;
    const first = await client.listTools();
    expect(first.nextCursor).toBeTypeOf('string');
    const names = first.tools.map((tool) => tool.name);
    for (let cursor = first.nextCursor; cursor !== undefined; ) {
      const page = await client.listTools({ cursor });
      names.push(...page.tools.map((tool) => tool.name));
      cursor = page.nextCursor;
    }
    expect(new Set(names).size).toBe(names.length);
    expect(names).toEqual(expect.arrayContaining(['echo', 'slow', 'ask-user', 'reconnect']));
    expect((await client.listResources()).nextCursor).toBeTypeOf('string');
    expect((await client.listResourceTemplates()).nextCursor).toBeTypeOf('string');
    expect((await client.listPrompts()).nextCursor).toBeTypeOf('string');
    await expect(client.listTools({ cursor: 'checker-invalid' })).rejects.toMatchObject({ code: -32602 });
  });

  it('calls tools of every kind', async () => {
    const { client } = await connect(kind);
    const call = (name: string, given: Record<string, unknown> = {}) => client.callTool({ name, arguments: given });
    expect(await firstText(call('echo', { text: 'hé ✓' }))).toBe('hé ✓');
    expect(await firstText(call('add', { a: 1, b: 2.5 }))).toBe('3.5');
    expect((await call('fail')).isError).toBe(true);
    expect((await call('add', { a: 'x', b: 1 })).isError).toBe(true);
    expect((await call('forecast', { place: 'Oslo' })).structuredContent).toMatchObject({ place: 'Oslo' });
    expect(await firstText(call('ask-model'))).toContain('Teal');
    expect(await firstText(call('ask-user'))).toContain('blue');
    expect(await firstText(call('list-roots'))).toContain('file:///srv/a');
    for (const [name, type] of [
      ['picture', 'image'],
      ['sound', 'audio'],
      ['attach', 'resource'],
    ] as const) {
      expect(((await call(name)).content as Content)[0]?.type).toBe(type);
    }
    expect(await firstText(call('reconnect'))).toContain(kind === 'http' ? 'after dropping' : 'nothing had');
    await expect(call('nonexistent')).rejects.toMatchObject({ code: -32602 });
  });

  it('reports progress in rising order and stops when cancelled', async () => {
    const { client, arrived } = await connect(kind);
    const seen: number[] = [];
    await client.callTool({ name: 'slow', arguments: { ms: 30 } }, undefined, {
      onprogress: (progress) => seen.push(progress.progress),
    });
    const sent = arrived.flatMap((message) =>
      'method' in message && message.method === 'notifications/progress' ? [message.params!.progress] : [],
    );
    expect(sent).toEqual([1, 2, 3, 4, 5, 6]);
    expect(sent.slice(0, seen.length)).toEqual(seen);
    const abort = new AbortController();
    const cancelled = client.callTool({ name: 'slow', arguments: { ms: 60_000 } }, undefined, {
      signal: abort.signal,
      onprogress: () => {},
    });
    setImmediate(() => abort.abort());
    await expect(cancelled).rejects.toThrow();
    await client.ping();
  });

  it('serves resources, prompts, completion, logging and change notices', async () => {
    const { client, pinged } = await connect(kind);
    await pinged; // the listening stream of HTTP is open then
    expect(await client.readResource({ uri: 'demo://notes/7' })).toMatchObject({ contents: [{ text: 'Note 7' }] });
    await expect(client.readResource({ uri: 'demo://nothing' })).rejects.toMatchObject({ code: -32002 });
    expect((await client.getPrompt({ name: 'greet', arguments: { name: 'Ada' } })).messages).toHaveLength(1);
    await expect(client.getPrompt({ name: 'greet' })).rejects.toMatchObject({ code: -32602 });
    const completed = await client.complete({
      ref: { type: 'ref/prompt', name: 'greet' },
      argument: { name: 'style', value: 'f' },
    });
    expect(completed.completion.values).toEqual(['formal', 'friendly', 'funny']);

    const logged = new Promise((resolve) =>
      client.setNotificationHandler(LoggingMessageNotificationSchema, (message) => resolve(message.params.level)),
    );
    await client.setLoggingLevel('warning');
    await client.callTool({ name: 'log', arguments: { level: 'debug' } });
    await client.callTool({ name: 'log', arguments: { level: 'error' } });
    expect(await logged).toBe('error');

    const updated = new Promise((resolve) =>
      client.setNotificationHandler(ResourceUpdatedNotificationSchema, (message) => resolve(message.params.uri)),
    );
    await client.subscribeResource({ uri: 'demo://counter' });
    await client.callTool({ name: 'touch-counter', arguments: {} });
    expect(await updated).toBe('demo://counter');

    const changed = new Promise((resolve) => client.setNotificationHandler(ToolListChangedNotificationSchema, resolve));
    await client.callTool({ name: 'change-lists', arguments: {} });
    await changed;
  });
});
