/**
 * One conversation with one client: what was negotiated, which requests are running in either direction, and where
 * messages go that belong to no running request. It is independent of framing and of methods.
 */
import type { About } from './behaviour.ts';
import { whenDue } from './due.ts';
import type { JsonObject, RequestId, RpcResponse } from '../protocol/json-rpc.ts';
import { idKey } from '../protocol/json-rpc.ts';
import type { Level } from '../protocol/log-levels.ts';
import { reachesLevel } from '../protocol/log-levels.ts';
import type { ReplySink } from '../protocol/reply-sink.ts';
import type { StatefulRevision } from '../protocol/revisions.ts';
import type { Host, TransportKind } from './host.ts';
import { TaskStore } from './task-store.ts';
import { World } from './world.ts';

/** A client request that has not been answered yet. */
export interface Running {
  readonly abort: AbortController;
  readonly sink: ReplySink;
  cancelled: boolean;
}

/** The exchange that a request to the client belongs to. */
interface Via {
  sink: ReplySink;
  signal: AbortSignal;
  /** Changes whatever is sent on behalf of that exchange. */
  mark?: (message: JsonObject) => JsonObject;
}

interface Waiting {
  resolve(result: JsonObject): void;
  reject(error: Error): void;
}

/** The client answered a request of the server with an error. */
export class ClientRefusal extends Error {}

export class Session {
  readonly host: Host;
  readonly transport: TransportKind;
  readonly world: World;
  /** Requests by idKey. On stdio both eras share one map. */
  readonly running: Map<string, Running>;
  readonly subscriptions = new Set<string>();
  /** Functions that end each open subscription of the stateless era when the server stops. */
  readonly listening = new Set<() => void>();
  readonly tasks: TaskStore = new TaskStore(this);
  /** Scratch pad for mutations. */
  readonly memo = new Map<string, unknown>();
  /** The era that a channel of both eras is bound to, where the server does that. */
  boundTo: 'stateful' | 'stateless' | undefined;
  phase: 'new' | 'initializing' | 'ready' | 'closed' = 'new';
  revision: StatefulRevision | undefined;
  clientCapabilities: JsonObject = {};
  initializeId: RequestId | undefined;
  logLevel: Level = 'info';
  private readonly outlet: (message: JsonObject, passing?: boolean) => void;
  private readonly waiting = new Map<string, Waiting>();
  private readonly issued = new Set<string>();
  private requests = 0;

  constructor(
    host: Host,
    transport: TransportKind,
    outlet: (message: JsonObject, passing?: boolean) => void,
    shared: { running?: Map<string, Running>; world?: World } = {},
  ) {
    this.host = host;
    this.transport = transport;
    this.outlet = outlet;
    this.running = shared.running ?? new Map();
    this.world = shared.world ?? new World();
  }

  /** Sends a message that belongs to no running request. */
  push(message: JsonObject, about: Partial<About> = {}): void {
    if (this.phase === 'closed') return;
    for (const outgoing of this.prepare(message, about)) whenDue([outgoing], () => this.deliver(outgoing));
  }

  /**
   * Passes a message to the transport unchanged.
   * @param passing it is lost without a listener, since it is worthless later
   */
  deliver(message: JsonObject, passing = false): void {
    if (this.phase !== 'closed') this.outlet(message, passing);
  }

  /** Sends a message as part of the reply to a running request. */
  relate(message: JsonObject, own: ReplySink, about: Partial<About> = {}): void {
    if (this.phase === 'closed') return;
    const sink = this.host.behaviour.route(message, own, this);
    for (const outgoing of this.prepare(message, about))
      whenDue([outgoing], () => this.phase !== 'closed' && sink.related(outgoing));
  }

  /** Passes a message through the outgoing seam. */
  prepare(message: JsonObject, about: Partial<About>): JsonObject[] {
    const method = typeof message.method === 'string' ? message.method : undefined;
    const kind = method === undefined ? 'result' : 'id' in message ? 'request' : 'notification';
    return this.host.behaviour.outgoing(message, {
      kind,
      method,
      reason: '',
      era: 'stateful',
      session: this,
      ...about,
    });
  }

  notify(method: string, params?: JsonObject): void {
    this.push({ jsonrpc: '2.0', method, ...(params === undefined ? {} : { params }) });
  }

  /** A log message of the session itself, subject to the level that the client set. */
  log(level: Level, data: unknown, logger = 'session'): void {
    if (!this.host.offers('logging') || !reachesLevel(level, this.logLevel)) return;
    this.notify('notifications/message', { level, logger, data });
  }

  /**
   * Sends a request to the client, on the reply of a running request if a sink is given. Rejects when the client
   * answers with an error, the signal aborts (with notifications/cancelled to the client) or the session closes.
   */
  request(method: string, params?: JsonObject, via?: Via): Promise<JsonObject> {
    const id = this.host.behaviour.requestId(this.requests);
    this.requests += 1;
    const key = idKey(id);
    this.issued.add(key);
    const message = { jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) };
    return new Promise<JsonObject>((resolve, reject) => {
      const giveUp = (): void => {
        if (!this.waiting.delete(key)) return;
        reject(new Error('cancelled'));
        const notice = {
          jsonrpc: '2.0',
          method: 'notifications/cancelled',
          params: { requestId: id, reason: 'no longer needed' },
        };
        if (via) this.relate(via.mark?.(notice) ?? notice, via.sink);
      };
      via?.signal.addEventListener('abort', giveUp, { once: true });
      const settled = (): void => via?.signal.removeEventListener('abort', giveUp);
      this.waiting.set(key, {
        resolve(result) {
          settled();
          resolve(result);
        },
        reject(error) {
          settled();
          reject(error);
        },
      });
      if (via === undefined) this.push(message);
      else this.relate(via.mark?.(message) ?? message, via.sink);
    });
  }

  /**
   * Takes a response of the client.
   * @returns `settled`, `late` for an own request that waits no more, `unknown` for a made-up id
   */
  settle(response: RpcResponse): 'settled' | 'late' | 'unknown' {
    const key = idKey(response.id);
    const waiting = this.waiting.get(key);
    if (waiting === undefined) return this.issued.has(key) ? 'late' : 'unknown';
    this.waiting.delete(key);
    if (response.result !== undefined) waiting.resolve(response.result);
    else waiting.reject(new ClientRefusal(String(response.error?.message ?? 'no reason given')));
    return 'settled';
  }

  /** Ends all subscriptions of the stateless era as a server does that stops: each with a notification and its result. */
  endListening(): void {
    if (this.host.keeps('leave-subscriptions')) for (const end of this.listening) end();
  }

  /** Ends the session: running work stops, and nothing more is sent. Further calls do nothing. */
  close(): void {
    if (this.phase === 'closed') return;
    this.phase = 'closed';
    for (const running of this.running.values()) {
      running.cancelled = true;
      running.abort.abort();
    }
    for (const waiting of this.waiting.values()) waiting.reject(new Error('the session is over'));
    this.waiting.clear();
    this.tasks.close();
  }
}
