/**
 * What a rule about clients has a server do, as its `situation` says it, and what the client has to do meanwhile. Shapes
 * only; rules/language/situation.schema.json describes each member.
 */

export interface Situation {
  /** Capabilities that the client has to declare, with dots for what lies within: `elicitation.url`. */
  needs?: string[];
  /** Capabilities that the client must not declare. */
  unless?: string[];
  offers?: SituationOffers;
  answers?: SituationAnswer[];
  asks?: SituationAsk[];
  closes?: SituationClose;
  /** The server takes requests as they come, whatever their headers and _meta lack. */
  lenient?: boolean;
  /** stdio: how the process of the server is unusual. */
  process?: SituationProcess;
  /** HTTP: requests need a token of a test authorization server. */
  guard?: SituationGuard;
  /** What the client has to do; what is missing of it makes the rule undecided. */
  drive?: ClientAct[];
}

export interface SituationOffers {
  /** Tools beside those of the server, each with the result of its calls. */
  tools?: (Record<string, unknown> & {
    name: string;
    result: Record<string, unknown>;
    /** Duration of a call, milliseconds. */
    takesMs?: number;
    /** 2025-11-25: calls may run as tasks. */
    taskSupport?: 'optional';
    /** 2025-11-25: milliseconds after which a task notifies the client that the work goes on. */
    reportsMs?: number;
    /** 2026-07-28: the result of a call that brings neither answers nor a state, without its resultType. */
    input?: { inputRequests?: Record<string, unknown>; requestState?: string };
  })[];
  /** There are no other tools. */
  only?: boolean;
  /** Why a faultless server would not list them; absent where it may. */
  deviation?: string;
  /** Notifications that the server may send, and does not. */
  withoutNotifications?: string[];
  /** Capabilities that the server leaves out. */
  withoutCapabilities?: string[];
}

/** How requests of one method are answered; what is absent stays as a faultless server has it. */
export interface SituationAnswer {
  /** The method; absent with `first`. */
  to?: string;
  /** tools/call: of this tool alone. */
  tool?: string;
  /** The very first request, whatever its method; `error` is the answer. */
  first?: true;
  /** HTTP: the status that goes with it. */
  httpStatus?: number;
  /** Laid over the result: members with null are taken out. */
  result?: Record<string, unknown>;
  /** In place of a result. */
  error?: { code: number; message: string; data?: unknown };
  /** HTTP: as one JSON object, as an event stream, also with comment lines, or with names of headers in capitals. */
  as?: 'json' | 'stream' | 'commented' | 'capitals';
  /** Lists: each nextCursor is the empty string. */
  emptyCursor?: true;
  /** HTTP, with `first`: a reply without a body. */
  bare?: true;
  /** Only the first request is answered so. */
  once?: true;
  /** No answer comes. */
  never?: true;
  /** The answer comes once the client has cancelled the request, and not before. */
  despiteCancel?: true;
  /** HTTP: the stream ends before the answer, which waits for the client to resume it; in 2026-07-28 it is lost. */
  cut?: true;
  /** Why a faultless server would not do so; absent where it may. */
  deviation?: string;
}

/** What the server sends while a request of the client is under way. */
export interface SituationAsk extends Pick<Situation, 'needs' | 'unless'> {
  /** The request of the client that it belongs to; any when absent. */
  during?: string;
  /** A request, with an id of the server's own. */
  method?: string;
  params?: Record<string, unknown>;
  /** 2026-07-28: the result that asks has no requestState. */
  withoutState?: true;
  /** HTTP: the request comes on a listening stream, as part of the task that `during` is about. */
  onListeningStream?: true;
  /** The request is sent so often, in one batch. */
  batch?: number;
  /** Sent as it is, in place of a request. */
  message?: Record<string, unknown>;
  /** The request is cancelled: before its answer can have come, or once it came. */
  cancelled?: 'at-once' | 'late';
  /** A ping follows. */
  ping?: true;
  /** Why a faultless server would not send it; absent where it may. */
  deviation?: string;
}

/** What ends, and behind the answer to which request. */
export interface SituationClose {
  what: 'session';
  after: string;
}

export interface SituationProcess {
  /** It does not end with its stdin, nor by SIGTERM. */
  lingers?: true;
  /** It writes to stderr. */
  noisy?: true;
  /** It ends while the first request of this method waits, once. */
  exitsDuring?: string;
  /** Why a faultless server would not do so; absent where it may. */
  deviation?: string;
}

/** The authorization that a client meets; a correct one where nothing is named. */
export interface SituationGuard {
  /** What is different about the authorization server, by the names of src/server/authorization/deviations.ts. */
  differs?: string[];
  /** A client that the authorization server knows beforehand; its credentials are given to the client. */
  client?: {
    authenticates?: 'none' | 'client_secret_basic' | 'client_secret_post' | 'private_key_jwt';
    /** The client is given the issuer as well. */
    namesIssuer?: true;
  };
  /** Tokens are given for assertions: of a workload, or of an identity provider, which runs as well. */
  extension?: 'workload' | 'enterprise';
}

/** Something that a client does when it is told to. */
export interface ClientAct {
  act: 'connect' | 'list' | 'call' | 'read' | 'get' | 'complete' | 'subscribe' | 'set-level' | 'cancel' | 'end';
  /** list: tools, prompts, resources or templates, all pages of it. */
  of?: 'tools' | 'prompts' | 'resources' | 'templates';
  /** call: each tool that the client lists, where it is absent. */
  tool?: string;
  arguments?: Record<string, unknown>;
  name?: string;
  uri?: string;
  level?: string;
}
