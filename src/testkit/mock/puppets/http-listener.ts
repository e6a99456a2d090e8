/** Common part of both HTTP puppets: the node server, request bodies, and the connection of a request. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A client with several connections names them in this header; others are distinguished by session. */
export const connectionHeader = 'x-puppet-connection';

export interface Listening {
  /** Without a path. */
  origin: string;
  port: number;
  close(): Promise<void>;
}

/** @param host the address to bind, the loopback address by default */
export async function listen(
  route: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
  host = '127.0.0.1',
): Promise<Listening> {
  const server = createServer((request, response) => {
    response.on('error', () => {});
    route(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

/** A header's value; a repeated one joined. */
export function headerOf(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}

/** Requests of pages from elsewhere are refused (2025-03-26: transports, security warning). */
export function isForeign(request: IncomingMessage): boolean {
  const origin = headerOf(request, 'origin');
  if (origin === undefined) return false;
  try {
    return new URL(origin).host !== request.headers.host;
  } catch {
    return true;
  }
}

export function jsonBody(value: unknown): { headers: Record<string, string>; body: Buffer } {
  return { headers: { 'content-type': 'application/json' }, body: Buffer.from(JSON.stringify(value)) };
}

/** Ids of the requests in a message or batch. */
export function requestIds(message: unknown): unknown[] {
  return [message]
    .flat()
    .flatMap((one) => (typeof one === 'object' && one !== null && 'method' in one && 'id' in one ? [one.id] : []));
}
