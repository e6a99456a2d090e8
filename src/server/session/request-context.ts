/** A method handler's view of its request, the same in both eras: features are written once against this interface. */
import type { Host, TransportKind } from './host.ts';
import type { JsonObject } from '../protocol/json-rpc.ts';
import { isObject, isRequestId } from '../protocol/json-rpc.ts';
import type { Level } from '../protocol/log-levels.ts';
import type { ReplySink } from '../protocol/reply-sink.ts';
import type { Revision } from '../protocol/revisions.ts';
import type { Session } from './session.ts';
import type { Headers } from './stateless-headers.ts';
import type { World } from './world.ts';

export type ClientMethod = 'roots/list' | 'sampling/createMessage' | 'elicitation/create';

/** The questions, by names of the tool's own. */
export type Questions = Record<string, { method: ClientMethod; params?: JsonObject }>;

export interface RequestContext {
  readonly host: Host;
  readonly session: Session;
  readonly transport: TransportKind;
  readonly era: 'stateful' | 'stateless';
  readonly revision: Revision;
  readonly world: World;
  /** Capabilities of the client. */
  readonly clientCapabilities: JsonObject;
  /** The reply to the request. */
  readonly sink: ReplySink;
  /** Aborts when the client cancels the request or the session ends. */
  readonly signal: AbortSignal;
  /** Headers of the HTTP request, in the stateless era, which mirror parts of the body. */
  readonly headers?: Headers;
  /** Reports progress if the client gave a token; does nothing otherwise. */
  progress(progress: number, total?: number, message?: string): void;
  /** Sends a log message on the stream of this request, if its level is wanted. */
  log(level: Level, data: unknown, logger?: string): void;
  /**
   * Sends a request to the client: directly in the stateful era, by an input_required result in the stateless one (then
   * the handler runs again from its start once the answer is there).
   * @throws MissingCapability in the stateful era, RpcError -32021 in the stateless one, when the client has not
   * declared the necessary capability
   */
  ask(name: string, method: ClientMethod, params?: JsonObject): Promise<JsonObject>;
  /**
   * Asks several questions, in one result if the era allows it, and returns the answers by name.
   * @param how sealed: false if a retry needs no state, since only the answers matter
   */
  askTogether(questions: Questions, how?: { sealed?: boolean }): Promise<Record<string, JsonObject>>;
  /** Of work that runs as a task: notifies the client that it goes on. */
  reportStatus?(message: string): void;
  /** Sends a notification on the stream of this request. */
  tell(method: string, params: JsonObject): void;
  /** Notifies subscribers that a list or resource changed. */
  listChanged(list: 'tools' | 'prompts' | 'resources'): void;
  resourceUpdated(uri: string): void;
  /** Sends the client a ping that belongs to no request; false in the stateless era, which has none. */
  pingClient(): boolean;
  /** Drops the connection of the reply, which the client then resumes; false where that is impossible. */
  dropConnection(): boolean;
}

/** The client did not declare the capability that a question to it needs. */
export class MissingCapability extends Error {}

/** The client capability that each question needs. */
export const neededCapability: Record<ClientMethod, string> = {
  'roots/list': 'roots',
  'sampling/createMessage': 'sampling',
  'elicitation/create': 'elicitation',
};

/**
 * True if the client's capabilities permit a question: the capability itself, and the mode or the tools that it needs.
 */
export function canAsk(capabilities: JsonObject, method: ClientMethod, params: JsonObject = {}): boolean {
  const declared = capabilities[neededCapability[method]];
  if (!isObject(declared)) return false;
  if (method === 'sampling/createMessage') return params.tools === undefined || isObject(declared.tools);
  if (method !== 'elicitation/create') return true;
  // An empty object means forms; one with only other modes does not.
  return params.mode === 'url' ? isObject(declared.url) : isObject(declared.form) || Object.keys(declared).length === 0;
}

/** Waits, unless the signal aborts first; then rejects. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(new Error('cancelled'));
    const stop = (): void => {
      clearTimeout(timer);
      reject(new Error('cancelled'));
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal.addEventListener('abort', stop, { once: true });
  });
}

/** Reports progress under the token that the request carries; does nothing if there is none. */
export function progressReporter(params: JsonObject, send: (message: JsonObject) => void): RequestContext['progress'] {
  const token = isObject(params._meta) ? params._meta.progressToken : undefined;
  return (progress, total, message) => {
    if (!isRequestId(token)) return;
    const details = { ...(total === undefined ? {} : { total }), ...(message === undefined ? {} : { message }) };
    send({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: token, progress, ...details } });
  };
}
