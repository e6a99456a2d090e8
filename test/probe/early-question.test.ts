/** A server over HTTP+SSE may ask before the handshake, in the very bytes that name its endpoint: it gets its answer. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { createPeerHub } from '../../src/client/peer/open-peer.ts';
import { defaultTiming } from '../../src/client/target/timing.ts';
import { createRecorder } from '../../src/core/trace/recorder.ts';

let tell: (body: string) => void = () => {};
const server = createServer((request, response) => {
  if (request.method === 'GET') {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(
      'event: message\ndata: {"jsonrpc":"2.0","id":"early","method":"ping"}\n\nevent: endpoint\ndata: /messages\n\n',
    );
    return;
  }
  let body = '';
  request.on('data', (chunk: Buffer) => (body += chunk.toString()));
  request.on('end', () => {
    response.writeHead(202).end();
    tell(body);
  });
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

test('a ping before the endpoint is answered', async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const posted = new Promise<string>((resolve) => (tell = resolve));
  const recorder = createRecorder();
  const hub = createPeerHub(recorder.sink, (listener) => recorder.subscribe(listener));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/sse`;
  const peer = await hub.open({
    target: { kind: 'sse', url, headers: [] },
    timing: defaultTiming,
    era: 'stateful',
    revision: '2024-11-05',
    toolVersion: '0',
  });
  expect(JSON.parse(await posted)).toEqual({ jsonrpc: '2.0', id: 'early', result: {} });
  await peer.close();
});
