/** Time and number of messages since the beginning of a conversation. */
import type { Subject } from '../facts/state/subject.ts';
import type { Moment } from '../facts/selections/selection.ts';
import type { TraceEvent } from '../model/trace.ts';

/** Messages of a connection until now. */
interface Counted {
  session: string;
  count: number;
}

export interface Moments {
  saw(event: TraceEvent): void;
  /** When a subject is complete that is given now. */
  of(subject: Subject): Moment;
  forget(session: string): void;
}

export function createMoments(): Moments {
  const counts = new Map<string, Counted>();
  /** Nearly always that of the next event too. */
  let last: Counted | undefined;
  let now = 0;
  return {
    saw({ kind, session, t }) {
      now = t;
      if (kind !== 'message') return;
      if (last?.session !== session) {
        last = counts.get(session) ?? { session, count: 0 };
        counts.set(session, last);
      }
      last.count += 1;
    },
    of: ({ session }) => ({ t: now, messages: (session && counts.get(session.name)?.count) ?? 0 }),
    forget(session) {
      counts.delete(session);
      last = undefined;
    },
  };
}
