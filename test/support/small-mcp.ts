/** An MCP server that answers initialize and ping, as a listener for servers of HTTP/1.1, HTTPS and HTTP/2 alike. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import type { Server, Socket } from 'node:net';

export function smallMcp(
  request: IncomingMessage | Http2ServerRequest,
  response: ServerResponse | Http2ServerResponse,
): void {
  const send = (status: number, headers: Record<string, string>, body = ''): void => {
    (response as ServerResponse).writeHead(status, headers);
    response.end(body);
  };
  if (request.method !== 'POST') return send(405, { allow: 'POST' });
  let text = '';
  request.on('data', (chunk: Buffer) => (text += chunk.toString()));
  request.on('end', () => {
    let message: { id?: unknown; method?: string; params?: { protocolVersion?: string } } | null;
    try {
      message = JSON.parse(text) as typeof message;
    } catch {
      return send(
        400,
        { 'content-type': 'application/json' },
        JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32700, message: 'Parse error' } }),
      );
    }
    if (message === null)
      return send(
        400,
        { 'content-type': 'application/json' },
        JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32600, message: 'Invalid Request' } }),
      );
    if (message.id === undefined) return send(202, {});
    const result =
      message.method === 'initialize'
        ? {
            protocolVersion: message.params?.protocolVersion === '2025-06-18' ? '2025-06-18' : '2025-11-25',
            capabilities: {},
            serverInfo: { name: 'small', version: '1' },
          }
        : message.method === 'ping'
          ? {}
          : undefined;
    const answer = result === undefined ? { error: { code: -32601, message: 'Method not found' } } : { result };
    send(200, { 'content-type': 'application/json' }, JSON.stringify({ jsonrpc: '2.0', id: message.id, ...answer }));
  });
}

/** Listens for the length of a callback. @param place a port of 127.0.0.1 by default, else a path or host */
export async function listening<T>(
  server: Server,
  run: (port: number) => Promise<T>,
  place: { path?: string; host?: string } = {},
): Promise<T> {
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  };
  server.on('connection', keep);
  server.on('tlsClientError', () => {});
  server.on('sessionError', () => {});
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    if (place.path === undefined) server.listen(0, place.host ?? '127.0.0.1', resolve);
    else server.listen(place.path, resolve);
  });
  const address = server.address();
  try {
    return await run(typeof address === 'object' && address !== null ? address.port : 0);
  } finally {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  }
}
