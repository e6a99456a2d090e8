/**
 * Where the answer to one client message goes. Transports implement it; the core only speaks to it.
 */
import type { JsonObject } from './json-rpc.ts';

export interface ReplySink {
  /** A notification or request of the server that belongs to the running client request. */
  related(message: JsonObject): void;
  /**
   * The end of the exchange: usually one response, nothing for a cancelled request, several for a
   * batch (`batch` set: they go out as one array where no stream was begun).
   */
  finish(messages: JsonObject[], options?: FinishOptions): void;
  /** The client has closed the reply; absent where there is none to close. */
  lost?(): boolean;
  /** Drops the connection so that the client has to resume; false (or absent) where that is impossible. */
  drop?(): boolean;
}

export interface FinishOptions {
  batch?: boolean;
  /** HTTP status that the revision demands for this answer. */
  status?: number | undefined;
  reason?: string;
  method?: string | undefined;
}

/** A sink for a transport with one common channel, such as stdio: everything is written in order. */
export function channelSink(write: (message: JsonObject | JsonObject[]) => void): ReplySink {
  return {
    related: write,
    finish(messages, options) {
      if (options?.batch === true && messages.length > 0) write(messages);
      else for (const message of messages) write(message);
    },
  };
}

/** Collects the responses of one batch and hands them on together when all parts are done. */
export function batchSinks(inner: ReplySink, parts: number): ReplySink[] {
  const collected: JsonObject[] = [];
  let open = parts;
  const part: ReplySink = {
    drop: () => inner.drop?.() ?? false,
    related: (message) => inner.related(message),
    finish(messages) {
      collected.push(...messages);
      open -= 1;
      if (open === 0) inner.finish(collected, { batch: true, reason: 'answer' });
    },
  };
  return Array.from({ length: parts }, () => part);
}
