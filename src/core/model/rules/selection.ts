/** Subjects over several messages, as rule files say them and as they are compiled. Shapes only. */
import type { Filter, SubjectKind } from './subject-kind.ts';

/** Where a value is read: a JSONPath into the message of the subject, or any fact of it. */
export type ValueSource = string | { fact: string; path?: string };

/** One subject kind with its filter, as in `given`; selections are made of plain subjects. */
export type SubjectChoice = Partial<Record<Exclude<SubjectKind, 'group' | 'pair'>, Filter>>;

/** Where subjects belong together: on one connection, or in the whole trace. */
export type Within = 'session' | 'trace';

/** All subjects of one sort that share a key. */
export interface GroupSelection {
  of: SubjectChoice;
  /** Common key of the members of a group; all belong together when absent. */
  by?: ValueSource | ValueSource[];
  within?: Within;
  /** Values to collect, by the name under which conditions ask for them. */
  values?: Record<string, ValueSource>;
}

/** A subject, and the expected next one. */
export interface PairSelection {
  first: SubjectChoice;
  then: SubjectChoice;
  /** Values that both must share: where the first has it, where the second has it. */
  match?: [ValueSource, ValueSource][];
  /** After such a subject nothing is waited for any more. */
  until?: SubjectChoice;
  within?: Within;
}

/** A subject kind and the values that facts of it must have. */
export interface Selector {
  kind: SubjectKind;
  filter: Filter;
}

/** A fact of a subject, or the value at a path in it. */
export interface CompiledSource {
  /** Name as in conditions: `subject.message`. */
  fact: string;
  path?: string;
}

interface CompiledBase {
  within: Within;
  /** Whose behaviour is judged: what a checker sent wrong on purpose is no member for rules about the client. */
  role: 'server' | 'client';
  /** The rule speaks of the first or last message; else they are not kept. */
  keepsMessages: boolean;
}

export interface CompiledGroup extends CompiledBase {
  kind: 'group';
  of: Selector;
  by: CompiledSource[];
  values: [name: string, source: CompiledSource][];
}

export interface CompiledPair extends CompiledBase {
  kind: 'pair';
  first: Selector;
  then: Selector;
  match: [first: CompiledSource, then: CompiledSource][];
  until?: Selector;
}

export type CompiledSelection = CompiledGroup | CompiledPair;
