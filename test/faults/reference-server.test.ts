/** The reference server with a fault of src/faults, on real connections: what a client sees of it. */
import { PassThrough } from 'node:stream';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { startHttpFaultProxy } from '../../src/testkit/fault-proxy/http-fault-proxy.ts';
import type { Fault } from '../../src/core/model/rules/mutation.ts';
import { withChanges } from '../../src/server/session/behaviour.ts';
import { Host } from '../../src/server/session/host.ts';
import { allRevisions } from '../../src/server/protocol/revisions.ts';
import { changeOf } from '../../src/testkit/example-server/mutations/from-rules.ts';
import { startReferenceServer, type RunningReference } from '../../src/testkit/example-server/start.ts';
import { serveStdio } from '../../src/server/transports/stdio.ts';

const handshake = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};
const ping = (id: number): object => ({ jsonrpc: '2.0', id, method: 'ping' });

/** Everything that comes on stdout until stdin, closed at the end, was read. */
async function onStdio(fault: Fault, messages: readonly object[], waitFor: string): Promise<Buffer> {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const chunks: Buffer[] = [];
  const seen = new Promise<void>((resolve) => {
    output.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      if (Buffer.concat(chunks).includes(waitFor)) resolve();
    });
  });
  const host = new Host(withChanges(changeOf(fault)), allRevisions);
  const served = serveStdio(host, { input, output, error: new PassThrough() });
  for (const message of messages) input.write(`${JSON.stringify(message)}\n`);
  await seen;
  input.end();
  await served;
  return Buffer.concat(chunks);
}

const idsOf = (lines: string): unknown[] =>
  lines
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { id: unknown }).id);

describe('on stdio', () => {
  test('an answer that is held back is overtaken', async () => {
    const text = await onStdio({ on: { result: 'initialize' }, delay: 150 }, [handshake, ping(2), ping(3)], '"id":1,');
    expect(idsOf(text.toString())).toEqual([2, 3, 1]);
  });

  test('an answer can be dropped, or come twice', async () => {
    expect(
      idsOf(
        (
          await onStdio({ on: { result: 'ping', nth: 1 }, drop: true }, [handshake, ping(2), ping(3)], '"id":3')
        ).toString(),
      ),
    ).toEqual([1, 3]);
    expect(
      idsOf(
        (
          await onStdio({ on: { result: 'ping', nth: 1 }, repeat: 1 }, [handshake, ping(2), ping(3)], '"id":3')
        ).toString(),
      ),
    ).toEqual([1, 2, 2, 3]);
  });

  test('other bytes are sent in its place, with another end', async () => {
    const bytes = await onStdio(
      { on: { result: 'ping' }, raw: 'Content-Length: é\r\n\r\n{{message}}', encoding: 'latin1', end: '' },
      [handshake, ping(2), ping(3)],
      '"id":3',
    );
    const [, ...rest] = bytes.toString('latin1').split('\n');
    expect(rest.join('\n')).toBe(
      'Content-Length: é\r\n\r\n{"jsonrpc":"2.0","id":2,"result":{}}Content-Length: é\r\n\r\n{"jsonrpc":"2.0","id":3,"result":{}}',
    );
    expect(bytes.includes(0xe9)).toBe(true);
  });
});

describe('over Streamable HTTP', () => {
  const running: RunningReference[] = [];
  afterAll(() => Promise.all(running.map((one) => one.close())));

  async function post(fault: Fault, ...messages: object[]): Promise<Response[]> {
    const server = await startReferenceServer({ transport: 'http', change: changeOf(fault) });
    running.push(server);
    const responses: Response[] = [];
    let session: string | null = null;
    for (const message of messages) {
      const headers = {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(session === null ? {} : { 'mcp-session-id': session, 'mcp-protocol-version': '2025-11-25' }),
      };
      const response = await fetch(server.url, {
        method: 'POST',
        headers,
        body: JSON.stringify(message),
        signal: AbortSignal.timeout(10_000),
      });
      session ??= response.headers.get('mcp-session-id');
      responses.push(response);
    }
    return responses;
  }

  const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' };

  test('status and headers of one kind of reply are others', async () => {
    const [first, second, third] = await post(
      { on: { http: { posted: 'notification' } }, status: 299, header: { 'x-fault': 'yes' } },
      handshake,
      initialized,
      ping(2),
    );
    expect([first!.status, second!.status, third!.status]).toEqual([200, 299, 200]);
    expect([first!.headers.get('x-fault'), second!.headers.get('x-fault')]).toEqual([null, 'yes']);
  });

  test('the head of an event stream is changed by the answer that it will carry', async () => {
    const progress = {
      jsonrpc: '2.0',
      id: 2,
      method: 'tools/call',
      params: { name: 'slow', arguments: { steps: 1 }, _meta: { progressToken: 'p' } },
    };
    const [, , plain] = await post(
      { on: { result: 'ping' }, header: { 'content-type': 'text/plain' } },
      handshake,
      initialized,
      progress,
    );
    expect(plain!.headers.get('content-type')).toBe('text/event-stream');
    const [, , changed] = await post(
      { on: { result: 'tools/call' }, header: { 'content-type': 'text/plain' } },
      handshake,
      initialized,
      progress,
    );
    expect(changed!.headers.get('content-type')).toBe('text/plain');
    await Promise.all([plain!.body?.cancel(), changed!.body?.cancel()]);
  });

  test('the message in a body is another, as are its bytes', async () => {
    const [, , set] = await post(
      { on: { result: 'ping' }, set: '$.result', to: 'pong' },
      handshake,
      initialized,
      ping(2),
    );
    expect(await set!.json()).toMatchObject({ result: 'pong' });
    const [, , raw] = await post({ on: { result: 'ping' }, raw: '[{{message}}' }, handshake, initialized, ping(2));
    expect(await raw!.text()).toBe('[{"jsonrpc":"2.0","id":2,"result":{}}');
  });

  /** Opens so many listening streams of one session, calls a tool, and gives what came on each by the time that all have the copy. */
  async function listened(url: string, streams: number): Promise<string[]> {
    const say = (message: object, session?: string): Promise<Response> =>
      fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...headersOf(session),
        },
        body: JSON.stringify(message),
        signal: AbortSignal.timeout(10_000),
      });
    const session = (await say(handshake)).headers.get('mcp-session-id')!;
    await say(initialized, session);
    const texts: string[] = [];
    const ends = new AbortController();
    const readers: Promise<void>[] = [];
    for (let at = 0; at < streams; at += 1) {
      const stream = await fetch(url, {
        headers: { accept: 'text/event-stream', ...headersOf(session) },
        signal: ends.signal,
      });
      texts.push('');
      readers.push(
        stream
          .body!.pipeThrough(new TextDecoderStream())
          .pipeTo(new WritableStream({ write: (text) => void (texts[at] += text) }))
          .catch(() => {}),
      );
    }
    await (
      await say(
        { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'change-lists', arguments: {} } },
        session,
      )
    ).text();
    await vi.waitFor(() => expect(texts[0]).toContain('notifications/prompts/list_changed'), { timeout: 10_000 });
    await vi.waitFor(
      () => expect(texts.filter((text) => text.includes('notifications/tools/list_changed')).length).toBe(streams),
      { timeout: 10_000 },
    );
    ends.abort();
    await Promise.all(readers);
    return texts;
  }

  const headersOf = (session: string | undefined): Record<string, string> =>
    session === undefined ? {} : { 'mcp-session-id': session, 'mcp-protocol-version': '2025-11-25' };
  const copied: Fault = { on: { notification: 'notifications/tools/list_changed' }, copy: true };

  test.each(['the server', 'a proxy before it'])(
    '%s sends on each listening stream what is to be copied, and nothing else',
    async (who) => {
      const isProxy = who.startsWith('a proxy');
      const server = await startReferenceServer({
        transport: 'http',
        ...(isProxy ? {} : { change: changeOf(copied) }),
      });
      running.push(server);
      const proxy = isProxy
        ? await startHttpFaultProxy({ fault: copied, upstream: new URL(server.url), port: 0 })
        : undefined;
      try {
        const texts = await listened(proxy?.url ?? server.url, 3);
        expect(texts.map((text) => text.includes('notifications/tools/list_changed'))).toEqual([true, true, true]);
        expect(texts.map((text) => text.includes('notifications/prompts/list_changed'))).toEqual([true, false, false]);
      } finally {
        await proxy?.close();
      }
    },
  );
});
