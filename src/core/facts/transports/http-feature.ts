/** The `http` and `stream` subjects: what an exchange and its event stream show once the reply is over. */
import { bearerChallenge } from '../values/challenge.ts';
import type { Definitions, Feature } from '../core/plugin.ts';
import { factsFrom } from '../core/reading.ts';
import type { Subject } from '../state/subject.ts';
import { isResponse, typedKey, type RpcItem } from '../values/rpc.ts';
import { httpSoundness, httpSoundnessOf } from '../jsonrpc/soundness.ts';
import { header } from '../values/header.ts';
import { originKind } from '../http/header-fault.ts';
import type { HttpState, StreamState } from '../http/http-state.ts';
import { succeeded } from '../http/http-tracker.ts';

interface Streamed {
  http: HttpState;
  stream: StreamState;
}

const httpFacts: Definitions<HttpState> = {
  method: { says: 'GET, POST, DELETE, …', rests: ['exchanges'], read: (state) => state.method },
  requestHeaders: { says: 'Names in lower case.', rests: ['exchanges'], read: (state) => state.requestHeaders },
  soundness: httpSoundness,
  carries: {
    says: 'What the request body is: request, notification, response, batch, unparsable, other (JSON that is no message, also a request or notification of another version than JSON-RPC 2.0) or none.',
    rests: ['exchanges'],
    read: (state) => state.carries,
  },
  rpcMethod: { says: 'JSON-RPC method in the body.', rests: ['exchanges'], read: (state) => state.rpcMethod },
  rpcParams: { says: 'Its params.', rests: ['exchanges'], read: (state) => state.rpcParams },
  phase: { says: 'Lifecycle phase in which it was sent.', rests: ['exchanges', 'order'], read: (state) => state.phase },
  sessionHeader: {
    says: 'absent, current, ended or other.',
    rests: ['exchanges', 'order'],
    read: (state) => state.sessionHeader,
  },
  letInElsewhere: {
    says: 'Of what names a session that has ended: a POST with the same Authorization header (or none, as here) was answered with a 2xx status on another connection since the session ended.',
    rests: ['exchanges', 'order'],
    read: (state) => state.letInElsewhere,
  },
  sessionIssued: {
    says: 'The server had issued a session id when the request was sent, and the client had not asked for the end of that session.',
    rests: ['exchanges', 'order'],
    read: (state) => state.sessionIssued,
  },
  endpointNamed: {
    says: 'HTTP+SSE: an event stream of the connection had named the address for POST when the request was sent.',
    rests: ['exchanges', 'streams', 'order'],
    read: (state) => state.endpointNamed,
  },
  cancelled: {
    says: 'The client cancelled a request of the POST.',
    rests: ['exchanges', 'order'],
    read: (state) => state.cancelled === true,
  },
  versionHeader: {
    says: 'MCP-Protocol-Version of the request.',
    rests: ['exchanges'],
    read: (state) => header(state.requestHeaders, 'mcp-protocol-version'),
  },
  origin: { says: 'absent, own or foreign.', rests: ['exchanges'], read: (state) => originKind(state.requestHeaders) },
  credentials: {
    says: 'none, bearer, made-up (an unknown token), foreign (one for another audience), query (in the address), malformed (no token) or other (another scheme).',
    read: (state) => state.credentials,
  },
  challenge: {
    says: 'Parameters of the Bearer challenge in the reply, names in lower case.',
    rests: ['exchanges'],
    read: (state) => bearerChallenge(state.challenges)?.parameters,
  },
  lastEventId: {
    says: 'Last-Event-ID of the request.',
    rests: ['exchanges'],
    read: (state) => header(state.requestHeaders, 'last-event-id'),
  },
  outcome: {
    says: 'response, closed, timeout or pending.',
    rests: ['exchanges'],
    read: (state) =>
      state.status !== undefined ? 'response' : state.closed ? 'closed' : state.timedOut ? 'timeout' : 'pending',
  },
  status: { number: true, says: 'Status of the reply.', rests: ['exchanges'], read: (state) => state.status },
  success: {
    says: 'The status is 2xx.',
    rests: ['exchanges'],
    read: (state) => (state.status === undefined ? undefined : succeeded(state)),
  },
  responseHeaders: { says: 'Names in lower case.', rests: ['exchanges'], read: (state) => state.responseHeaders },
  contentType: {
    says: 'Media type of the reply, lower case, without parameters.',
    rests: ['exchanges'],
    read: (state) => state.contentType,
  },
  sessionEnded: {
    says: 'Of status 404 to what bears the id of the session, and of what ended there without the response to a request: whether the server had ended the session, shown by later service in it, by nothing but 404 there, or by an error about the request (-32601, -32602, -32002); absent where unknown.',
    rests: ['exchanges', 'order'],
    read: (state) => state.sessionEnded,
  },
  bodyBytes: {
    number: true,
    says: 'Bytes in the body of the reply, unless it is an event stream.',
    rests: ['exchanges'],
    read: (state) => state.bodyBytes,
    doubtful: ({ bodyBytes }) => bodyBytes === undefined,
  },
  reply: {
    says: 'Shape of the first JSON-RPC response in the reply, or none.',
    rests: ['exchanges'],
    read: (state) => firstResponse(state)?.shape ?? 'none',
  },
  replyMessage: { says: 'That response.', rests: ['exchanges'], read: (state) => firstResponse(state)?.message },
  batchReply: {
    says: 'The reply is a JSON array.',
    rests: ['exchanges'],
    read: (state) => state.replies.some((item) => item.inBatch),
  },
};

const streamFacts: Definitions<Streamed> = {
  soundness: { ...httpSoundness, rests: ['exchanges', 'streams'], read: ({ http }) => httpSoundnessOf(http) },
  method: { says: 'GET or POST.', rests: ['exchanges', 'streams'], read: ({ http }) => http.method },
  rpcMethod: {
    says: 'JSON-RPC method of the POST.',
    rests: ['exchanges', 'streams'],
    read: ({ http }) => http.rpcMethod,
  },
  resumes: {
    says: 'The request had a Last-Event-ID.',
    rests: ['exchanges', 'streams'],
    read: ({ stream }) => stream.resumes,
  },
  versionHeader: {
    says: 'MCP-Protocol-Version of the request.',
    rests: ['exchanges', 'streams'],
    read: ({ http }) => header(http.requestHeaders, 'mcp-protocol-version'),
  },
  eventCount: {
    says: 'Events without comments.',
    rests: ['exchanges', 'streams'],
    read: ({ stream }) => stream.eventCount,
  },
  firstEvent: {
    says: 'The first event: hasId, hasData, event, data.',
    rests: ['exchanges', 'streams'],
    read: ({ stream }) => stream.first,
  },
  sawId: { says: 'Some event had an id.', rests: ['exchanges', 'streams'], read: ({ stream }) => stream.sawId },
  sawRetry: {
    says: 'Some event had a retry time.',
    rests: ['exchanges', 'streams'],
    read: ({ stream }) => stream.sawRetry,
  },
  endpoint: {
    says: 'Data of the first event named endpoint (HTTP+SSE).',
    rests: ['exchanges', 'streams'],
    read: ({ stream }) => stream.endpoint,
  },
  cancelled: {
    says: 'The client cancelled a request of the POST.',
    rests: ['exchanges', 'streams'],
    read: ({ http }) => http.cancelled === true,
  },
  resumedMethod: {
    says: 'Last-Event-ID named an event seen before: method of the request that had opened its stream.',
    rests: ['exchanges', 'streams'],
    read: ({ http }) => http.resumed?.method,
  },
  resumedClosedBy: {
    says: 'Who closed that stream: server, client, harness, or lost where it broke off.',
    rests: ['exchanges', 'streams'],
    read: ({ http }) => http.resumed?.stream?.closedBy,
  },
  resumedSawRetry: {
    says: 'Some event of that stream had a retry time.',
    rests: ['exchanges', 'streams'],
    read: ({ http }) => http.resumed?.stream?.sawRetry,
  },
  responses: {
    says: 'Responses on the stream.',
    rests: ['exchanges', 'streams'],
    read: ({ stream }) => stream.responses,
  },
  requests: { says: 'Requests on the stream.', rests: ['exchanges', 'streams'], read: ({ stream }) => stream.requests },
  badData: {
    says: 'Data of its events that is no single message of its request, at most 10: text that is no JSON, several messages in an array, JSON that is no message, or the response to something else.',
    rests: ['exchanges', 'streams', 'bytes'],
    read: ({ stream }) => stream.badData,
  },
  answered: {
    says: 'All requests of the POST were answered on it.',
    rests: ['exchanges', 'streams'],
    read: isAnswered,
  },
  closedBy: {
    says: 'server, client (also where the server ended it because the client was deleting the session), lost (it broke off with its connection) or open.',
    rests: ['exchanges', 'streams'],
    read: ({ stream }) => stream.closedBy ?? 'open',
  },
  overdue: {
    says: 'It was still open at its expected end.',
    rests: ['exchanges', 'streams'],
    read: ({ stream }) => stream.overdue,
  },
};

const readHttp = factsFrom([['http', httpFacts]]);
const readStream = factsFrom([['http', streamFacts]]);

export const http: Feature = {
  name: 'http',
  // Conclusions from a refusal are known before its subject is judged.
  after: ['authorization'],
  kinds: {
    http: 'An HTTP exchange. Complete when the reply is over.',
    stream: 'An event stream. Complete when it is closed, or the session is over.',
  },
  facts: { http: httpFacts, stream: streamFacts },
  create: () => ({
    exchangeOver: (state) => ({ subjects: subjectsOf(state) }),
  }),
};

function subjectsOf(state: HttpState): Subject[] {
  const { session, stream } = state;
  // That the session is over is shown by its end.
  const events = state.sessionHeader === 'ended' ? [...(session.deletion ?? []), ...state.events] : state.events;
  const whole: Subject = { kind: 'http', session, facts: readHttp(state), events };
  return stream
    ? [
        whole,
        {
          kind: 'stream',
          session,
          facts: readStream({ http: state, stream }),
          events,
          cites: (fact) => citedFor(fact, state, stream),
        },
      ]
    : [whole];
}

/** Where the address for POST was named; of other facts all events. */
function citedFor(
  fact: string,
  { seq }: HttpState,
  { openSeq, endpointSeq }: StreamState,
): readonly number[] | undefined {
  return fact === 'endpoint' && endpointSeq !== undefined ? [seq, openSeq, endpointSeq] : undefined;
}

function firstResponse({ replies }: HttpState): RpcItem | undefined {
  return replies.find((item) => isResponse(item.shape));
}

/** True if all requests of the POST were answered on its stream; undefined without any. */
function isAnswered({ http: { method, rpcIds }, stream: { responseIds } }: Streamed): boolean | undefined {
  const awaited = method === 'POST' ? rpcIds.filter((id) => id !== undefined) : [];
  return awaited.length > 0 ? awaited.every((id) => responseIds.has(typedKey(id))) : undefined;
}
