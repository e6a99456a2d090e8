/**
 * The Streamable HTTP transport: verbs, headers, sessions and the choice of the era. It is independent of
 * methods other than initialize.
 */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { parseError, receive } from '../dispatch/dispatcher.ts';
import type { Host } from '../session/host.ts';
import type { JsonObject } from '../protocol/json-rpc.ts';
import { classify, isObject } from '../protocol/json-rpc.ts';
import { atLeast, isRevision, isStateful, statelessRevision } from '../protocol/revisions.ts';
import { Session } from '../session/session.ts';
import { isStatelessRequest, serveStateless } from '../dispatch/stateless.ts';
import { World } from '../session/world.ts';
import type { HttpOptions, RunningHttp } from './http-base.ts';
import { readBody, refusal, startHttp, writeReply } from './http-base.ts';
import { refusedAtDoor, serveOutOfBand } from './guard.ts';
import { HttpSession } from './http-session.ts';
import type { Posted } from './post-exchange.ts';
import { PostExchange } from './post-exchange.ts';

export const endpointPath = '/mcp';

/** Starts the transport; `origin` of the result lacks the endpoint path. */
export async function serveStreamableHttp(host: Host, options: HttpOptions): Promise<RunningHttp> {
  const endpoint = new Endpoint(host, options.path ?? endpointPath);
  const running = await startHttp(host, options, (request, response, path) => endpoint.route(request, response, path));
  return {
    origin: running.origin,
    async close() {
      endpoint.endListening();
      // Messages that end the streams are written before they are closed.
      await setImmediate();
      endpoint.close();
      return running.close();
    },
  };
}

class Endpoint {
  private readonly host: Host;
  private readonly endpoint: string;
  private readonly sessions = new Map<string, HttpSession>();
  /** Shared state of requests to a server without session ids; ids of several clients would clash in more. */
  private readonly common = { world: new World() };
  /** The sessions of single requests on a server without session ids. */
  private readonly alone = new Set<Session>();
  /** Those of requests of the stateless era that are not answered yet. */
  private readonly stateless = new Set<Session>();
  private issued = 0;

  constructor(host: Host, endpoint: string) {
    this.host = host;
    this.endpoint = endpoint;
  }

  async route(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
    if (path !== this.endpoint && serveOutOfBand(this.host, request, response, path, this.endpoint)) return;
    if (path !== this.endpoint) return this.refuse(response, 404, 'path', 'There is nothing here');
    if (request.method === 'POST') return this.post(request, response);
    const refused = await refusedAtDoor(this.host, request, undefined, this.endpoint);
    if (refused !== undefined) return writeReply(this.host, response, refused);
    const listens = request.method === 'GET' || request.method === 'DELETE';
    if (!listens || this.host.stateful.length === 0 || !this.host.keeps('issue-session-ids')) {
      return writeReply(this.host, response, {
        ...refusal(405, 'verb', 'This method is not supported'),
        headers: { allow: 'GET, POST, DELETE' },
      });
    }
    const owner = this.sessionOf(request, response);
    if (owner === undefined || !this.acceptVersion(request, response, owner.session)) return;
    if (request.method === 'DELETE') return this.delete(response, owner);
    if (!accepts(request, 'text/event-stream'))
      return this.refuse(response, 406, 'accept', 'Accept has to allow text/event-stream');
    const lastEventId = request.headers['last-event-id'];
    if (typeof lastEventId !== 'string') owner.listen(response);
    else if (!owner.resume(lastEventId, response))
      this.refuse(response, 400, 'unknown-event', 'There is no such event');
  }

  endListening(): void {
    for (const session of this.stateless) session.endListening();
  }

  close(): void {
    for (const owner of this.sessions.values()) owner.close();
    for (const session of this.alone) session.close();
  }

  private refuse(response: ServerResponse, status: number, reason: string, message: string, posted?: Posted): void {
    writeReply(this.host, response, {
      ...refusal(status, reason, message),
      ...(posted === undefined ? {} : { posted: posted.kind, method: posted.method }),
    });
  }

  private delete(response: ServerResponse, owner: HttpSession): void {
    if (this.host.keeps('forget-ended-sessions')) {
      this.sessions.delete(owner.id);
      owner.close();
    }
    writeReply(this.host, response, { status: 204, reason: 'deleted' });
  }

  private async post(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await readBody(request);
    const refused = await refusedAtDoor(this.host, request, readJson(text), this.endpoint);
    if (refused !== undefined) return writeReply(this.host, response, refused);
    if (text === undefined) return this.refuse(response, 413, 'size', 'The body is too large');
    if (!/^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? '')) {
      return this.refuse(response, 415, 'content-type', 'The body has to be application/json');
    }
    if (!accepts(request, 'application/json') || !accepts(request, 'text/event-stream')) {
      return this.refuse(response, 406, 'accept', 'Accept has to allow application/json and text/event-stream');
    }
    let payload: unknown;
    try {
      payload = JSON.parse(text);
    } catch {
      const known = this.sessions.get(String(request.headers['mcp-session-id']));
      return writeReply(this.host, response, { status: 400, reason: 'parse', body: parseError(known?.session) });
    }
    const posted = describe(payload);
    if (this.isStateless(payload, request)) return this.postStateless(payload, posted, request, response);
    return this.postStateful(payload, posted, request, response);
  }

  /** The body decides; where it is silent, headers that only the stateless era has. */
  private isStateless(payload: unknown, request: IncomingMessage): boolean {
    const { host } = this;
    if (!host.speaksStateless || !isObject(payload)) return false;
    const incoming = classify(payload);
    if (incoming.kind === 'request' && isStatelessRequest(host, incoming.message)) return true;
    const version = request.headers['mcp-protocol-version'];
    return (
      host.stateful.length === 0 ||
      version === statelessRevision ||
      (request.headers['mcp-method'] !== undefined && !isRevision(version))
    );
  }

  private postStateless(payload: unknown, posted: Posted, request: IncomingMessage, response: ServerResponse): void {
    const exchange = new PostExchange(this.host, response, posted, undefined, 'stateless');
    const session = new Session(this.host, 'http', () => {}, { world: this.host.world });
    this.stateless.add(session);
    response.on('close', () => this.stateless.delete(session));
    session.memo.set('socket', request.socket);
    // In this era a client cancels by closing the response.
    if (this.host.keeps('stop-abandoned-work')) exchange.onDisconnect(() => session.close());
    const incoming = classify(payload);
    if (incoming.kind === 'request') void serveStateless(session, incoming.message, exchange, request.headers);
    else receive(session, payload, exchange);
  }

  private postStateful(payload: unknown, posted: Posted, request: IncomingMessage, response: ServerResponse): void {
    const starts = posted.method === 'initialize' && posted.kind === 'request';
    if (!this.host.keeps('issue-session-ids')) return this.postWithoutSession(payload, posted, request, response);
    const owner = starts ? this.newSession() : this.sessionOf(request, response, posted);
    if (owner === undefined || (!starts && !this.acceptVersion(request, response, owner.session))) return;
    const exchange = new PostExchange(this.host, response, posted, owner, 'stateful');
    if (!this.host.keeps('survive-disconnects')) {
      exchange.onDisconnect(() => {
        for (const running of owner.session.running.values()) {
          if (running.sink !== exchange) continue;
          running.cancelled = true;
          running.abort.abort();
        }
      });
    }
    if (!starts && wantsProgress(payload)) exchange.beginStream();
    receive(owner.session, payload, exchange);
    if (starts && owner.session.revision === undefined) this.sessions.delete(owner.id);
  }

  /** Serves each POST on its own, by the revision that its header names. */
  private postWithoutSession(
    payload: unknown,
    posted: Posted,
    request: IncomingMessage,
    response: ServerResponse,
  ): void {
    const session = new Session(this.host, 'http', () => {}, this.common);
    if (posted.method !== 'initialize') {
      const named = request.headers['mcp-protocol-version'] ?? '2025-03-26';
      const revision = this.host.stateful.find((known) => known === named);
      if (revision === undefined)
        return this.refuse(response, 400, 'version', 'This protocol version is not supported', posted);
      session.revision = revision;
      session.phase = 'ready';
    }
    this.alone.add(session);
    response.on('close', () => {
      this.alone.delete(session);
      session.close();
    });
    receive(session, payload, new PostExchange(this.host, response, posted, undefined, 'stateful'));
  }

  private newSession(): HttpSession {
    const owner = new HttpSession(this.host, this.host.behaviour.http.sessionId(randomUUID(), this.issued));
    this.issued += 1;
    this.sessions.set(owner.id, owner);
    return owner;
  }

  /** The session that a request names; without one the request is refused. */
  private sessionOf(request: IncomingMessage, response: ServerResponse, posted?: Posted): HttpSession | undefined {
    const id = request.headers['mcp-session-id'];
    const named = typeof id === 'string' ? this.sessions.get(id) : undefined;
    const owner = named?.session.phase === 'closed' ? undefined : named;
    if (id === undefined) this.refuse(response, 400, 'session-missing', 'The header Mcp-Session-Id is missing', posted);
    else if (owner === undefined) this.refuse(response, 404, 'session-unknown', 'There is no such session', posted);
    return owner;
  }

  /** Checks MCP-Protocol-Version, which exists from 2025-06-18 on. A refused request is answered. */
  private acceptVersion(request: IncomingMessage, response: ServerResponse, session: Session): boolean {
    if (session.revision === undefined || !atLeast(session.revision, '2025-06-18')) return true;
    const named = request.headers['mcp-protocol-version'];
    const missing = named === undefined && !this.host.keeps('accept-missing-version-header');
    const bad = named !== undefined && !(isRevision(named) && isStateful(named) && this.host.revisions.includes(named));
    if (!missing && !(bad && this.host.keeps('check-version-header'))) return true;
    this.refuse(response, 400, 'version', 'This protocol version is not supported');
    return false;
  }
}

/** The payload as far as it can be read; what cannot is refused later. */
function readJson(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
}

function describe(payload: unknown): Posted {
  if (Array.isArray(payload)) {
    const asks = payload.some((part: unknown) => classify(part).kind === 'request');
    return { kind: asks ? 'request' : 'batch', method: undefined };
  }
  const incoming = classify(payload);
  if (incoming.kind === 'invalid') return { kind: 'request', method: undefined };
  const method = (incoming.message as JsonObject).method;
  return { kind: incoming.kind, method: typeof method === 'string' ? method : undefined };
}

function wantsProgress(payload: unknown): boolean {
  return (
    isObject(payload) &&
    isObject(payload.params) &&
    isObject(payload.params._meta) &&
    payload.params._meta.progressToken !== undefined
  );
}

function accepts(request: IncomingMessage, type: string): boolean {
  const family = type.replace(/\/.*/, '/*');
  const ranges = (request.headers.accept ?? '*/*')
    .split(',')
    .map((range) => range.replace(/;.*/, '').trim().toLowerCase());
  return ranges.some((range) => range === type || range === family || range === '*/*');
}
