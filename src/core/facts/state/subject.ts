/** Subject: one thing that a rule's `given` selected, with the facts known of it and the events it rests on. */
import type { SubjectKind } from '../../model/rules/subject-kind.ts';
import type { SessionState } from './session-state.ts';

export interface Subject {
  kind: SubjectKind;
  /** The connection it belongs to; absent for `target`, which spans all. */
  session?: SessionState;
  /** It was there before a revision was agreed on, whichever that became. */
  early?: true;
  /** Values of the `subject.*` facts; read when they are asked for (reading.ts). */
  facts: Record<string, unknown>;
  /** Seqs of the events that make up the subject, for evidence. */
  events: number[];
  /** Those of the events that a fact (by its bare name) rests on; undefined where that is not known: all of them. */
  cites?: (fact: string) => readonly number[] | undefined;
  /** Full names of facts that the trace does not contain, whatever their value; see unrecorded.ts. */
  hidden?: ReadonlySet<string>;
  /** Hidden facts that are the beginning of a list: a violation in it is certain. */
  beginning?: ReadonlySet<string>;
}

/** Which method exists in which revision, who sends it, and the type of its messages. */
export interface MethodEntry {
  revisions: string[];
  from: 'client' | 'server' | 'both';
  kind: 'request' | 'notification';
}

export type MethodTable = Record<string, MethodEntry>;
