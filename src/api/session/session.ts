/** A session with a server, for a program. Shapes only. */
import type { ReportVerdict, RunReport } from '../../core/model/reports/run-report.ts';
import type { Revision } from '../../core/model/rules/requirement.ts';
import type { TraceEvent, TraceHeader } from '../../core/model/trace.ts';
import type { RuleOptions } from '../runs/rule-options.ts';

export type JsonObject = Record<string, unknown>;

/** The error object of a JSON-RPC response. */
export interface ReplyError {
  code: unknown;
  message: string;
  data?: unknown;
}

/** Outcome of a request. A response with an error is a reply as well: nothing is thrown for it. */
export interface Reply {
  readonly method: string;
  readonly params: JsonObject | undefined;
  /** The result; undefined where the response is an error. */
  readonly result: JsonObject | undefined;
  readonly error: ReplyError | undefined;
  /** Milliseconds from the request to its response. */
  readonly durationMs: number;
}

/** A list with all its pages. */
export interface ListReply extends Reply {
  /** The entries; none where the response is an error. */
  readonly items: readonly JsonObject[];
}

export interface Notification {
  readonly method: string;
  readonly params: JsonObject | undefined;
}

export interface AskOptions {
  /** Milliseconds until the request counts as unanswered; that of the session when absent. */
  timeoutMs?: number;
  /** Gives the request up, and cancels it at the server. */
  signal?: AbortSignal;
  /** Ask for notifications of progress. */
  progress?: boolean;
}

export type ListKind = 'tools' | 'resources' | 'templates' | 'prompts';

/** A conversation so far, as a trace file would hold it; secrets are taken out. */
export interface SessionTrace {
  header: TraceHeader;
  events: TraceEvent[];
}

/**
 * An open connection. A request without any response (the server ended, no response within the time limit) rejects with
 * McpcError of stage `target`.
 */
export interface Session extends AsyncDisposable {
  /** Name of the server, for messages. */
  readonly name: string;
  readonly revision: Revision;
  /** The result of the handshake: `initialize`, or `server/discover`. */
  readonly handshake: JsonObject;
  /** Why the connection is over; undefined while it is open. */
  readonly over: string | undefined;
  /** Sends any request unchanged, even if the revision lacks the method. */
  request(method: string, params?: JsonObject, options?: AskOptions): Promise<Reply>;
  /** Calls a tool. */
  call(tool: string, args?: JsonObject, options?: AskOptions): Promise<Reply>;
  list(kind: ListKind, options?: AskOptions): Promise<ListReply>;
  /** Reads a resource. */
  read(uri: string, options?: AskOptions): Promise<Reply>;
  /** Gets a prompt. */
  get(prompt: string, args?: Readonly<Record<string, string>>, options?: AskOptions): Promise<Reply>;
  /** Asks for completions of an argument of a prompt or a resource template. */
  complete(
    ref: { prompt: string } | { template: string },
    argument: { name: string; value: string },
    options?: AskOptions & { context?: Readonly<Record<string, string>> },
  ): Promise<Reply>;
  notify(method: string, params?: JsonObject): void;
  /**
   * Notifications of the server so far.
   * @param method only these
   */
  notifications(method?: string): Notification[];
  trace(): SessionTrace;
  /** Results of the rules of the specification for the conversation so far; the session continues. */
  verdicts(rules?: RuleOptions): Promise<ReportVerdict[]>;
  /** The same as the report of a check. Much of it is not exercised: nothing was sent but what the program asked for. */
  report(rules?: RuleOptions): Promise<RunReport>;
  /** Ends the connection, and what was started for it; calling it again waits for the same end. */
  close(): Promise<void>;
}
