/** What a feature keeps of a connection where others, or facts of the connection, may ask for it: it lives as long as the connection does. */
import type { SessionState } from '../session/session-state.ts';

let slots = 0;

/** @param make what is kept at first */
export function storeOf<T>(make: () => T): (session: SessionState) => T {
  const slot = slots;
  slots += 1;
  return ({ stores }) => (stores[slot] ??= make()) as T;
}
