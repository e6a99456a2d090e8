/**
 * Serves metadata documents of clients to the authorization server that is checked, and records who asks. It listens on
 * the own machine; a tunnel may make it known under another origin.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { usageError } from '../../core/model/errors.ts';
import type { EventSink } from '../../core/model/trace.ts';
import { passedExchange } from '../../client/transport/http/passed-exchange.ts';

export interface DocumentHost {
  /** The address of a document. */
  address(path: string): string;
  /** Number of requests for a document. */
  count(path: string): number;
  close(): Promise<void>;
}

export interface HostedDocument {
  headers: Record<string, string>;
  /** @param address under which it is served */
  body(address: string): string;
}

const session = 'documents';

/** @throws McpcError usage when the port is taken */
export async function hostDocuments(
  documents: Readonly<Record<string, HostedDocument>>,
  { origin, port, sink }: { origin: string | undefined; port: number | undefined; sink: EventSink },
): Promise<DocumentHost> {
  const counts = new Map<string, number>();
  let exchanges = 0;
  const server = createServer((request, response) => {
    const path = request.url ?? '/';
    counts.set(path, (counts.get(path) ?? 0) + 1);
    const found = Object.hasOwn(documents, path) ? documents[path] : undefined;
    const body = Buffer.from(found?.body(address(path)) ?? 'Not here');
    const reply = {
      status: found === undefined ? 404 : 200,
      headers: found?.headers ?? { 'content-type': 'text/plain' },
    };
    exchanges += 1;
    const asked = { method: request.method ?? '', origin: own(), path, headers: request.headers, body: '' };
    const where = { session, exchange: `d${exchanges}` };
    for (const event of passedExchange({ request: asked, reply: { ...reply, body } }, where, 'server')) sink(event);
    response.writeHead(reply.status, reply.headers).end(body);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port ?? 0, '127.0.0.1', resolve);
  }).catch((error: unknown) => {
    throw usageError(
      `mcpc cannot serve documents of clients: ${(error as Error).message}.`,
      'Give another port with --document-port.',
    );
  });
  const own = (): string => origin ?? `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const address = (path: string): string => `${own()}${path}`;
  return {
    address,
    count: (path) => counts.get(path) ?? 0,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
