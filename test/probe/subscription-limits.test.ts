/** Limits of subscriptions: so many are open on a connection, and so many messages are looked at; the report says what was cut. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { createPeerHub } from '../../src/client/peer/open-peer.ts';
import type { StepWork } from '../../src/client/steps/support/step-kind.ts';
import { subscriptionSteps } from '../../src/client/steps/stateless/subscription-steps.ts';
import { defaultTiming } from '../../src/client/target/timing.ts';
import { createRecorder } from '../../src/core/trace/recorder.ts';

const event = (id: unknown, method: string): string =>
  `data: ${JSON.stringify({ jsonrpc: '2.0', method, params: { notifications: {}, _meta: { 'io.modelcontextprotocol/subscriptionId': id } } })}\n\n`;

test('no more than 20 are open, and all are ended after 10,000 messages', async () => {
  const open = new Map<unknown, ServerResponse>();
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      const { id } = JSON.parse(text) as { id: unknown };
      // What is no message, or has no parameters, is none of a subscription.
      const odd = [
        null,
        1,
        [],
        [null],
        'text',
        { params: null },
        { method: null, params: [] },
        { method: 'notifications/subscriptions/acknowledged', params: { _meta: null } },
      ];
      response
        .writeHead(200, { 'content-type': 'text/event-stream' })
        .write(odd.map((one) => `data: ${JSON.stringify(one)}\n\n`).join(''));
      response.write(event(id, 'notifications/subscriptions/acknowledged'));
      open.set(id, response);
      response.once('close', () => open.delete(id));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const recorder = createRecorder();
  const hub = createPeerHub(recorder.sink, (listener) => recorder.subscribe(listener));
  const target = {
    kind: 'http' as const,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    headers: [],
  };
  const peer = await hub.open({
    target,
    timing: defaultTiming,
    era: 'stateless',
    revision: '2026-07-28',
    toolVersion: '0',
  });
  const skipped: { what: string; why: string }[] = [];
  const work = {
    scope: { peer, pending: new Map(), exchanges: new Map(), completed: new Map() },
    context: {
      timing: defaultTiming,
      sink: recorder.sink,
      unanswered: new Set(),
      skip: (one: { what: string; why: string }) => skipped.push(one),
    },
  } as unknown as StepWork;
  const listen = (name: string): unknown =>
    subscriptionSteps[0]!.run({ listen: name, filter: { toolsListChanged: true } }, work);
  try {
    for (let at = 1; at <= 22; at += 1) await listen(`s${at}`);
    expect(open.size).toBe(20);
    expect(skipped).toEqual([1, 2].map(() => ({ what: 'a subscription', why: '20 were open on the same connection' })));
    skipped.length = 0;
    // The 20 acknowledgements count, too.
    const [[id, stream]] = open as unknown as [[unknown, ServerResponse]];
    stream.write(event(id, 'notifications/tools/list_changed').repeat(9_979));
    stream.write(event(id, 'notifications/tools/list_changed').repeat(2));
    await expect.poll(() => open.size, { timeout: 60_000 }).toBe(0);
    expect(skipped).toEqual([
      { what: 'what came later on subscriptions', why: 'they were ended after 10000 messages on one connection' },
    ]);
    skipped.length = 0;
    await listen('another');
    expect(skipped).toEqual([
      { what: 'a subscription', why: 'others on the same connection had brought 10000 messages' },
    ]);
    expect(open.size).toBe(0);
  } finally {
    await peer.close();
    server.closeAllConnections();
    server.close();
  }
});
