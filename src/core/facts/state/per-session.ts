/** State of a tracker for each connection. Most traces have one at a time, so the last one is at hand. */
import type { SessionState } from './session-state.ts';

export interface PerSession<T> {
  /** State of a connection; created on demand. */
  of(session: SessionState): T;
  /** The same, or undefined. */
  find(session: SessionState): T | undefined;
  forget(session: SessionState): void;
  /** State of all connections. */
  values(): Iterable<T>;
}

export function perSession<T>(make: () => T): PerSession<T> {
  const all = new Map<SessionState, T>();
  let last: SessionState | undefined;
  let lastKept: T | undefined;

  function find(session: SessionState): T | undefined {
    if (session === last) return lastKept;
    const kept = all.get(session);
    if (kept !== undefined) {
      last = session;
      lastKept = kept;
    }
    return kept;
  }

  return {
    of(session) {
      const kept = find(session);
      if (kept !== undefined) return kept;
      const made = make();
      all.set(session, made);
      return made;
    },
    find,
    values: () => all.values(),
    forget(session) {
      all.delete(session);
      if (session !== last) return;
      last = undefined;
      lastKept = undefined;
    },
  };
}
