/**
 * One HTTP request and the reply to it, as a puppet gives it: a whole reply, or an event stream piece by piece. It is
 * independent of the meaning of messages, and a finished reply accepts nothing more.
 */
import type { ServerResponse } from 'node:http';
import { eventBytes } from '../../../client/transport/http/sse-writer.ts';

export interface StreamEvent {
  event?: string;
  id?: string;
  retry?: number;
  data: Buffer;
}

export interface Exchange {
  readonly method: string;
  /** Ids of the requests that the POST carries. */
  readonly ids: readonly unknown[];
  /** The head of the reply is out. */
  readonly replied: boolean;
  /** The reply is an event stream that has not ended. */
  readonly streaming: boolean;
  /** A reply in full. */
  reply(status: number, headers: Record<string, string>, body?: Buffer): void;
  /** Begins an event stream. */
  stream(headers: Record<string, string>): void;
  event(event: StreamEvent): void;
  /** Ends the event stream. */
  end(): void;
  /** Breaks the connection. */
  destroy(): void;
}

/** @param rewrite applied to the headers and the body of a whole reply */
export function createExchange(
  method: string,
  ids: readonly unknown[],
  response: ServerResponse,
  rewrite: (text: string) => string = (text) => text,
): Exchange {
  let streaming = false;
  response.on('error', () => {});
  return {
    method,
    ids,
    get replied() {
      return response.headersSent;
    },
    get streaming() {
      return streaming && !response.writableEnded && !response.destroyed;
    },
    reply(status, given, bytes) {
      if (response.headersSent || response.destroyed) return;
      const headers = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, rewrite(value)]));
      const text = bytes?.toString('latin1');
      const body = text === undefined ? undefined : Buffer.from(rewrite(text), 'latin1');
      const length: Record<string, string> =
        status === 204 || status === 304 || status < 200 ? {} : { 'content-length': String(body?.length ?? 0) };
      response.writeHead(status, { ...length, ...headers });
      response.end(body);
    },
    stream(headers) {
      if (response.headersSent || response.destroyed) return;
      streaming = true;
      response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache', ...headers });
      response.flushHeaders();
    },
    event({ data, ...fields }) {
      if (!streaming || response.writableEnded || response.destroyed) return;
      response.write(eventBytes(fields, data));
    },
    end() {
      if (streaming) response.end();
    },
    destroy() {
      response.destroy();
    },
  };
}
