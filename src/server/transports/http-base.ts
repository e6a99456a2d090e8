/**
 * Common part of both HTTP transports: the node server, bodies, replies, and the Origin check. It is independent of
 * sessions and messages.
 */
import { boundedText } from '../../core/trace/byte-collector.ts';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { HttpReply } from '../session/behaviour.ts';
import { bytesOf } from '../session/due.ts';
import type { Host } from '../session/host.ts';

const maxBodyBytes = 4 * 1024 * 1024;
const loopbackNames = new Set(['127.0.0.1', 'localhost', '[::1]']);

export interface HttpOptions {
  host?: string;
  port?: number;
  /** Path of the endpoint; the usual one of the transport when absent. */
  path?: string;
}

export interface RunningHttp {
  /** Origin without a path, such as http://127.0.0.1:8080. */
  origin: string;
  close(): Promise<void>;
}

export type Route = (request: IncomingMessage, response: ServerResponse, path: string) => Promise<void>;

/** Binds a server. Every request passes the gate seam and the Origin check before its route. */
export async function startHttp(host: Host, options: HttpOptions, route: Route): Promise<RunningHttp> {
  const address = options.host ?? '127.0.0.1';
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://unused');
    response.on('error', () => {});
    const view = {
      verb: request.method ?? '',
      path: url.pathname,
      headers: request.headers,
      names: request.rawHeaders.filter((_one, index) => index % 2 === 0),
    };
    request.headers = host.behaviour.http.hear(view) as IncomingMessage['headers'];
    const early = host.behaviour.http.gate({ ...view, headers: request.headers });
    if (early !== undefined) return writeReply(host, response, early);
    if (host.keeps('check-origin') && !acceptableOrigin(request, server.address() as AddressInfo)) {
      return writeReply(host, response, refusal(403, 'origin', 'This origin is not accepted'));
    }
    route(request, response, url.pathname).catch(() => {
      if (!response.headersSent) writeReply(host, response, refusal(500, 'fault', 'Internal error', -32603));
      else response.destroy();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, host.behaviour.http.bind ?? address, resolve);
  });
  const name = address.includes(':') ? `[${address}]` : address;
  return {
    origin: `http://${name}:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** No Origin is fine (not a browser); otherwise it has to be this server's own. */
function acceptableOrigin(request: IncomingMessage, bound: AddressInfo): boolean {
  const origin = request.headers.origin;
  if (origin === undefined) return true;
  if (!URL.canParse(origin)) return false;
  const { protocol, hostname, port } = new URL(origin);
  const own = loopbackNames.has(hostname) || hostname === bound.address;
  return protocol === 'http:' && own && (port === '' ? 80 : Number(port)) === bound.port;
}

/** A reply whose body is a JSON-RPC error without an id. */
export function refusal(status: number, reason: string, message: string, code = -32600): HttpReply {
  return { status, reason, body: { jsonrpc: '2.0', error: { code, message } } };
}

/** Sends a reply that is no event stream, through the reply seam. */
export function writeReply(
  host: Host,
  response: ServerResponse,
  reply: HttpReply,
  headers: Record<string, string> = {},
): void {
  const final = host.behaviour.http.reply({ ...reply, headers: { ...headers, ...reply.headers } });
  const body = final.body === undefined ? undefined : bytesOf(host, final.body);
  const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
  const length: Record<string, string> = final.status === 204 ? {} : { 'content-length': String(body?.length ?? 0) };
  const usual = { status: final.status, headers: { ...type, ...length, ...final.headers } };
  const head = host.behaviour.http.head(usual, {
    verb: response.req.method ?? '',
    posted: final.posted,
    method: final.method,
    message: final.body,
  });
  response.writeHead(head.status, head.headers);
  response.end(body);
}

/** The body as text, or undefined if it is larger than a message may be. */
export function readBody(request: IncomingMessage): Promise<string | undefined> {
  return boundedText(request, maxBodyBytes);
}
