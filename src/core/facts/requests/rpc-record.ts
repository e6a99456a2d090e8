/**
 * State of a JSON-RPC request and its answers, and of a message related to it. Types only; pairing is the rpc tracker's
 * work.
 */
import type { Phase, SessionState } from '../state/session-state.ts';
import type { HttpState } from '../http/http-state.ts';
import type { IdKey } from '../values/rpc.ts';

export type Outcome =
  /** Answered with that member. */
  | 'result'
  | 'error'
  /** A response came that is neither (no payload, or both). */
  | 'malformed'
  /** An HTTP status of 400 or more, without a response with the id. */
  | 'http-error'
  /** The HTTP reply ended without a response. */
  | 'missing'
  /** Not answered when its deadline passed. */
  | 'timeout'
  /** The server ended the connection or its process died. */
  | 'closed'
  /**
   * No answer before the end of the trace or of the session by the client's own choice. Or its reply broke off,
   * exceeded a limit, said that the session had ended, or reported too many requests. Or it was an unanswered trial.
   */
  | 'unanswered';

export interface ProgressSeen {
  value: unknown;
  total: unknown;
  seq: number;
  /** Milliseconds since the trace began. */
  t: number;
}

export interface RpcRecord {
  session: SessionState;
  from: 'client' | 'server';
  seq: number;
  t: number;
  message: unknown;
  method: unknown;
  id: unknown;
  phase: Phase;
  inBatch: boolean;
  /** It carries the mark of a deliberate fault. */
  deviates: boolean;
  /** It was sent, or waited, while something unreadable of its sender had not been outlived. */
  disturbed: boolean;
  /** Sent to test two connections at a time; a server that does not support them need not answer. */
  onTrial: boolean;
  framing: string | undefined;
  http: HttpState | undefined;
  token: IdKey | undefined;
  /** An earlier unanswered request has the same token, so progress is ambiguous. */
  tokenAmbiguous: boolean | undefined;
  progress: ProgressSeen[];
  cancelSeq: number | undefined;
  /** When it was cancelled, in milliseconds since the trace began. */
  cancelT: number | undefined;
  /** Stateless era over HTTP: the client closed the stream of the reply before the response, which cancels the request (2026-07-28: basic/transports/streamable-http#cancellation). */
  dropSeq: number | undefined;
  /** A request that was sent after that was answered. */
  answeredAfterDrop: boolean;
  /** Later messages for it, on other replies. */
  afterDrop: string[];
  /** A subscription that the server has ended by `notifications/cancelled` (2026-07-28: basic/patterns/cancellation). */
  tornDown: boolean | undefined;
  /** While it waited, a response came whose id is that of no request. */
  misanswered: boolean;
  outcome: Outcome | undefined;
  reply: unknown;
  bodyError: unknown;
  replyT: number | undefined;
  replyHttp: HttpState | undefined;
  replies: number;
  /** Its content was dropped, since it was large. */
  emptied: boolean | undefined;
  /** Progress came over more than one HTTP stream, so that its order proves nothing. */
  progressMixed: boolean;
  progressHttp: HttpState | undefined;
  /** A request that was sent after the cancellation has been answered. */
  answeredAfterCancel: boolean;
  /** Progress, and a response, that came after that. */
  progressLate: number;
  repliedLate: boolean;
  replySeq: number | undefined;
  /** Which side ended the event stream of its POST before the response; lost: it broke off with its connection. */
  streamClosedBy: 'server' | 'client' | 'lost' | undefined;
  resultAfterCancel: boolean;
  becameTask: boolean;
  /** The client had sent something unreadable before it in the session. */
  afterUnparseableInput: boolean | undefined;
  /** Requests of the same sender that nothing had answered when it was sent. */
  othersInFlight: number;
  events: number[];
}

/**
 * Which request a response answers: `matched` the first time, `duplicate` later, the rest have no partner.
 * `of-response`: it has the id of a response that its receiver had sent, and seems to answer that.
 * `foreign`: another connection has, or had, a request with the id, this one has none.
 */
export type ReplyState =
  | 'matched'
  | 'duplicate'
  | 'type-changed'
  | 'of-response'
  | 'foreign'
  | 'unknown'
  | 'null'
  | 'absent';

/** Which request a progress token belongs to; `finished-elsewhere`: over, but on another HTTP stream. */
export type TokenState = 'active' | 'finished' | 'finished-elsewhere' | 'task' | 'type-changed' | 'never-supplied';

export interface Place {
  replyState?: ReplyState;
  tokenState?: TokenState;
  /** The request that is answered, reported on or cancelled. */
  record?: RpcRecord;
  /** Responses that answer none: the request that waits and that they seem meant for. */
  meant?: RpcRecord;
  /** Responses on the wrong connection: the request of another one that waits for it, and how many wait there. */
  strayed?: { record: RpcRecord; waiting: number };
  /** Cancellations: of a request that was answered so long ago that nothing else is known of it. */
  forgotten?: boolean;
  /** It may belong to a request that is followed no more: nothing is said of it. */
  letGo?: boolean;
  /** The outcome that its request gets by it. */
  settles?: Outcome;
  /** A request that is followed no more, since too many wait. */
  dropped?: RpcRecord;
  /** A request whose id its sender had used before in the session. */
  idReused?: boolean;
  /** A request whose id another request of its sender has, which waits for its response. */
  idInFlight?: boolean;
  /** A progress token that another request in flight already has. */
  progressTokenInUse?: boolean;
  /** Cancellations: its sender had the response and had answered a later request since. */
  cancelsLate?: boolean;
}
