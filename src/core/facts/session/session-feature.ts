/** Facts of a connection (`session.*`), and the `session` subject: one connection seen as a whole, once it is over. */
import type { Definitions, Feature } from '../core/plugin.ts';
import { storeOf } from '../state/store.ts';
import type { MessageView } from '../requests/message-view.ts';
import type { RpcRecord } from '../requests/rpc-record.ts';
import type { Phase, SessionState } from '../state/session-state.ts';
import { asText } from '../../model/json.ts';

/** A request of the server. */
interface ServerRequest {
  method: unknown;
  seq: number;
  phase: Phase;
}

interface Notes {
  /** At most 1000 kept. */
  serverRequests: ServerRequest[];
  /** tools/call, prompts/get and resources/read requests that the client sent in the operating phase. */
  uses: number;
  /** Methods that the client sent before `initialize`, at most ten; answers count as "a response". */
  beforeInitialize: string[];
  /** Those of them that were refused, though no session of an earlier time was named; at most ten. */
  refusedUninitialized: string[];
  answersBeforeInitialized: number;
}

const keptServerRequests = 1000;
const keptBeforeInitialize = 10;
const cited = 10;
const mayComeFirst: ReadonlySet<unknown> = new Set(['initialize', 'ping', 'server/discover']);
const useMethods: ReadonlySet<unknown> = new Set(['tools/call', 'prompts/get', 'resources/read']);

/** Server requests that need a capability of the client (2025-11-25: lifecycle, capability negotiation). */
const clientCapabilityOf: Record<string, string> = {
  'roots/list': 'roots',
  'sampling/createMessage': 'sampling',
  'elicitation/create': 'elicitation',
};

const notesOf = storeOf<Notes>(() => ({
  serverRequests: [],
  uses: 0,
  beforeInitialize: [],
  refusedUninitialized: [],
  answersBeforeInitialized: 0,
}));

const connectionFacts: Definitions<SessionState> = {
  transport: {
    says: 'stdio, http (Streamable HTTP) or sse (HTTP+SSE of 2024-11-05).',
    rests: ['transport'],
    read: (session) => session.transport,
  },
  era: { says: 'stateful (initialize) or stateless.', rests: [], read: (session) => session.era },
  revision: {
    says: 'Negotiated revision, or the one that the client declares in the stateless era.',
    rests: [],
    read: (session) => session.revision,
  },
  requestedVersion: {
    says: 'Version that initialize asked for.',
    rests: ['start'],
    read: (session) => session.requestedVersion,
  },
  clientCapabilities: {
    says: 'Capabilities that the client declared.',
    rests: ['start'],
    read: (session) => session.clientCapabilities,
  },
  serverCapabilities: {
    says: 'Capabilities that the server declared.',
    rests: ['start'],
    read: (session) => session.serverCapabilities,
  },
  handshakeResult: {
    says: 'Result of initialize, or of server/discover.',
    rests: ['start'],
    read: (session) => session.initializeResult,
  },
  statefulHandshake: {
    says: 'Stateless era: what became of an initialize on the same connection: none, open, accepted (the server speaks the stateful era too) or refused.',
    rests: ['start'],
    read: (session) => session.statefulHandshake,
  },
  hasSessionId: {
    says: 'The server issued a session id.',
    rests: ['exchanges'],
    read: (session) => session.sessionId !== undefined,
  },
  lost: {
    says: 'Process or connection ended without the client having asked for it.',
    rests: ['bytes'],
    read: (session) => session.lost,
  },
  uses: {
    says: 'How many tools/call, prompts/get and resources/read requests were sent.',
    rests: ['start'],
    read: (session) => notesOf(session).uses,
  },
};

const sessionFacts: Definitions<SessionState> = {
  handshakeDone: {
    says: 'initialize (or server/discover) was answered with a result.',
    rests: ['start'],
    read: (session) => session.initializeResult !== undefined,
  },
  beforeInitialize: {
    says: 'What the client sent before initialize: methods; and refused (those of requests that named no session, and that the server refused by an error or by status 400).',
    read: (session) => {
      const { beforeInitialize: sent, refusedUninitialized } = notesOf(session);
      return { methods: sent, refused: refusedUninitialized };
    },
  },
  early: {
    says: 'Before notifications/initialized was sent: answered (how many requests of the client were, initialize aside) and requests (methods of server requests other than ping).',
    rests: ['start', 'order'],
    read: earlyOf,
  },
  undeclaredUses: {
    says: 'Methods of server requests that need a capability that the client did not declare.',
    rests: ['start'],
    read: (session) => undeclaredUses(session).map(({ method }) => method),
  },
  stdinClosed: { says: 'stdio: the client closed stdin.', rests: ['bytes'], read: (session) => session.stdinClosed },
  askedToEnd: {
    says: 'stdio: the client asked the server to end, as by SIGTERM, once it had closed stdin.',
    rests: ['bytes'],
    read: (session) => session.askedToEnd,
  },
  exitOverdue: {
    says: 'stdio: the process was still running when its end was due.',
    rests: ['bytes'],
    read: (session) => session.exitOverdue,
  },
  exit: {
    says: 'How the process ended: exit code, signal, and byChecker (the checker ended it by a signal; it does not wait long where no step is about the end).',
    rests: ['bytes'],
    read: (session) => session.exit,
  },
};

export const session: Feature = {
  name: 'session',
  kinds: { session: 'One connection as a whole. Complete when it is over.' },
  facts: { connection: connectionFacts, session: sessionFacts },
  create: () => ({
    answered(record) {
      const { session: of, from, method, reply } = record;
      if (isRefusedUninitialized(record) && notesOf(of).refusedUninitialized.length < keptBeforeInitialize)
        notesOf(of).refusedUninitialized.push(asText(method));
      if (reply !== undefined && from === 'client' && of.phase === 'before-initialized' && method !== 'initialize')
        notesOf(of).answersBeforeInitialized += 1;
      return undefined;
    },
    message(view) {
      if (view.replay) return undefined;
      if (view.item.from === 'client') noteClient(view);
      else if (view.item.shape === 'request') noteServerRequest(view);
      return undefined;
    },
    sessionOver: (of) => ({
      cites: citesOf(of),
      events: [
        ...of.handshake,
        ...of.ending,
        ...earlyRequests(of)
          .slice(0, cited)
          .map(({ seq }) => seq),
        ...undeclaredUses(of)
          .slice(0, cited)
          .map(({ seq }) => seq),
      ],
    }),
  }),
};

/**
 * True if a server rejected a request before any handshake; one with an older session names that, and was recorded from
 * its middle.
 */
function isRefusedUninitialized({ from, phase, outcome, method, http, replyHttp }: RpcRecord): boolean {
  if (from !== 'client' || phase !== 'before-initialize' || mayComeFirst.has(method)) return false;
  if (http !== undefined && http.sessionHeader !== 'absent') return false;
  return outcome === 'error' || (outcome === 'http-error' && (replyHttp ?? http)?.status === 400);
}

/** Server requests depend on their messages (and on the client's declarations), the end on its form. */
function citesOf(of: SessionState): Record<string, readonly number[]> {
  const seqs = (requests: readonly ServerRequest[]): number[] => requests.slice(0, cited).map(({ seq }) => seq);
  const ending: Record<string, readonly number[]> =
    of.ending.length === 0
      ? {}
      : { exit: of.ending, askedToEnd: of.ending, exitOverdue: of.ending, stdinClosed: of.ending };
  return {
    earlyRequests: [...of.handshake, ...seqs(earlyRequests(of))],
    undeclaredUses: [...of.handshake.slice(0, 1), ...seqs(undeclaredUses(of))],
    ...ending,
  };
}

function noteServerRequest({ item, session: of, method }: MessageView): void {
  const { serverRequests } = notesOf(of);
  if (serverRequests.length < keptServerRequests) serverRequests.push({ method, seq: item.seq, phase: of.phase });
}

function noteClient({ item: { shape }, session: of, phase, method }: MessageView): void {
  // The handshake itself is neither early nor a use of anything.
  if (
    (shape === 'request' && method === 'initialize' && phase === 'before-initialize') ||
    (shape === 'notification' && method === 'notifications/initialized')
  )
    return;
  const notes = notesOf(of);
  if (of.phase === 'before-initialize' && notes.beforeInitialize.length < keptBeforeInitialize)
    notes.beforeInitialize.push(typeof method === 'string' ? method : 'a response');
  if (shape === 'request' && of.phase === 'operating' && useMethods.has(method)) notes.uses += 1;
}

function earlyRequests(of: SessionState): ServerRequest[] {
  return notesOf(of).serverRequests.filter(({ phase }) => phase !== 'operating' && phase !== 'closing');
}

function earlyOf(of: SessionState): object {
  const requests = earlyRequests(of)
    .map(({ method }) => method)
    .filter((method) => method !== 'ping');
  return { answered: notesOf(of).answersBeforeInitialized, requests };
}

function undeclaredUses(of: SessionState): ServerRequest[] {
  return notesOf(of).serverRequests.filter(({ method }) => {
    const capability = clientCapabilityOf[asText(method)];
    return capability !== undefined && !(capability in (of.clientCapabilities ?? {}));
  });
}
