/** The address of one start over HTTP: a scene behind a proxy that records what passes, and knows when nothing passes any more. */
import { startHttpProxy } from '../../client/intercept/http-proxy.ts';
import type { Tap, TapSink } from '../../client/intercept/taps.ts';
import type { Host } from '../../server/core/host.ts';
import { serveLegacySse, ssePath } from '../../server/transports/legacy-sse.ts';
import { endpointPath, serveStreamableHttp } from '../../server/transports/streamable-http.ts';

/** What of a start shows that the client came, and whether it still does something. */
export interface Reached {
  /** Requests that came, or pieces of them. */
  requests(): number;
  /** Milliseconds since something passed. */
  quietMs(): number;
  /** The client is gone: how the rest ends is not its doing. */
  clientGone?(): void;
  /** mcpc ends the client, and by its signals all that it started: nothing that follows is its doing. */
  clientEnded?(): void;
  close(): Promise<void>;
}

export interface Endpoint extends Reached {
  /** What the client is given. */
  url: string;
}

/** Requests of one start; a client that sends more goes without answer. */
const mostRequests = 10_000;

/** @param flooded told once that the client sent more requests than are looked at */
export async function openEndpoint(
  host: Host,
  transport: 'http' | 'sse',
  tap: TapSink,
  flooded: () => void,
): Promise<Endpoint> {
  const serve = transport === 'http' ? serveStreamableHttp : serveLegacySse;
  const server = await serve(host, { port: 0 });
  let requests = 0;
  let last = performance.now();
  const proxy = await startHttpProxy({
    upstream: new URL(server.origin + (transport === 'http' ? endpointPath : ssePath)),
    host: '127.0.0.1',
    port: 0,
    transport,
    tell(one: Tap) {
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
    async close() {
      // The server ends its streams first, as one that stops does.
      await server.close();
      await proxy.close();
    },
  };
}
