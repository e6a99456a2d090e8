/**
 * A feature's state of a connection for other features, or for facts of the connection; it lives as long as the
 * connection.
 */
import type { SessionState } from './session-state.ts';

let slots = 0;

/** @param make what is kept at first */
export function storeOf<T>(make: () => T): (session: SessionState) => T {
  const slot = slots;
  slots += 1;
  return ({ stores }) => (stores[slot] ??= make()) as T;
}
