/**
 * State of each connection over stdio of a trace, kept to its end: what a client does at one is compared with what it
 * does at the others.
 */
import { BoundedMap } from '../../model/bounded.ts';
import type { SessionState } from './session-state.ts';

const mostConnections = 2_000;

export interface StdioConnections<T> {
  /** State of a connection, created on demand; undefined where it is not over stdio, or one too many. */
  of(session: SessionState): T | undefined;
  /** State of a connection, if it was created. */
  find(session: SessionState): T | undefined;
  /** State of all connections. */
  values(): Iterable<T>;
}

export function stdioConnections<T>(make: () => T): StdioConnections<T> {
  const all = new BoundedMap<SessionState, T>(mostConnections);
  return {
    of(session) {
      if (session.transport === 'stdio' && !all.has(session)) all.set(session, make());
      return all.get(session);
    },
    find: (session) => all.get(session),
    values: () => all.values(),
  };
}
