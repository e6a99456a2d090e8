/** Context of steps: the connection and named answers, and services of the run. */
import type { EventSink } from '../../../core/model/trace.ts';
import { newestRevision } from '../../../core/spec/revisions.ts';
import type { Exit } from '../../transport/process/stdio-process.ts';
import type { HttpExchange } from '../../transport/http/http-exchange.ts';
import type { Answer, Peer, Pending } from '../../peer/peer.ts';
import type { Consent } from '../../offers/choose-tools.ts';
import type { Completed } from '../../offers/choose-offered.ts';
import type { Readings } from '../../offers/readings.ts';
import type { Listing, Skipped } from '../../offers/survey.ts';
import type { ToolTurns } from '../../load/tool-turns.ts';
import type { Timing } from '../../target/timing.ts';

/** Called for steps, for measurements. */
export interface StepWatch {
  /** A step begins on a connection. @returns to be called when it is over */
  step(session: string, name: string): () => void;
}

export interface StepContext extends Consent {
  timing: Timing;
  /** Slow items are used once. */
  quick: boolean;
  sink: EventSink;
  watch?: StepWatch;
  open(): Promise<Peer>;
  /** The target does not support two connections at a time: one is closed before another is opened. */
  oneAtATime(): boolean;
  /** The target's lists, walked at most once per run: on the first connection, or on this one where that is gone. */
  listing(peer: Peer): Promise<Listing>;
  skip(skipped: Skipped): void;
  /** Tools, prompts and resources whose use was not answered in time, on whatever connection: method and name. */
  unanswered: Set<string>;
  /** Listening streams in a row, on any connection, without a head of the reply in time. */
  heldBack: { streams: number };
  /** Tools with a call that was answered by a task of the extension. */
  tasked: Set<string>;
  /** Tools that a connection was seen to list, by its connection: what is listed may depend on what the client declared. */
  ownTools: WeakMap<Peer, Record<string, unknown>[]>;
  /** Maximum number of parallel uses of tools, prompts or resources on a connection. */
  atOnce(): number;
  /** Answered uses so far: their number, whether all were slow, and the longest time. */
  slow: Map<string, { calls: number; all: boolean; longestMs: number }>;
  /** Tools that were asked to work for less than a second, and whether they did. */
  brief: Map<string, boolean>;
  /** Milliseconds spent on slow or unanswered uses; in the quick profile. */
  spent: { ms: number };
  /** Tool calls of all connections. */
  turns: ToolTurns<Peer>;
  /** Records where a server that the checker started listens. */
  recordListening(session: string): void;
  /**
   * Asks a server that the checker started to end, and returns its end; absent for others.
   * @param ms time limit
   */
  shutDown?(ms: number): Promise<Exit>;
}

/** Shared state of the steps of one list: their connection, and named answers. */
export interface Scope {
  peer: Peer;
  pending: Map<string, Pending>;
  exchanges: Map<string, HttpExchange>;
  /** Waits for unlikely answers while other steps continue. */
  unawaited: Promise<void>[];
  /** Values that the server completed arguments and variables with. */
  completed: Completed;
  /** Contents of the resources that were read. */
  readings: Readings;
  turns: ToolTurns<Peer>;
}

/** The exchange that a step named: of a request that was sent once more, the last one. */
export function exchangeOf({ pending, exchanges }: Scope, name: string): HttpExchange | undefined {
  return pending.get(name)?.exchange ?? exchanges.get(name);
}

/** A request that any server answers at once: its answer closes the window for what ought not to come. */
export function askSentinel(peer: Peer): Promise<Answer> {
  return peer.request(peer.negotiated === newestRevision ? 'server/discover' : 'ping').answer;
}
