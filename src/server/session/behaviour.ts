/**
 * The seams at which the compliant server can be made to act otherwise. Mutations and variants give
 * parts of a Behaviour; the server asks it and never knows which mutation is on.
 *
 * A Duty is something that the compliant server does at one place and that can simply be left out.
 * Whatever is more than an omission is a function below. Must not import features or transports.
 */
import { compliantGuard, type GuardSeams } from './guard.ts';
import type { JsonObject } from '../protocol/json-rpc.ts';
import type { Page } from '../protocol/pagination.ts';
import { paginate } from '../protocol/pagination.ts';
import type { ReplySink } from '../protocol/reply-sink.ts';
import type { StatefulRevision } from '../protocol/revisions.ts';
import type { Session } from './session.ts';

export type Duty =
  // requests and sessions
  | 'accept-batches'
  | 'stop-cancelled-work'
  | 'silence-cancelled-requests'
  | 'ask-only-declared-capabilities'
  | 'ask-only-declared-modes'
  | 'validate-elicited-content'
  | 'validate-sampled-content'
  | 'limit-tool-loops'
  | 'check-required-params'
  | 'reject-invalid-cursors'
  | 'paginate'
  | 'exit-with-stdin'
  | 'survive-bad-json'
  | 'read-every-line'
  // tasks
  | 'create-tasks'
  | 'answer-before-the-work'
  | 'refuse-tasks-of-other-tools'
  | 'demand-tasks'
  | 'heed-only-the-task-parameter'
  | 'hold-task-results'
  | 'hold-questions-of-tasks'
  | 'enter-input-required'
  | 'leave-input-required'
  | 'fail-tasks-of-failed-tools'
  | 'forget-expired-tasks'
  | 'refuse-late-task-cancellation'
  | 'stop-cancelled-tasks'
  | 'keep-tasks-cancelled'
  | 'poll-patiently'
  | 'keep-cancelled-tasks'
  // the tasks extension
  | 'spare-undeclared-calls'
  | 'run-short-tools-plainly'
  | 'refuse-undeclared-task-methods'
  | 'refuse-undeclared-task-listening'
  // HTTP
  | 'check-origin'
  | 'check-version-header'
  | 'accept-missing-version-header'
  | 'issue-session-ids'
  | 'forget-ended-sessions'
  | 'survive-disconnects'
  | 'accept-messages-endpoint'
  // event streams
  | 'prime-streams'
  | 'announce-retry'
  | 'end-streams-after-the-response'
  | 'keep-streams-until-the-response'
  | 'deliver-responses-on-streams'
  | 'replay-only-the-resumed-stream'
  | 'resume-the-right-stream'
  | 'push-to-one-stream'
  | 'keep-listening-streams'
  // both eras
  | 'serve-both-eras'
  // stateless era
  | 'check-meta'
  | 'check-meta-version'
  | 'check-meta-capabilities'
  | 'accept-missing-client-info'
  | 'check-version-everywhere'
  | 'require-version-header'
  | 'match-version-header'
  | 'require-method-header'
  | 'match-method-header'
  | 'match-header-case'
  | 'require-name-header'
  | 'match-name-case'
  | 'match-name-header'
  | 'decode-name-header'
  | 'serve-without-handshake'
  | 'stop-abandoned-work'
  | 'send-buffering-header'
  | 'verify-state'
  | 'bind-state'
  | 'check-input-responses'
  | 'grant-known-types-alone'
  | 'tell-each-granted-type'
  | 'heed-filters'
  | 'end-subscriptions'
  | 'leave-subscriptions'
  | 'require-param-headers'
  | 'match-param-headers'
  | 'match-param-header-case'
  | 'decode-param-headers'
  | 'refuse-invalid-param-headers'
  | 'expect-no-header-for-nothing'
  | 'compare-integers-as-numbers'
  | 'log-only-on-request'
  | 'check-log-level';

/** Context of an outgoing message. */
export interface About {
  kind: 'request' | 'notification' | 'result' | 'error';
  /** The method sent, or for an answer the method answered; undefined if that could not be read. */
  method: string | undefined;
  /** The request that is answered. */
  asked?: unknown;
  /** Cause of an error answer, such as `unknown-method` or `cursor`. */
  reason: string;
  era: 'stateful' | 'stateless';
  session: Session;
}

/** An HTTP answer that is not an event stream. */
export interface HttpReply {
  status: number;
  headers?: Record<string, string>;
  body?: unknown;
  /** Why this answer is given: `accepted`, `answer`, `origin`, `session-missing`, `session-unknown`, … */
  reason: string;
  /** The posted message, if known. */
  posted?: 'request' | 'notification' | 'response' | 'batch';
  /** Method of the posted request or notification. */
  method?: string | undefined;
}

/** Status and headers of an HTTP reply, as they are sent. */
export interface HttpHead {
  status: number;
  headers: Record<string, string>;
}

/** The request of an HTTP reply. */
export interface HttpReplying {
  verb: string;
  posted?: HttpReply['posted'];
  /** Method of the posted request or notification. */
  method?: string | undefined;
  /** The body; absent for an event stream. */
  message?: unknown;
}

/** The bare facts of an HTTP request, for `gate`. */
export interface HttpView {
  verb: string;
  path: string;
  headers: Record<string, string | string[] | undefined>;
  /** Names of the headers as they were written. */
  names: readonly string[];
}

export interface Behaviour {
  neglects: ReadonlySet<Duty>;
  /** The last look at a message on its way out: may change it, drop it or add others. */
  outgoing(message: JsonObject, about: About): JsonObject[];
  /** The first look at a well-formed message; true if nothing more is to be done about it. */
  incoming(message: JsonObject, session: Session, sink: ReplySink): boolean;
  /** Bytes of one serialised message. */
  bytes(text: string): Buffer;
  /** Where a message that belongs to a running request goes; `own` is the reply of that request. */
  route(message: JsonObject, own: ReplySink, session: Session): ReplySink;
  paginate<T>(items: readonly T[], cursor: unknown, size: number, list: string, session: Session): Page<T>;
  /** The revision that answers an initialize request. */
  negotiate(offered: unknown, supported: readonly StatefulRevision[]): string;
  /** Id of the n-th request of the server in a session, from 0. */
  requestId(n: number): unknown;
  /** A capability object as declared in initialize and server/discover. */
  capabilities(declared: JsonObject): JsonObject;
  onConnected(session: Session): void;
  onInitializing(session: Session, sink: ReplySink): void;
  onInitialized(session: Session): void;
  onListening(session: Session): void;
  tasks: {
    /** Id of the n-th task of a session, from 1; `proposed` is what the client wrote into the task parameter. */
    id(random: string, n: number, proposed: unknown): unknown;
    /** Milliseconds that a task lives, or null for no limit, for the client's requested value. */
    ttl(requested: number | undefined): number | null;
  };
  stdio: {
    banner: string;
    output: 'stdout' | 'stderr';
    /** Bytes of one line, its end included. */
    line(body: Buffer, message: unknown): Buffer;
    /** Milliseconds before stdin is read. */
    startDelay: number;
  };
  http: {
    /** Address to bind when it differs from the one asked for. */
    bind: string | undefined;
    replies: 'auto' | 'json' | 'sse';
    /** The headers of a request as they are taken in. */
    hear(view: HttpView): HttpView['headers'];
    /** An answer given before any other check. */
    gate(view: HttpView): HttpReply | undefined;
    reply(reply: HttpReply): HttpReply;
    /** The last look at status and headers, those of event streams as well. */
    head(head: HttpHead, replying: HttpReplying): HttpHead;
    sessionId(random: string, count: number): string;
    /** Text ahead of each event, such as a comment. @param method that of the request which the stream answers, once it is known */
    beforeEvents(method: string | undefined): string;
    /** A message as the data of an event. */
    eventMessage(message: unknown): unknown;
    /** Milliseconds after which clients shall come back when a connection drops. */
    retryMs: number;
    /** Event id of the n-th event of a stream, both from 0; empty for none. */
    eventId(stream: number, n: number): string;
  };
  /** Of a server that wants tokens. */
  guard: GuardSeams;
  sse: {
    endpointEvent: string;
    /** Name of the event that carries a message; empty to leave it unnamed. */
    messageEvent(message: unknown): string;
  };
}

/** The newest revision answers an offer that is not supported. */
export function negotiateNewest(offered: unknown, supported: readonly StatefulRevision[]): string {
  const known = supported.find((revision) => revision === offered);
  return known ?? supported.at(-1) ?? '';
}

/** The actions of a compliant server. */
export const compliant: Behaviour = {
  neglects: new Set(),
  outgoing: (message) => [message],
  incoming: () => false,
  bytes: (text) => Buffer.from(text, 'utf8'),
  route: (_message, own) => own,
  paginate: (items, cursor, size, list) => paginate(items, cursor, size, list),
  negotiate: negotiateNewest,
  requestId: (n) => `server-${n + 1}`,
  capabilities: (declared) => declared,
  onConnected: () => {},
  onInitializing: () => {},
  onInitialized: () => {},
  onListening: () => {},
  tasks: {
    id: (random) => random,
    ttl: (requested = 60_000) => Math.floor(Math.min(requested, 600_000)),
  },
  stdio: {
    banner: '',
    output: 'stdout',
    line: (body) => Buffer.concat([body, Buffer.from('\n')]),
    startDelay: 0,
  },
  http: {
    bind: undefined,
    replies: 'auto',
    hear: ({ headers }) => headers,
    gate: () => undefined,
    reply: (reply) => reply,
    head: (head) => head,
    sessionId: (random) => random,
    beforeEvents: () => '',
    retryMs: 100,
    eventMessage: (message) => message,
    eventId: (stream, n) => `s${stream}-e${n}`,
  },
  guard: compliantGuard,
  sse: {
    endpointEvent: 'endpoint',
    messageEvent: () => 'message',
  },
};

/** Parts of a Behaviour, as a mutation or variant gives them. */
export type BehaviourChange = Partial<Omit<Behaviour, 'neglects' | 'tasks' | 'stdio' | 'http' | 'guard' | 'sse'>> & {
  neglects?: readonly Duty[];
  tasks?: Partial<Behaviour['tasks']>;
  stdio?: Partial<Behaviour['stdio']>;
  http?: Partial<Behaviour['http']>;
  guard?: Partial<GuardSeams>;
  sse?: Partial<Behaviour['sse']>;
};

/** The compliant behaviour with changes laid over it; later changes win. */
export function withChanges(...changes: BehaviourChange[]): Behaviour {
  return changes.reduce<Behaviour>(
    (base, change) => ({
      ...base,
      ...change,
      neglects: new Set([...base.neglects, ...(change.neglects ?? [])]),
      tasks: { ...base.tasks, ...change.tasks },
      stdio: { ...base.stdio, ...change.stdio },
      http: { ...base.http, ...change.http },
      guard: { ...base.guard, ...change.guard },
      sse: { ...base.sse, ...change.sse },
    }),
    compliant,
  );
}
