/** State of an HTTP exchange, and of the event stream of its reply. Types only. */
import type { HeaderMap } from '../../model/trace.ts';
import type { Challenge } from '../values/challenge.ts';
import type { Credentials } from '../values/credentials.ts';
import type { IdKey, RpcItem } from '../values/rpc.ts';
import type { SessionState } from '../state/session-state.ts';

export type Carried = 'request' | 'notification' | 'response' | 'batch' | 'unparsable' | 'other' | 'none';

export interface HttpState {
  id: string;
  session: SessionState;
  seq: number;
  method: string;
  requestHeaders: HeaderMap;
  /** Names of them in letters of an unusual case. */
  spelled?: readonly string[];
  path: string;
  credentials: Credentials;
  carries: Carried;
  rpcMethod?: unknown;
  rpcParams?: unknown;
  /** The request or notification that the POST carries, where it is one. */
  rpcMessage?: unknown;
  rpcIds: unknown[];
  /** It, or what it carries, has the mark of a deliberate fault. */
  deviates: boolean;
  phase: string;
  /** The server had issued a session id when the request was sent, and the client had not asked for the end of that session. */
  sessionIssued: boolean;
  /** An event stream had named the address for POST. */
  endpointNamed: boolean;
  sessionHeader: 'absent' | 'current' | 'ended' | 'other';
  /** Of what names a session that has ended: what it shows of itself let a POST in on another connection since. */
  letInElsewhere?: boolean;
  status?: number;
  responseHeaders?: HeaderMap;
  /** Names of them in letters of an unusual case. */
  replySpelled?: readonly string[];
  /** Its event stream has comment lines. */
  commented?: boolean;
  challenges: Challenge[];
  contentType?: string;
  bodyBytes?: number;
  body?: string;
  /** The head of the reply declares the length of its body, so that an early end is visible. */
  framed?: boolean;
  /** Messages in the reply, in order, at most 50 kept. */
  replies: RpcItem[];
  stream?: StreamState;
  /** The client cancelled a request of the POST. */
  cancelled?: boolean;
  /** The stream that Last-Event-ID names, where the id was seen; the first one in a chain of resumptions. */
  resumed?: HttpState;
  /** A GET that was to resume the stream was refused. */
  resumptionRefused?: boolean;
  timedOut: boolean;
  /**
   * For a 404 in a session, or an end without the response to a request: true if the server had ended the session;
   * undefined where unknown.
   */
  sessionEnded?: boolean;
  /** The reply, or a part of it, was too large to be read: what it said is not known. */
  overLimit?: boolean;
  closed?: string;
  done: boolean;
  events: number[];
}

export interface StreamState {
  openSeq: number;
  resumes: boolean;
  eventCount: number;
  first?: { hasId: boolean; hasData: boolean; event: string; data: string | undefined };
  sawId: boolean;
  sawRetry: boolean;
  /** Data of the first event named `endpoint` (HTTP+SSE). */
  endpoint?: string;
  endpointSeq?: number;
  responses: number;
  responseIds: Set<IdKey>;
  requests: number;
  /** Data that is not a single message of its request, in words, at most 10. */
  badData: string[];
  /** server, client, harness, or lost: it broke off with its connection, which a network may do at any time. */
  closedBy?: string;
  overdue: boolean;
}
