/**
 * The contract of facts. A feature is one object of this shape, next to its rule or listed in registry/feature-list.ts.
 * It names its subject kinds, its facts, and the hooks that follow a conversation. What FACTS.md says, which facts rules
 * may name, what is hidden where a capture has gaps, and which facts there are for types all follow from it. Types only.
 */
import type { SubjectKind } from '../../model/rules/subject-kind.ts';
import type { Recorded, TraceEvent } from '../../model/trace.ts';
import type { MessageView } from '../requests/message-view.ts';
import type { RpcRecord } from '../requests/rpc-record.ts';
import type { SessionState } from '../state/session-state.ts';
import type { HttpState } from '../http/http-state.ts';
import type { MethodTable, Subject } from '../state/subject.ts';

/** Facts by their bare names. Facts of a subject are read on demand; to keep them, settle them first (reading.ts). */
export type Facts = Record<string, unknown>;

/** A part of a conversation that a capture may lack. */
export type Part = keyof Recorded;

/** Missing parts of a capture, to decide if a value may come from a gap. */
export interface Gaps {
  recorded: Recorded;
  /** The capture has the whole conversation from its start, both directions, in order. */
  wholeOrder: boolean;
  methods: MethodTable;
}

/** @typeParam S what the value is read from */
export interface FactDefinition<S> {
  /** The sentence of FACTS.md. */
  says: string;
  /** The value is a number: a text that asks whether it is there says whether 0 is (`{{#if x includeZero=true}}`). */
  number?: true;
  /**
   * Parts of a conversation that the value needs; all when absent, so that no new fact is read from a capture by
   * mistake.
   */
  rests?: readonly Part[];
  /** Reads the value; a fact without it is given by a hook, under its name. */
  read?: (source: S) => unknown;
  /** True if this value may come from a gap of the capture. */
  doubtful?: (facts: Readonly<Facts>, gaps: Gaps) => boolean;
}

export type Definitions<S = never> = Readonly<Record<string, FactDefinition<S>>>;

/**
 * Facts by subject kind; conditions name those of `connection` `session.<fact>`. Subjects of the kinds message,
 * exchange, session and trace are made of what all features give; those of other kinds come whole from the feature that
 * has the kind.
 */
export type FactSets = Omit<Partial<Record<SubjectKind, Definitions>>, 'message' | 'exchange' | 'session'> & {
  message?: Definitions<MessageView>;
  exchange?: Definitions<RpcRecord>;
  session?: Definitions<SessionState>;
  connection?: Definitions<SessionState>;
};

/** Result of a hook. */
export interface Given {
  /** Facts for the new subject; only those that the feature declares for its kind. */
  facts?: Facts;
  /** Further evidence of the subject. */
  events?: readonly number[];
  /** Which events a fact of this feature rests on, by its bare name; all of the subject's where it is not named. */
  cites?: Readonly<Record<string, readonly number[]>>;
  /** Subjects of the feature's own kinds that are complete now. */
  subjects?: readonly Subject[];
}

/** An event in its connection. */
export interface EventView {
  event: TraceEvent;
  session: SessionState;
  /** The HTTP exchange that it belongs to. */
  http: HttpState | undefined;
  /** It came before with the same SSE event id. */
  replay: boolean;
}

/** Called in this order for an event; those of one name in the order of the features. A hook that throws is not called again. */
export interface Hooks {
  /** Any event, also one without a connection. */
  trace?(event: TraceEvent): Given | undefined;
  /** An event of a connection. @returns what is complete by it, when it is this feature's alone and concerns no message of MCP */
  beside?(event: TraceEvent, session: SessionState): readonly Subject[] | undefined;
  /** An event of a connection that is no message. */
  event?(view: EventView): Given | undefined;
  /** A request of either side, as it is sent. */
  request?(record: RpcRecord): Given | undefined;
  /**
   * A request of either side has its outcome.
   * @param facts those of earlier features
   */
  answered?(record: RpcRecord, facts: Readonly<Facts>): Given | undefined;
  /** A request is followed no more, since too many wait. */
  letGo?(record: RpcRecord): Given | undefined;
  /** A message, or an element of a batch; it has taken effect on the connection. */
  message?(view: MessageView): Given | undefined;
  /** After the messages of an event. */
  eventOver?(view: EventView): Given | undefined;
  /** The reply to an HTTP request is over. */
  exchangeOver?(http: HttpState): Given | undefined;
  /** Connections are about to be ended, since the trace is over or there are too many. */
  closing?(): Given | undefined;
  sessionOver?(session: SessionState): Given | undefined;
  traceOver?(): Given | undefined;
}

/** Context of features. */
export interface Surroundings {
  methods: MethodTable;
  knownRevisions: readonly string[];
  /** The authorization server that the trace is about; absent where it is about a server or a client of MCP. */
  issuer?: string | undefined;
}

export interface Feature {
  name: string;
  /** Features whose facts or state it builds on: their hooks come first. */
  after?: readonly string[];
  /** Subject kinds that it makes: what one subject is, and when it is complete. */
  kinds?: Partial<Record<SubjectKind, string>>;
  facts?: FactSets;
  /** Begins a fold; called once for each trace. */
  create?(surroundings: Surroundings): Hooks;
}
