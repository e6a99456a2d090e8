/** Requests that a situation answers once the client has cancelled them. It must not answer one twice. */
import { isObject, type JsonObject } from '../../server/protocol/json-rpc.ts';

export interface HeldRequests {
  /** @param release has the server serve the request */
  hold(request: { id: unknown }, release: () => void): void;
  /** A message of the client: where it cancels what is held, that is served. */
  sees(message: JsonObject): void;
}

export function holdRequests(): HeldRequests {
  const held = new Map<unknown, () => void>();
  return {
    hold: ({ id }, release) => void held.set(id, release),
    sees({ method, params }) {
      if (method !== 'notifications/cancelled' || !isObject(params)) return;
      const release = held.get(params.requestId);
      held.delete(params.requestId);
      // Behind the notification itself, which then cancels nothing.
      if (release !== undefined) setImmediate(release);
    },
  };
}
