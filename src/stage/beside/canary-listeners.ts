/** The canaries of a start: at the endpoint, over HTTP, and at listeners of their own. All requests get the same replies. */
import { createServer } from 'node:http';
import { listen } from '../../client/intercept/listen.ts';
import { passedExchange } from '../../client/transport/http/passed-exchange.ts';
import type { EventInput } from '../../core/model/trace.ts';
import { canaryReply, type CanaryOrigins } from '../scene/canaries.ts';

export interface CanaryListeners {
  origins: CanaryOrigins;
  close(): Promise<void>;
}

export interface CanaryOptions {
  /** The origin of the endpoint; undefined over stdio. */
  endpoint: string | undefined;
  /** Where to listen; names of this machine when absent. */
  host: string | undefined;
  record(event: EventInput): void;
  /** Called at each request. */
  onRequest(): void;
}

/** The connection of their exchanges. */
const session = 'canary';
/** Requests that are recorded. */
const mostRequests = 1_000;

/** @throws McpcError usage where this machine has no free port */
export async function openCanaries({ endpoint, host, record, onRequest }: CanaryOptions): Promise<CanaryListeners> {
  const origins: CanaryOrigins = { own: '', elsewhere: '' };
  let requests = 0;
  const open = async (name: string): Promise<{ origin: string; close(): Promise<void> }> => {
    const server = createServer((incoming, response) => {
      response.on('error', () => {});
      incoming.resume();
      const { pathname, search } = new URL(incoming.url ?? '/', origin);
      const found = canaryReply(pathname, origins);
      const body = found?.body === undefined ? '' : JSON.stringify(found.body);
      const reply = {
        status: found?.status ?? 404,
        headers: { ...found?.headers, ...(body === '' ? {} : { 'content-type': 'application/json' }) },
        body,
      };
      if (found !== undefined && (requests += 1) <= mostRequests) {
        onRequest();
        const { headers, method = '' } = incoming;
        const request = { method, origin, path: pathname + search, headers, body: '' };
        for (const event of passedExchange({ request, reply }, { session, exchange: `k${requests}` })) record(event);
      }
      response.writeHead(reply.status, reply.headers).end(body);
    });
    const { origin } = await listen(server, name, 0);
    return {
      origin,
      close: () =>
        new Promise((resolve) => {
          server.close(() => resolve());
          server.closeAllConnections();
        }),
    };
  };
  const elsewhere = await open(host ?? 'localhost');
  const own = endpoint === undefined ? await open(host ?? '127.0.0.1') : undefined;
  Object.assign(origins, { own: own?.origin ?? endpoint, elsewhere: elsewhere.origin });
  record({ session, from: 'harness', kind: 'listening', detail: [origins.own, origins.elsewhere] });
  return {
    origins,
    async close() {
      await Promise.all([elsewhere.close(), own?.close()]);
    },
  };
}
