/**
 * The trace: what was exchanged, as a list of events. It is the only thing that judging reads. This module has shapes
 * only; it is independent of making, storing and judging events.
 */

/** The party that caused an event. `harness` is mcpc itself: clocks running out, processes started or ended. */
export type Party = 'client' | 'server' | 'harness';

/** Transport of the bytes. `http` is Streamable HTTP, `sse` the HTTP+SSE transport of 2024-11-05. */
export type TransportKind = 'stdio' | 'http' | 'sse';

export const eventKinds = [
  'spawn',
  'message',
  'unplaced',
  'gap',
  'unparsable',
  'stderr',
  'exit',
  'http-request',
  'http-response',
  'sse-open',
  'sse-event',
  'sse-close',
  'listening',
  'closed',
  'timeout',
  'assumed',
  'limit',
  'case',
  'step',
  'file',
] as const;

export type EventKind = (typeof eventKinds)[number];

export type ReadAs = 'lines' | 'part' | 'unfinished' | 'body' | 'event';

/** Header names are lower case; a header that was repeated has an array. */
export type HeaderMap = Record<string, string | string[]>;

/** The HTTP side of an event: of a request the method and path, of a response the status. */
export interface HttpPart {
  method?: string;
  /** Scheme and host of a request that goes elsewhere than to the target's address (metadata of an authorization server). */
  origin?: string;
  /** Path with query as it was sent. */
  path?: string;
  status?: number;
  /** Of a response: the version of HTTP, where it is not 1.1. Over HTTP/2 letter case of names and headers of one hop do not exist. */
  version?: '2';
  headers?: HeaderMap;
  /** Names of headers as they were written, where that was in letters of an unusual case. */
  spelled?: readonly string[];
  /**
   * Places that a proxy changed (`resource`, `location.iss`, `form.resource`), with the value on the server's side; all
   * else of the event is as the client has it.
   */
  rewritten?: Record<string, string>;
  /** Bytes in the body; only on a response whose body was read to its end (never on an event stream). */
  bodyBytes?: number;
  /** Start of a body that holds no JSON-RPC (an HTML error page, say), at most 2 KiB. */
  body?: string;
}

/** The Server-Sent Events side of an event. */
export interface SsePart {
  /** Event name; absent when the field was absent (which SSE defines as "message"). */
  event?: string;
  /** Value of the event's own `id` field; absent when it had none. */
  id?: string;
  /** Reconnection time in milliseconds. */
  retry?: number;
  /** Comment lines since the event before it. */
  comments?: number;
  /** Data of an event that carries no JSON-RPC message; for messages see `message` and `raw`. */
  data?: string;
}

export interface TraceEvent {
  /** Position in the trace, from 1, without gaps. */
  seq: number;
  /** Milliseconds since the trace began. */
  t: number;
  /** Name of the connection that the event belongs to, for example `s1`. */
  session: string;
  from: Party;
  kind: EventKind;
  /**
   * The HTTP exchange that the event belongs to, for example `x7`: all events between an
   * `http-request` and the end of its reply share it. Absent on stdio.
   */
  exchange?: string;
  /**
   * kind `message`: the parsed JSON (an array for a batch; any JSON value that parsed). kind `unplaced`: a message of
   * an imported capture with an unknown sender, which is not judged.
   */
  message?: unknown;
  /**
   * The text on the wire, if it differs from the canonical JSON or did not parse. kind `gap`: an incomplete message of
   * an imported capture, which is not judged.
   */
  raw?: string;
  /** kind `gap`: a message stood there, of the handshake of its connection or another one; absent for other text. */
  lost?: 'handshake' | 'message';
  /** kinds `message` and `unparsable`: true when the bytes were no valid UTF-8 (`raw` is then lossy). */
  invalidUtf8?: boolean;
  /**
   * kind `message` of a server that keeps to no form of the transport: how the message was read all the same. Over
   * several lines (`lines`), next to other text in a line (`part`), without a newline (`unfinished`), in a body of
   * another media type (`body`), or as an event in one (`event`). Its source precedes it.
   */
  readAs?: ReadAs;
  /** Client messages on stdio: how the bytes were written, where it was not one line in one write. */
  framing?: 'joined' | 'split';
  /** Set on everything that the checker sends and knows to be wrong: which deliberate fault it is. */
  deviation?: string;
  /** Messages of the checker: seq of the message that this one sends once more, since the server was too busy for it. */
  repeats?: number;
  /**
   * Messages of the checker, and processes, that test if the server supports two connections at a time; failing this
   * test breaks nothing.
   */
  trial?: true;
  http?: HttpPart;
  sse?: SsePart;
  /**
   * kinds `closed` and `sse-close`: the end of a channel; `proxy` if the proxy lost the connection, or may have. kind
   * `timeout`: something that did not end or come, such as an acknowledgement. `server`: the client asked the server to
   * end.
   */
  what?: 'stdin' | 'stdout' | 'connection' | 'stream' | 'proxy' | 'acknowledgement' | 'server';
  /** kinds `closed`, `exit`, `timeout`, `limit`, `gap`: why; `assumed`: what of the server was not in MCP's form, and how it was taken, in a few words for a reader. */
  reason?: string;
  /** kind `limit`: how often, where one event stands for many; once when absent. */
  times?: number;
  /** kind `exit`. */
  exit?: { code: number | null; signal: string | null };
  /** kind `timeout`: seq of the client event whose answer was awaited; absent when it was something else. */
  awaited?: number;
  /** kind `timeout`: how long was waited, in milliseconds. */
  waitedMs?: number;
  /**
   * kind `spawn`: the command line, with secrets redacted; kind `listening`: the local addresses. Kinds `case` and
   * `step`: where a suite begins and ends. Kind `file`: a file at that time.
   */
  detail?: unknown;
}

/** The checker's notes on its own messages; see the members of an event. */
export type Marks = Pick<TraceEvent, 'deviation' | 'repeats' | 'trial'>;

/** The marks that are set, for a literal that may hold others as well. */
export function marksOf({ deviation, repeats, trial }: Marks): Marks {
  return {
    deviation,
    repeats,
    trial,
  };
}

/** A producer's data for the recorder, which adds `seq` and `t`. */
export type EventInput = Omit<TraceEvent, 'seq' | 't'>;

/**
 * Missing parts of a trace that was not recorded by mcpc. Facts that rest on what is missing are not known, and
 * conditions that ask for them leave their subject undecided.
 */
export interface Recorded {
  /** Which transport carried the messages. */
  transport: boolean;
  /** HTTP exchanges with methods, statuses and headers. */
  exchanges: boolean;
  /** When streams opened and closed, and when each of their events came. */
  streams: boolean;
  /** When each message came. */
  timing: boolean;
  /** The bytes as they were: encoding, framing, what is no message, how processes ended. */
  bytes: boolean;
  /** Every line of stdout that is no message; as `bytes` when absent. */
  lines?: boolean;
  /** The conversation from its first message on. */
  start: boolean;
  /** In which order messages came that do not answer each other. */
  order: boolean;
  /** Senders of messages; false where they were concluded from methods and ids. */
  direction: boolean;
}

/** First line of a trace file. Unknown members are kept. */
export interface TraceHeader {
  format: 'mcpc-trace';
  version: 1;
  /** `live`, `intercept`, `client` (mcpc was the server), or `import:<format>`. */
  origin: string;
  transport: TransportKind;
  /** The revision under test, once it is known. */
  revision?: string;
  era?: 'stateful' | 'stateless';
  /** Description of the target, secrets redacted. */
  target?: Record<string, unknown>;
  startedAt?: string;
  /** Missing parts of the trace; absent where everything was recorded. */
  recorded?: Recorded;
  [more: string]: unknown;
}

/** Last line of a trace file. A trace without one was cut off. */
export interface TraceFooter {
  footer: true;
  events: number;
  complete: boolean;
  /** Why the trace is not complete. */
  reason?: string;
  [more: string]: unknown;
}

export interface Trace {
  header: TraceHeader;
  events: TraceEvent[];
  footer?: TraceFooter;
}

/** Takes events as they happen; what the transports write to. Returns the event's `seq`. */
export type EventSink = (event: EventInput) => number;
