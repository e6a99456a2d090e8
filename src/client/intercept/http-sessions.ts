/**
 * Finds the connection of an HTTP exchange when several clients use one proxy: by the session id of Streamable HTTP, by
 * the endpoint of an HTTP+SSE stream, by the era of a stateless request, and otherwise by the latest handshake. It must
 * not change anything that it reads.
 */
import { BoundedMap } from '../../core/model/bounded.ts';
import type { HeaderMap } from '../../core/model/trace.ts';
import type { ReplyEvent } from '../transport/http/whole-reply.ts';

export interface HttpRequestSeen {
  path: string;
  headers: HeaderMap;
  /** The JSON in its body. */
  message: unknown;
  /** It opens the one stream of a connection over HTTP+SSE. */
  opensConnection: boolean;
}

export interface HttpSessions {
  /** Name of the connection for a request. */
  ofRequest(request: HttpRequestSeen): string;
  /** Records the connection data of a reply. */
  observe(session: string, event: ReplyEvent): void;
}

/** Connections remembered; the oldest give way. */
const kept = 10_000;

export function createHttpSessions(): HttpSessions {
  const byId = new BoundedMap<string, string>(kept, 'forget-oldest');
  const byEndpoint = new BoundedMap<string, string>(kept, 'forget-oldest');
  let count = 0;
  let current: string | undefined;

  let stateless: string | undefined;
  /** A connection with a message without a session id before any handshake: the next handshake belongs to it. */
  let early: string | undefined;

  function next(): string {
    count += 1;
    return `s${count}`;
  }

  function begin(): string {
    current = next();
    return current;
  }

  return {
    ofRequest({ path, headers, message, opensConnection }) {
      const id = headers['mcp-session-id'];
      if (typeof id === 'string' && byId.has(id)) return byId.get(id)!;
      const posted = byEndpoint.get(path);
      if (posted !== undefined) return posted;
      if (isInitialize(message) && early !== undefined) {
        const own = early;
        early = undefined;
        return own;
      }
      if (opensConnection || isInitialize(message)) return begin();
      // Requests of the stateless era are independent of any handshake.
      if (isStateless(message)) return (stateless ??= next());
      if (current === undefined && stateless === undefined && id === undefined && message !== undefined)
        return (early = begin());
      return current ?? stateless ?? begin();
    },
    observe(session, event) {
      const id = event.http?.headers?.['mcp-session-id'];
      if (typeof id === 'string' && !byId.has(id)) byId.set(id, session);
      if (event.kind === 'sse-event' && event.sse?.event === 'endpoint' && event.sse.data !== undefined) {
        byEndpoint.set(pathOf(event.sse.data), session);
      }
    },
  };
}

function isInitialize(message: unknown): boolean {
  return typeof message === 'object' && message !== null && (message as { method?: unknown }).method === 'initialize';
}

function isStateless(message: unknown): boolean {
  const { params } = (message ?? {}) as { params?: { _meta?: Record<string, unknown> } | null };
  return typeof params?._meta?.['io.modelcontextprotocol/protocolVersion'] === 'string';
}

/** Path and query of an endpoint, which is a path or a whole address. */
function pathOf(endpoint: string): string {
  try {
    const url = new URL(endpoint.trim(), 'http://localhost');
    return url.pathname + url.search;
  } catch {
    return endpoint.trim();
  }
}
