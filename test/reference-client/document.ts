/** The metadata document of the reference client, served on the own machine as long as the client runs. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Json } from '../../src/core/faults/operators.ts';

/** @param content what it says; without client_id it names its own address @returns the address */
export async function serveDocument(content: Json, signal: AbortSignal): Promise<string> {
  const server = createServer((_request, response) => {
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ client_id: address, ...content }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/oauth/client.json`;
  const close = (): void => {
    server.close();
    server.closeAllConnections();
  };
  signal.addEventListener('abort', close, { once: true });
  if (signal.aborted) close();
  server.unref();
  return address;
}
