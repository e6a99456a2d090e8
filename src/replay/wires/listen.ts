/** What the listeners over HTTP share: the server, the Origin check, bodies, and headers that are kept. */
import { boundedText } from '../../core/trace/byte-collector.ts';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { usageError } from '../../core/model/errors.ts';
import type { HeaderMap } from '../../core/model/trace.ts';
import type { ReplayConnection } from '../connection.ts';

export interface HttpReplay {
  host: string;
  port: number;
  /** @param push sends what belongs to no request */
  connect(push: (text: string) => void): ReplayConnection;
}

export interface ListeningHttp {
  /** Scheme, host and port. */
  origin: string;
  close(): Promise<void>;
}

const mostBytes = 64 * 1024 * 1024;

/** @throws McpcError usage for an address that is taken, or not of this machine */
export async function listenHttp(
  { host, port }: HttpReplay,
  serve: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
  onClose: () => void,
): Promise<ListeningHttp> {
  const server = createServer((request, response) => {
    response.on('error', () => {});
    // Pages of other sites reach addresses of this machine.
    if (!isOwn(request.headers.origin)) return refuse(response, 403, 'This Origin is not allowed.');
    serve(request, response).catch(() => {
      if (response.headersSent) response.destroy();
      else refuse(response, 500, 'Internal error.', -32603);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) =>
      reject(
        usageError(
          `Cannot listen at ${host}:${port}: ${error.message}`,
          'Name another address; port 0 takes a free one.',
          error,
        ),
      ),
    );
    server.listen(port, host, resolve);
  });
  const name = host.includes(':') ? `[${host}]` : host;
  return {
    origin: `http://${name}:${(server.address() as AddressInfo).port}`,
    close: async () => {
      onClose();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function isOwn(origin: string | undefined): boolean {
  if (origin === undefined) return true;
  return URL.canParse(origin) && ['localhost', '127.0.0.1', '[::1]'].includes(new URL(origin).hostname);
}

/** Undefined where it is too large. */
export function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  return boundedText(request, mostBytes);
}

/** A JSON-RPC error without an id under a status. */
export function refuse(response: ServerResponse, status: number, message: string, code = -32000): void {
  response
    .writeHead(status, { 'content-type': 'application/json' })
    .end(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } }));
}

/** Of one connection, one message or one session; the replay has its own. */
const own = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'date',
  'keep-alive',
  'mcp-session-id',
  'set-cookie',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Recorded headers that the replay sends again. */
export function keptHeaders(headers: HeaderMap): Record<string, string | string[]> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !own.has(name) && !name.startsWith(':')));
}
