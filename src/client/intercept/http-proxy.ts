/**
 * An HTTP proxy between clients and a server. It forwards requests and replies unchanged and reports copies. With
 * `authorization` it also stands for the server's authorization servers, each at an address of its own.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { publicLookup, type Reach } from '../peer/beside/fetch-policy.ts';
import { openHttp1 } from '../transport/network/http1.ts';
import { networkOf, type NetworkOptions } from '../transport/network/network-options.ts';
import { createOrigins, type Origins } from './authorization/origins.ts';
import { createLearned, turnOf, type Listener, type RequestHead, type Turn } from './authorization/turning.ts';
import { heldBody, type Against } from './call-gate.ts';
import { createExchangeRelay, type ExchangeRelay } from './exchange-relay.ts';
import { listen } from './listen.ts';
import { namesThisMachine } from './own-host.ts';
import type { TapSink } from './taps.ts';

/** Options for relaying logins. */
export interface RelayedAuthorization {
  /** Origins of authorization servers that are relayed whatever their address. */
  allowed: readonly string[];
  /** An authorization server has an address at this machine. */
  onRelay(origin: string, local: string): void;
  /** An authorization server is not relayed. */
  onRefused(origin: string, why: string): void;
}

export interface HttpProxyOptions extends NetworkOptions {
  /** Address of the server; its origin counts, the path is the client's. */
  upstream: URL;
  /** Where to listen; port 0 takes a free one. */
  host: string;
  port: number;
  /** Called first, once the client's transport is known. */
  tell: TapSink;
  /** The transport, if it is known; else a GET for an event stream as the first request means HTTP+SSE. */
  transport?: 'http' | 'sse';
  /** Authorization of a client that sends none: the credentials in the address of the upstream. */
  authorization?: string;
  /** Returns the reason for which a message must not reach the server. The proxy then answers it, and holds bodies of requests until they are whole. */
  against?: Against | undefined;
  /** Called once, when the server requires credentials: its metadata names its own address. */
  onProtected?: (() => void) | undefined;
  /** Turns challenges and metadata to the proxy, and relays the authorization servers. */
  logins?: RelayedAuthorization | undefined;
}

export interface HttpProxy {
  /** Address of the listener, with the path of the upstream: what a client is given. */
  readonly url: string;
  /** Ends all exchanges and stops listening. Resolves when everything is reported. */
  close(): Promise<void>;
}

interface Closing {
  server: Server;
  relay: ExchangeRelay;
  destroy(): void;
}

/** @throws McpcError (usage) when the address cannot be listened on */
export async function startHttpProxy(options: HttpProxyOptions): Promise<HttpProxy> {
  const { upstream, tell } = options;
  const listeners: Closing[] = [];
  let exchanges = 0;
  let turn: ((head: RequestHead) => Turn) | undefined;
  const name = (): string => `x${(exchanges += 1)}`;
  const onUnauthorized = once(() => options.onProtected?.());

  const way = openHttp1(upstream, options);
  const relay = createExchangeRelay({
    ...{ way, upstream, notify: tell, name, onUnauthorized },
    authorization: options.authorization,
    ...(options.logins === undefined ? {} : { turn: (head: RequestHead) => turn!(head) }),
  });
  const server = openListener(options.host, mainRoute(options, relay));
  const { origin: local } = await listen(server, options.host, options.port);
  listeners.push({ server, relay, destroy: () => way.destroy() });

  if (options.logins !== undefined) {
    const learned = createLearned();
    const origins: Origins = createOrigins({
      ...options.logins,
      upstream,
      local,
      async open(address, how) {
        const itsWay = openHttp1(address, networkTo(how, options));
        const own: Listener = { origin: address.origin, local: '' };
        const itsRelay = createExchangeRelay({
          ...{ way: itsWay, upstream: address, notify: tell, name },
          turn: (head) => turnOf(head, own, origins, learned),
        });
        const itsServer = openListener(options.host, (request, response) =>
          itsRelay.pass(request, response, { opensConnection: false }),
        );
        own.local = (await listen(itsServer, options.host, 0)).origin;
        listeners.push({ server: itsServer, relay: itsRelay, destroy: () => itsWay.destroy() });
        return own.local;
      },
    });
    const main: Listener = { origin: upstream.origin, local, endpoint: upstream.pathname };
    turn = (head) => turnOf(head, main, origins, learned);
  }

  return {
    url: `${local}${upstream.pathname}${upstream.search}`,
    async close() {
      await Promise.all(listeners.map((one) => closed(one.server)));
      await Promise.all(listeners.map((one) => one.relay.settled()));
      for (const one of listeners) one.destroy();
    },
  };
}

/** Requests for the server itself: they decide the transport, and may be held back. */
function mainRoute(
  { against, tell, ...options }: HttpProxyOptions,
  relay: ExchangeRelay,
): (request: IncomingMessage, response: ServerResponse) => void {
  let { transport } = options;
  if (transport !== undefined) tell({ tap: 'begin', transport });

  function pass(request: IncomingMessage, response: ServerResponse, body?: Buffer): void {
    const { method = 'GET', url = '/' } = request;
    // Metadata may be the first that a client asks for, over either transport.
    const opens = method === 'GET' && !url.includes('/.well-known/');
    if (transport === undefined) {
      transport = opens && !isOfStreamable(request) ? 'sse' : 'http';
      tell({ tap: 'begin', transport });
    }
    relay.pass(request, response, { opensConnection: transport === 'sse' && opens, body });
  }

  return (request, response) => {
    if (against === undefined || request.method !== 'POST') return pass(request, response);
    void heldBody(request, response, against, transport).then((body) => {
      if (body !== undefined) pass(request, response, body);
    });
  };
}

/** A GET of HTTP+SSE takes an event stream alone, and knows no sessions; clients of the later transport may try one first. */
function isOfStreamable({ headers }: IncomingMessage): boolean {
  return /\bapplication\/json\b/i.test(headers.accept ?? '') || headers['mcp-session-id'] !== undefined;
}

/** A listener that answers requests to this machine alone, where it listens on a loopback address. */
function openListener(host: string, route: (request: IncomingMessage, response: ServerResponse) => void): Server {
  const server = createServer((request, response) => {
    if (namesThisMachine(host, request.headers.host)) return route(request, response);
    response.writeHead(403, { 'content-type': 'text/plain' }).end('The Host header does not name this machine.\n');
  });
  server.requestTimeout = 0;
  server.timeout = 0;
  return server;
}

/** Consent to any certificate, a client certificate or a socket applies to the server alone. */
function networkTo(how: Exclude<Reach, object>, options: HttpProxyOptions) {
  if (how === 'own') return networkOf(options);
  const { ca, proxies } = options;
  return {
    ...(ca === undefined ? {} : { ca }),
    ...(proxies === undefined ? {} : { proxies }),
    ...(how === 'public' ? { lookup: publicLookup } : {}),
  };
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

function once(act: () => void): () => void {
  let done = false;
  return () => {
    if (!done) act();
    done = true;
  };
}
