/** State of the count of unanswered requests for connections, exchanges and their messages. */
import { asText } from '../../model/json.ts';
import { paramsOf, type IdKey } from '../values/rpc.ts';

export type Json = Record<string, unknown>;

export interface Request {
  key: IdKey;
  seq: number;
  exchange: string | undefined;
  method?: string;
  /** Written together with another one, or in pieces: it is never repeated. */
  framed?: true;
  /** HTTP alone answers it: a notification or response that was posted, a GET for a stream, a DELETE. */
  bare?: string;
  /** What came in place of an answer, as far as known. */
  cause?: string;
  counted?: true;
  handshake?: true;
  /** It was sent once more, and only its last try counts. */
  takenBack?: true;
}

export interface Connection {
  /** Requests without an answer, by id; bare ones by exchange. */
  open: Map<IdKey, Request>;
  /** The client is ending it: what is lost from now on was given up. */
  leaving: boolean;
  /** Seq of the newest deliberate fault that no answered request has followed: the end of a process proves nothing then. */
  provoked: number | undefined;
  /** A request other than the handshake was answered. */
  served: boolean;
  /** Requests whose replies ended in order and without the response, since when nothing was served in the session. */
  cutShort: Request[];
  /** Streams that were opened by GET and are not over. */
  listening: number;
}

export interface Exchange {
  requests: Request[];
  /** Captures of other clients: by what the same request is known when it is sent again. */
  messages: Json[];
  connection: Connection;
  method: string;
  status?: number;
  streaming: boolean;
  /** Its request names a session. */
  inSession: boolean;
}

const longestText = 2000;

/** Waiting for a message. */
export function asked(connection: Connection | undefined): Request[] {
  return [...(connection?.open.values() ?? [])].filter(({ bare }) => bare === undefined);
}

export function lose(requests: Iterable<Request>, cause: string): void {
  for (const request of requests) request.cause ??= cause;
}

/** The reply has a status that means a failure; only 501 says that the method does not exist. */
export function loseTo({ connection, requests }: Exchange, status: number): void {
  for (const request of requests) {
    if (request.bare === undefined) lose([request], String(status));
    else if (status === 501 || (connection.leaving && request.bare !== 'DELETE')) forget(connection, [request]);
    else lose([request], `${status} to ${request.bare}`);
  }
}

export function forget({ open }: Connection, requests: readonly Request[]): void {
  for (const request of requests) if (open.get(request.key) === request) open.delete(request.key);
}

/** A server that takes too long is judged by rules; it has not broken down. */
export function timedOut(connection: Connection | undefined, awaited: number | undefined): void {
  if (!connection || awaited === undefined) return;
  for (const [key, request] of connection.open)
    if (request.seq === awaited && request.cause === undefined) connection.open.delete(key);
}

export function isItem(message: unknown): message is Json {
  return typeof message === 'object' && message !== null;
}

/** Method and parameters without `_meta`, which differs from try to try; undefined when that is long. */
export function textOf(message: Json): string | undefined {
  const { _meta, ...params } = (paramsOf(message) ?? {}) as Json;
  const text = `${asText(message.method)} ${JSON.stringify(params)}`;
  return text.length > longestText ? undefined : text;
}
