/** The address of one start over HTTP: a scene behind a proxy that records what passes, and knows when nothing passes any more. */
import { startHttpProxy } from '../../client/intercept/http-proxy.ts';
import type { Tap, TapSink } from '../../client/intercept/taps.ts';
import type { Host } from '../../server/session/host.ts';
import { canaryPath } from '../scene/canaries.ts';
import { serveLegacySse, ssePath } from '../../server/transports/legacy-sse.ts';
import { endpointPath, serveStreamableHttp } from '../../server/transports/streamable-http.ts';

/** What of a start shows that the client came, and whether it still does something. */
export interface Reached {
  /** Requests that came, or pieces of them. */
  requests(): number;
  /** Milliseconds since something passed. */
  quietMs(): number;
  /** The client is gone: how the rest ends is not its doing. @param lives its process goes on */
  clientGone?(lives?: boolean): void;
  /** mcpc ends the client, and by its signals all that it started: nothing that follows is its doing. */
  clientEnded?(): void;
  /** Something passed elsewhere. */
  touch(): void;
  close(): Promise<void>;
}

export interface Endpoint extends Reached {
  /** What the client is given. */
  url: string;
}

/** Requests of one start; a client that sends more goes without answer. */
const mostRequests = 10_000;

/** Where an endpoint listens. */
export interface EndpointPlace {
  host: string;
  /** 0 takes a free one. */
  port: number;
  /** A path that nobody guesses, before that of the transport: requests elsewhere are neither recorded nor answered. */
  secret: string;
}

/**
 * @param flooded told once that the client sent more requests than are looked at
 * @param place a free port of the loopback address when absent
 * @throws McpcError usage when the address cannot be listened on
 */
export async function openEndpoint(
  host: Host,
  transport: 'http' | 'sse',
  tap: TapSink,
  flooded: () => void,
  place?: EndpointPlace,
): Promise<Endpoint> {
  const serve = transport === 'http' ? serveStreamableHttp : serveLegacySse;
  const before = place === undefined ? '' : `/${place.secret}`;
  const path = before + (transport === 'http' ? endpointPath : ssePath);
  const server = await serve(host, { port: 0, path });
  const strangers = new Set<string>();
  let requests = 0;
  let last = performance.now();
  const isStranger = (one: Tap): boolean => {
    if (one.tap === 'request' && place !== undefined && !isMeant(one.path, before)) strangers.add(one.exchange);
    const isOne = 'exchange' in one && strangers.has(one.exchange);
    if (isOne && one.tap === 'exchange-end') strangers.delete(one.exchange);
    return isOne;
  };
  const proxy = await startHttpProxy({
    upstream: new URL(server.origin + path),
    host: place?.host ?? '127.0.0.1',
    port: place?.port ?? 0,
    transport,
    tell(one: Tap) {
      if (isStranger(one)) return;
      last = performance.now();
      if (one.tap === 'request') {
        requests += 1;
        if (requests === mostRequests + 1) flooded();
      }
      if (requests <= mostRequests) tap(one);
    },
  });
  return {
    url: proxy.url,
    requests: () => requests,
    quietMs: () => performance.now() - last,
    touch: () => (last = performance.now()),
    async close() {
      // The server ends its streams first, as one that stops does.
      await server.close();
      await proxy.close();
    },
  };
}

/** True for requests to the endpoint, and to addresses that belong to it by its origin. */
function isMeant(path: string, before: string): boolean {
  return path.startsWith(`${before}/`) || path.startsWith('/.well-known/') || path.startsWith(canaryPath);
}
