/** A forward proxy: whole addresses and CONNECT. It knows names that nobody else does, and can be told to misbehave. */
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer, type ServerOptions } from 'node:https';
import { connect, type AddressInfo, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';

export interface ForwardProxy {
  /** Without credentials. */
  readonly url: string;
  readonly port: number;
  /** First lines of all requests. */
  readonly asked: string[];
  /** Names and values of the newest request, as they were written. */
  readonly rawHeaders: string[];
  readonly open: ReadonlySet<Socket>;
  /** Names in the certificates that clients showed; of one that showed none, nothing. */
  readonly shown: string[];
  close(): Promise<void>;
}

export interface ProxyHabits {
  /** `user:password` that it wants. */
  credentials?: string;
  /** What to do with a CONNECT in place of opening a tunnel. */
  onConnect?: (socket: Duplex) => void;
  /** What to do with any other request in place of handing it on. */
  onRequest?: (request: IncomingMessage, response: ServerResponse) => void;
  /** Speaks TLS. */
  tls?: ServerOptions;
  /** Ends a tunnel after so many bytes of the server. */
  cutAfter?: number;
}

/** @param hosts where names lead to, each on 127.0.0.1 unless it says otherwise */
export async function startForwardProxy(
  hosts: Record<string, string> = {},
  habits: ProxyHabits = {},
): Promise<ForwardProxy> {
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  let rawHeaders: string[] = [];
  const hostOf = (name: string): string => hosts[name] ?? name;
  const refused = (incoming: IncomingMessage): boolean =>
    habits.credentials !== undefined &&
    incoming.headers['proxy-authorization'] !== `Basic ${Buffer.from(habits.credentials).toString('base64')}`;
  const see = (incoming: IncomingMessage): void => {
    asked.push(`${incoming.method} ${incoming.url}`);
    rawHeaders = incoming.rawHeaders;
  };

  const shown: string[] = [];
  const onRequest = (incoming: IncomingMessage, response: ServerResponse): void => {
    see(incoming);
    if (refused(incoming))
      return void response
        .writeHead(407, { 'proxy-authenticate': 'Basic realm="p"', 'content-type': 'application/json' })
        .end('{"jsonrpc":"2.0","id":1,"result":{}}');
    if (habits.onRequest) return habits.onRequest(incoming, response);
    const to = new URL(incoming.url ?? '');
    const headers = incoming.rawHeaders.flatMap((name, at, all) =>
      at % 2 === 0 && !/^proxy-/i.test(name) ? [name, all[at + 1]!] : [],
    );
    const onward = request(
      {
        host: hostOf(to.hostname),
        port: Number(to.port || 80),
        method: incoming.method,
        path: to.pathname + to.search,
        headers: headers as unknown as Record<string, string>,
      },
      (reply) => {
        response.writeHead(reply.statusCode!, reply.rawHeaders);
        reply.pipe(response);
      },
    );
    onward.on('error', () => response.writeHead(502).end());
    incoming.pipe(onward);
  };
  const server: Server = habits.tls ? createTlsServer(habits.tls, onRequest) : createServer(onRequest);
  server.on('secureConnection', (socket: TLSSocket) =>
    shown.push(...[socket.getPeerCertificate().subject?.CN ?? []].flat()),
  );
  server.on('connect', (incoming: IncomingMessage, socket: Socket, head: Buffer) => {
    see(incoming);
    socket.on('error', () => {});
    if (refused(incoming))
      return void socket.end('HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic\r\n\r\n');
    if (habits.onConnect) return habits.onConnect(socket);
    const [, host = '', port = ''] = /^\[?([^\]]*?)\]?:(\d+)$/.exec(incoming.url ?? '') ?? [];
    const onward = connect(Number(port), hostOf(host), () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      onward.write(head);
      let bytes = 0;
      if (habits.cutAfter !== undefined)
        onward.on('data', (chunk) => (bytes += chunk.length) > habits.cutAfter! && socket.destroy());
      onward.pipe(socket).pipe(onward);
    });
    onward.on('error', () => socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n'));
    socket.on('close', () => onward.destroy());
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `${habits.tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    port,
    asked,
    get rawHeaders() {
      return rawHeaders;
    },
    open: sockets,
    shown,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
