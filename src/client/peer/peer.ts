/** A client of our own on one connection, as probing uses it. Shapes only; open-peer.ts makes one. */
import type { Permission } from '../../core/permission/decide.ts';
import type { EventSink, TransportKind } from '../../core/model/trace.ts';
import type { HttpExchange } from '../transport/http/http-exchange.ts';
import type { TransportLimits } from '../transport/limits.ts';
import type { Target } from '../target/target.ts';
import type { RequestRate } from '../load/request-rate.ts';
import type { Timing } from '../target/timing.ts';
import type { Channel, SentMessage } from './channels/channel.ts';
import type { CannedAnswers, ClientBehavior, Inputs } from './answers/client-behavior.ts';
import type { SideRequest } from './beside/side-fetch.ts';
import type { Waiter } from './channels/waiter.ts';
import type { HeaderChanges } from '../../core/model/request-headers.ts';

type Json = Record<string, unknown>;

export type Answer =
  | { kind: 'response'; message: Json }
  /**
   * An HTTP status without a response that has the id. `location`: target of a redirection. `isEventStream`: the reply
   * is a stream of HTTP+SSE with its `endpoint` event. `error`: an error without an id.
   */
  | { kind: 'refused'; status: number; location?: string; isEventStream?: true; error?: Json }
  /** `reason` and `code`: what the system said of a connection that failed. */
  | { kind: 'closed'; reason?: string; code?: string }
  | { kind: 'timeout' };

/** Server output that is not a message. */
export interface Noise {
  count: number;
  /** The first of it. */
  sample: string;
}

/** Data of the server on a connection: JSON-RPC, only other text, or nothing. */
export type Heard = 'nothing' | 'text' | 'messages';

/**
 * Outcome of a request outside the endpoint: a reply, with its body if that is a JSON object, nothing, or that it was
 * not sent.
 */
export type OutOfBandReply = { status: number; content?: Json } | { lost: true } | { refused: string };

/** A request that was sent; a server that was too busy for it is sent it once more, which changes all but the answer. */
export interface Pending {
  readonly id: unknown;
  readonly seq: number;
  readonly exchange: HttpExchange | undefined;
  answer: Promise<Answer>;
  /** Progress token, if one was sent. */
  readonly token?: unknown;
}

export interface RequestOptions {
  id?: unknown;
  /** Changes to params._meta; null leaves out _meta itself. */
  meta?: Json | null;
  progressToken?: boolean | string | number;
  headers?: HeaderChanges;
  deviation?: string;
  /** Milliseconds; the default is the answer deadline. */
  deadlineMs?: number;
  /** Stateless era: number of results asking for input to answer by a repeated request; none when absent. */
  rounds?: number;
}

export interface HandshakeOptions {
  version?: string;
  clientCapabilities?: Json;
  initialized?: boolean;
  headers?: HeaderChanges;
  deviation?: string;
  /** Milliseconds; the default is the deadline for a first answer. */
  deadlineMs?: number;
}

export interface PeerOptions {
  target: Target;
  session: string;
  sink: EventSink;
  timing: Timing;
  era: 'stateful' | 'stateless';
  revision: string;
  toolVersion: string;
  /** Name of the client; `mcpc` when absent. */
  clientName?: string;
  limits?: Partial<TransportLimits>;
  /** A user waits for the end of the run. */
  quick?: boolean;
  /** Opened to test if the server supports one more connection. */
  trial?: boolean;
  /** Rate of requests for all connections of the run; unlimited when absent. */
  rate?: RequestRate;
  /** Capabilities of the client; those of a correct client of the revision when absent. */
  capabilities?: Json;
  /** Fixed answers to the server's requests, in place of generated ones. */
  canned?: CannedAnswers;
  /** The content that a user's hints give for a form, by the request and the key that asked for it; undefined where they give none. */
  hintedAnswer?: (method: string, params: Json, key: string) => Json | undefined;
  /** Tools that a model may use; by default only tools that certainly read. */
  permission?: Permission;
}

export interface Peer {
  readonly session: string;
  readonly transport: TransportKind;
  readonly waiter: Waiter;
  /** False once the server has ended the connection or the session, or its process died. */
  readonly alive: boolean;
  /** The server ended the session (HTTP 404), as it may: what comes next needs a new one. */
  readonly sessionEnded: boolean;
  readonly serverCapabilities: Json | undefined;
  readonly negotiated: string | undefined;
  readonly sessionId: string | undefined;
  readonly noise: Noise | undefined;
  readonly heard: Heard;
  /** Messages are marked as a trial of the server's limits; its reaction to them breaks nothing. */
  onTrial: boolean;
  /** Resolves at the first answer, with the milliseconds since the connection was begun. */
  readonly opened: Promise<number>;
  readonly channel: Channel;
  /** Revision that the peer asks for. */
  readonly revision: string;
  /** Address of the target, if it has one. */
  readonly endpoint: string | undefined;
  /** Names of the test tokens that are put into requests in place of mcpc-test-token-NAME. */
  readonly testTokens: ReadonlySet<string>;
  /** Set once a request was answered with 401 or 403: the addresses of metadata that the challenges name. */
  readonly challenge: { metadata: readonly string[] } | undefined;
  /** A request outside the endpoint, without credentials; resolves when its reply is over. */
  fetchOutOfBand(address: URL, request: Omit<SideRequest, 'timeoutMs'>): Promise<OutOfBandReply>;
  handshake(options?: HandshakeOptions): Promise<Answer>;
  /** Asks what a server supports as a client of the stateless era does, whatever the era of the connection. */
  discover(options?: Pick<RequestOptions, 'deviation' | 'deadlineMs'>): Pending;
  request(method: string, params?: unknown, options?: RequestOptions): Pending;
  /**
   * Additions of a correct client to the repeated request, after a result that asks for input; undefined where it
   * cannot answer.
   */
  inputsFor(result: Json, request: { method: string; params: Json }): Promise<Inputs | undefined>;
  notify(method: string, params?: unknown, options?: { headers?: HeaderChanges; deviation?: string }): SentMessage;
  /** Sends any JSON, or bytes, unchanged. */
  sendRaw(
    text: string,
    options?: { message?: unknown; headers?: HeaderChanges; deviation?: string; repeats?: number; deadlineMs?: number },
  ): SentMessage;
  /** Sends a message, or a batch, that is written out in full, and waits for the responses to all of its requests. A busy server is sent it once more, its requests under other ids, unless it is wrong on purpose. */
  sendWritten(
    message: Json | readonly Json[],
    options?: { headers?: HeaderChanges; deviation?: string; deadlineMs?: number },
  ): Promise<void>;
  /** Waits for the response to an id that was put on the wire by other means than `request`. */
  awaitId(id: unknown, sent: SentMessage, deadlineMs?: number): Promise<Answer>;
  /** Milliseconds to wait for an answer that many servers leave out: longer than this server's replies take. */
  readonly briefMs: number;
  /** Milliseconds of the slowest answer so far, on whatever connection, to a request that costs a server no work. */
  readonly slowestMs: number;
  nextId(): number;
  headersFor(message: unknown, changes?: HeaderChanges): [string, string][];
  /** Completes params with what the era demands of every request. */
  paramsFor(params: unknown, meta?: Json | null): unknown;
  lastEventId(exchange: string): string | undefined;
  /** Sets the behavior for the server's later requests. */
  answerIn(behavior: ClientBehavior): void;
  close(): Promise<void>;
}

export interface PeerHub {
  open(options: Omit<PeerOptions, 'sink' | 'session'>): Promise<Peer>;
}
