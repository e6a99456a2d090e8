/**
 * An HTTP proxy between clients and a server. It forwards requests and replies unchanged, with unbuffered streams, and
 * reports copies. Only Host and hop-by-hop headers are replaced. In the old HTTP+SSE transport an absolute endpoint
 * address is changed to the proxy, since a client would else bypass it.
 */
import { createServer, type ClientRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { reasonOf } from '../transport/network/http-body.ts';
import { headerMap, headerPairs, mediaType } from '../transport/network/http-headers.ts';
import { openHttp1 } from '../transport/network/http1.ts';
import type { NetworkOptions } from '../transport/network/network-options.ts';
import { lossOf, ProxyError, refusalOf } from '../transport/network/tunnel.ts';
import { heldBody, type Against } from './call-gate.ts';
import { rewriteEndpoint } from './endpoint-rewrite.ts';
import { listen } from './listen.ts';
import { namesThisMachine } from './own-host.ts';
import type { Cut, TapSink } from './taps.ts';

export interface HttpProxyOptions extends NetworkOptions {
  /** Address of the server; its origin counts, the path is the client's. */
  upstream: URL;
  /** Where to listen; port 0 takes a free one. */
  host: string;
  port: number;
  /** Called first, once the client's transport is known. */
  tell: TapSink;
  /** The transport, if it is known; else a GET as the first request means HTTP+SSE. */
  transport?: 'http' | 'sse';
  /** Authorization of a client that sends none: the credentials in the address of the upstream. */
  authorization?: string;
  /** Returns the reason for which a message must not reach the server. The proxy then answers it, and holds bodies of requests until they are whole. */
  against?: Against | undefined;
  /** Called once, when the server requires credentials: its metadata names its own address. */
  onProtected?: () => void;
}

export interface HttpProxy {
  /** Address of the listener, with the path of the upstream: what a client is given. */
  readonly url: string;
  /** Ends all exchanges and stops listening. Resolves when everything is reported. */
  close(): Promise<void>;
}

/** Headers that concern one hop only (RFC 9110, 7.6.1), which each side makes for itself. */
const hopByHop = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** @throws McpcError (usage) when the address cannot be listened on */
export async function startHttpProxy(options: HttpProxyOptions): Promise<HttpProxy> {
  const { upstream, tell } = options;
  const way = openHttp1(upstream, options);
  const open = new Set<Promise<void>>();
  let transport = options.transport;
  let exchanges = 0;
  let isProtected = false;
  if (transport !== undefined) tell({ tap: 'begin', transport });

  function askedForCredentials(): void {
    if (!isProtected) options.onProtected?.();
    isProtected = true;
  }

  function relay(request: IncomingMessage, response: ServerResponse): void {
    if (!namesThisMachine(options.host, request.headers.host)) {
      response.writeHead(403, { 'content-type': 'text/plain' }).end('The Host header does not name this machine.\n');
      return;
    }
    if (options.against === undefined || request.method !== 'POST') return relayOn(request, response);
    void heldBody(request, response, options.against, transport).then((body) => {
      if (body !== undefined) relayOn(request, response, body);
    });
  }

  /** @param body what the request has, where it was held until it was whole */
  function relayOn(request: IncomingMessage, response: ServerResponse, body?: Buffer): void {
    const { method = 'GET', url: path = '/' } = request;
    if (transport === undefined) tell({ tap: 'begin', transport: (transport = method === 'GET' ? 'sse' : 'http') });
    const opensConnection = transport === 'sse' && method === 'GET';
    exchanges += 1;
    const exchange = `x${exchanges}`;
    const pairs = headerPairs(request.rawHeaders);
    tell({ tap: 'request', exchange, method, path, headers: pairs, opensConnection });

    let resolveDone: () => void = () => {};
    const done = new Promise<void>((resolve) => (resolveDone = resolve));
    open.add(done);
    let ended = false;
    const end = (cut?: Cut): void => {
      if (ended) return;
      ended = true;
      tell({ tap: 'exchange-end', exchange, cut });
      open.delete(done);
      resolveDone();
    };

    let onward: ClientRequest;
    try {
      onward = way.send({ method, path, headers: onwardHeaders(pairs, upstream.host, options.authorization) });
    } catch (error) {
      refuse(response, error as Error);
      end({ by: 'client', reason: (error as Error).message });
      return;
    }
    onward.setNoDelay(true);
    if (body !== undefined) {
      onward.end(body);
      tell({ tap: 'request-body', exchange, chunk: body });
      tell({ tap: 'request-end', exchange });
    } else {
      request.pipe(onward);
      request.on('data', (chunk: Buffer) => tell({ tap: 'request-body', exchange, chunk }));
      request.once('end', () => tell({ tap: 'request-end', exchange }));
      request.once('error', () => onward.destroy());
    }

    // The reply
    onward.once('response', (reply) => {
      if (way.forwarded && reply.statusCode === 407) {
        onward.destroy(refusalOf(way.proxy!, 407));
        return;
      }
      if (reply.statusCode === 401) askedForCredentials();
      const replied = headerPairs(reply.rawHeaders);
      const headers = headerMap(replied);
      response.writeHead(reply.statusCode ?? 502, reply.statusMessage, backHeaders(reply.rawHeaders));
      response.flushHeaders();
      response.socket?.setNoDelay(true);
      tell({ tap: 'reply', exchange, status: reply.statusCode ?? 0, headers: replied });
      const turned =
        opensConnection && mediaType(headers) === 'text/event-stream' && headers['content-encoding'] === undefined;
      const passing = turned
        ? reply.pipe(rewriteEndpoint(upstream.origin, `http://${request.headers.host ?? ''}`))
        : reply;
      passing.pipe(response);
      reply.on('data', (chunk: Buffer) => tell({ tap: 'reply-body', exchange, chunk }));
      reply.once('end', () => end());
      reply.once('error', (error) => {
        end({ by: 'server', reason: reasonOf(error) });
        response.destroy();
      });
    });
    onward.once('error', (failure) => {
      if (ended) return;
      const error = way.proxy === undefined || failure instanceof ProxyError ? failure : lossOf(way.proxy, failure);
      if (!response.headersSent) refuse(response, error);
      else response.destroy();
      // Actions of a proxy are not actions of the server.
      end({
        by: error instanceof ProxyError ? 'harness' : 'server',
        reason: error instanceof ProxyError ? error.message : reasonOf(error),
      });
    });
    response.once('close', () => {
      if (response.writableFinished) return;
      end({ by: 'client', reason: 'the client closed the connection' });
      onward.destroy();
    });
  }

  const server = createServer(relay);
  server.requestTimeout = 0;
  server.timeout = 0;
  const { origin } = await listen(server, options.host, options.port);

  return {
    url: `${origin}${upstream.pathname}${upstream.search}`,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
      await Promise.all(open);
      way.destroy();
    },
  };
}

/** As the client sent them, but for Host and what concerns the hop; a body of unknown length stays chunked. */
function onwardHeaders(pairs: readonly [string, string][], host: string, authorization?: string): [string, string][] {
  const chunked = pairs.some(
    ([name, value]) => name.toLowerCase() === 'transfer-encoding' && value.toLowerCase().includes('chunked'),
  );
  return [
    ...pairs
      .filter(([name]) => !hopByHop.has(name.toLowerCase()))
      .map(([name, value]): [string, string] => [name, name.toLowerCase() === 'host' ? host : value]),
    ...(authorization === undefined || pairs.some(([name]) => name.toLowerCase() === 'authorization')
      ? []
      : [['Authorization', authorization] as [string, string]]),
    ...(chunked ? [['Transfer-Encoding', 'chunked'] as [string, string]] : []),
  ];
}

function backHeaders(raw: readonly string[]): string[] {
  return headerPairs(raw)
    .filter(([name]) => !hopByHop.has(name.toLowerCase()))
    .flat();
}

function refuse(response: ServerResponse, error: Error): void {
  response.writeHead(502, { 'content-type': 'text/plain' }).end(`The upstream cannot be reached: ${reasonOf(error)}\n`);
}
