/** One selection at work: what groups and pairs have in common. */
import type { Subject } from '../state/subject.ts';
import type { SessionState } from '../state/session-state.ts';

/** When a subject was complete. */
export interface Moment {
  /** Milliseconds since the trace began. */
  t: number;
  /** Messages on its connection until then. */
  messages: number;
}

/** When a subject was complete; asked of those only that are selected. */
export type MomentOf = (subject: Subject) => Moment;

/** Nothing is complete: what most subjects come to. */
export const none: readonly Subject[] = [];

/** One selection at work. */
export interface Selection {
  /** Takes in a subject of the fold. @returns what is complete by it */
  take(subject: Subject, momentOf: MomentOf): readonly Subject[];
  /** Nothing more is to come on the connection; of the whole trace when absent. @returns what is complete by that */
  end(owner: SessionState | undefined): Subject[];
}
