/**
 * Requests beside the MCP endpoint: to other paths of the target, and to other origins as far as the policy
 * allows. They carry no credentials and no header of the user's, follow no redirect, and read little.
 */
import type { EventSink } from '../../model/trace.ts';
import { openHttpConnection, type HttpConnection, type HttpExchange } from '../../transport/http/http-exchange.ts';
import type { HttpTarget } from '../target.ts';
import { publicLookup, reachOf, type Reach } from './fetch-policy.ts';

export interface SideRequest {
  method: 'GET' | 'POST';
  headers: [string, string][];
  body?: string;
  deviation?: string;
  timeoutMs: number;
}

export interface SideFetch {
  reach(address: URL): Reach;
  /** Undefined when the policy refuses the address. */
  send(address: URL, request: SideRequest): HttpExchange | undefined;
  close(): Promise<void>;
}

/** Metadata is a few kilobytes. */
const maxBodyBytes = 256 * 1024;
const json = { maxDepth: 30, maxValues: 20_000 };

export function createSideFetch(target: HttpTarget, session: string, sink: EventSink): SideFetch {
  const own = new URL(target.url);
  const connections = new Map<string, HttpConnection>();
  const reach = (address: URL): Reach => reachOf(address, own, target.authServers);

  function connectionTo(address: URL, how: Exclude<Reach, object>): HttpConnection {
    const known = connections.get(address.origin);
    if (known) return known;
    const made = openHttpConnection({
      url: address.origin,
      session,
      sink,
      limits: { maxBodyBytes, maxStreamBytes: maxBodyBytes, maxSseEventBytes: maxBodyBytes, json },
      maxSockets: 4,
      ...(how === 'own' ? {} : { elsewhere: true }),
      ...(how === 'public' ? { lookup: publicLookup } : {}),
      ...(target.ca === undefined ? {} : { ca: target.ca }),
      // Whoever accepts any certificate of the target has not said so of others.
      ...(target.insecure && how === 'own' ? { insecure: true } : {}),
    });
    connections.set(address.origin, made);
    return made;
  }

  return {
    reach,
    send(address, { timeoutMs, ...request }) {
      const how = reach(address);
      if (typeof how === 'object') return undefined;
      return connectionTo(address, how).exchange({ ...request, path: address.pathname + address.search, readTimeoutMs: timeoutMs });
    },
    async close() {
      await Promise.all([...connections.values()].map((one) => one.close()));
    },
  };
}
