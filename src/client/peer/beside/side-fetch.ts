/**
 * Requests outside the MCP endpoint: to other paths of the target, and to other origins as far as the policy allows.
 * They carry no credentials and no header of the user's, follow no redirect, and read little.
 */
import type { EventSink } from '../../../core/model/trace.ts';
import { openHttpConnection, type HttpConnection, type HttpExchange } from '../../transport/http/http-exchange.ts';
import type { HttpTarget } from '../../target/target.ts';
import { networkOf, type NetworkOptions } from '../../transport/network/network-options.ts';
import { proxyFor } from '../../transport/network/proxy-settings.ts';
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
  /**
   * The proxy resolves names itself, so names that resolve to an inner network here are refused before.
   * @returns why; undefined if it is allowed
   */
  refusal(address: URL): Promise<string | undefined>;
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

  /** Consent to any certificate, a client certificate or a socket applies to the target, not to other servers. */
  function networkTo(how: Exclude<Reach, object>): NetworkOptions {
    const { ca, proxies } = networkOf(target);
    return how === 'own'
      ? networkOf(target)
      : networkOf({ ...(ca === undefined ? {} : { ca }), ...(proxies === undefined ? {} : { proxies }) });
  }

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
      ...networkTo(how),
    });
    connections.set(address.origin, made);
    return made;
  }

  return {
    reach,
    async refusal(address) {
      if (reach(address) !== 'public') return undefined;
      try {
        if (proxyFor(address, target.proxies) === undefined) return undefined;
      } catch (error) {
        return (error as Error).message;
      }
      const fault = await new Promise<NodeJS.ErrnoException | null>((resolve) =>
        publicLookup(address.hostname, { all: true }, resolve),
      );
      return fault?.code === 'ENOTPUBLIC' ? 'it is no address of the internet' : undefined;
    },
    send(address, { timeoutMs, ...request }) {
      const how = reach(address);
      if (typeof how === 'object') return undefined;
      return connectionTo(address, how).exchange({
        ...request,
        path: address.pathname + address.search,
        readTimeoutMs: timeoutMs,
      });
    },
    async close() {
      await Promise.all([...connections.values()].map((one) => one.close()));
    },
  };
}
