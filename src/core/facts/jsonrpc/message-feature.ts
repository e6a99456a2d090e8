/** The `message` subject: one JSON-RPC message, with its place in the conversation. */
import type { Definitions, Facts, Feature, Gaps } from '../core/plugin.ts';
import { viaOf } from '../http/via.ts';
import type { MessageView } from '../requests/message-view.ts';
import { metaFacts, type MetaFacts } from '../values/meta-members.ts';
import type { Place } from '../requests/rpc-record.ts';
import { progressTokenOf } from '../values/rpc.ts';

const messageFacts: Definitions<MessageView> = {
  from: { says: 'client or server.', rests: [], read: (m) => m.item.from },
  shape: {
    says: 'request, notification, result, error, both (result and error), empty (only an id) or invalid.',
    rests: [],
    read: (m) => m.item.shape,
  },
  message: { says: 'The message.', rests: [], read: (m) => m.item.message },
  jsonrpc: { says: 'Its jsonrpc member.', rests: [], read: (m) => m.body?.jsonrpc },
  method: { says: 'Its method member.', rests: [], read: (m) => m.method },
  methodRevisions: {
    says: 'Revisions that define the method; absent for methods of no revision.',
    rests: [],
    read: (m) => m.known?.revisions,
  },
  id: { says: 'Its id member.', rests: [], read: (m) => m.body?.id },
  hasId: {
    says: 'It has an id member, of whatever value.',
    rests: [],
    read: (m) => m.body !== undefined && 'id' in m.body,
  },
  params: { says: 'Its params member, of whatever type.', rests: [], read: (m) => m.body?.params },
  hasParams: { says: 'It has a params member.', rests: [], read: (m) => m.body !== undefined && 'params' in m.body },
  result: { says: 'Its result member.', rests: [], read: (m) => m.body?.result },
  error: { says: 'Its error member.', rests: [], read: (m) => m.body?.error },
  isMethodNotification: {
    says: 'Its method begins with notifications/.',
    rests: [],
    read: (m) => typeof m.method === 'string' && m.method.startsWith('notifications/'),
  },
  inBatch: { says: 'It was an element of a batch.', rests: [], read: (m) => m.item.inBatch },
  raw: {
    says: 'The text on the wire, where it differs from canonical JSON.',
    rests: ['bytes'],
    read: (m) => m.item.event.raw,
  },
  via: {
    says: 'stdio, sse, post-body (HTTP+SSE), json, post-stream, get-stream or resumed-stream.',
    rests: ['exchanges', 'transport'],
    read: (m) => viaOf(m.session, m.http),
  },
  httpStatus: {
    number: true,
    says: 'Status of the HTTP reply that carried it.',
    rests: ['exchanges', 'transport'],
    read: (m) => m.http?.status,
  },
  postMethod: {
    says: 'HTTP: the JSON-RPC method of that POST.',
    rests: ['exchanges', 'transport'],
    read: (m) => (m.http?.method === 'POST' ? m.http.rpcMethod : undefined),
  },
  postCarries: {
    says: 'HTTP: what the POST carried whose reply brought the message, as for http subjects.',
    rests: ['exchanges', 'transport'],
    read: (m) => (m.http?.method === 'POST' ? m.http.carries : undefined),
  },
  phase: { says: 'Lifecycle phase in which it came.', rests: ['order'], read: (m) => m.phase },
  replyState: {
    says: 'Responses: matched, duplicate, type-changed, of-response (it has the id of a response that its receiver had sent unasked), foreign (the id of a request on another connection), unknown, null or absent (the id).',
    rests: [],
    read: (m) => m.place.replyState,
    doubtful: isDoubtfulReplyState,
  },
  meant: {
    says: 'Responses that answer no request: the request that still waits and that they seem meant for, since its id differs in the type alone, or it is that of the POST which they answer: asked (its id as JSON), came (theirs), method.',
    rests: ['order', 'start'],
    read: meantOf,
  },
  strayed: {
    says: 'Responses that came on another connection than their request: method of the request that waits there, and waiting (how many requests of that connection do).',
    rests: ['order', 'start'],
    read: ({ place: { strayed } }) => strayed && { method: strayed.record.method, waiting: strayed.waiting },
  },
  repliesTo: {
    says: 'Responses: the method of the request.',
    rests: [],
    read: (m) =>
      m.place.replyState === 'matched' || m.place.replyState === 'duplicate' ? m.place.record?.method : undefined,
  },
  afterUnparseableInput: {
    says: 'The client had sent something unreadable before it in the session (a request with an id of a wrong type counts).',
    rests: [],
    read: (m) => m.afterUnparseableInput,
    doubtful: isDoubtfulReadable,
  },
  idReused: {
    says: 'Requests: the sender used the id before in the session.',
    rests: [],
    read: (m) => m.place.idReused === true && !m.copied,
    doubtful: ({ idReused, method }, { recorded, methods }) =>
      !recorded.direction && idReused === true && (typeof method !== 'string' || methods[method]?.from !== 'server'),
  },
  idInFlight: {
    says: 'Requests: another request of the sender has the id and waits for its response (it was not cancelled, and its reply did not break off).',
    rests: ['order'],
    read: (m) => m.place.idInFlight === true && !m.copied,
  },
  copied: { says: 'Requests: the same request was seen on another stream.', rests: [], read: (m) => m.copied },
  replay: {
    says: 'It came before with the same SSE event id. Replays are given only to rules whose given names this fact.',
    rests: [],
    read: (m) => m.replay,
  },
  openStreams: {
    says: 'Event streams connected at that moment.',
    rests: ['exchanges', 'streams'],
    read: (m) => m.openStreams,
  },
  tokenState: {
    says: 'Progress: active, finished, finished-elsewhere (over, other HTTP stream), task, type-changed or never-supplied.',
    rests: [],
    read: (m) => m.place.tokenState,
    doubtful: ({ tokenState }, { wholeOrder }) => !wholeOrder && tokenState !== undefined && tokenState !== 'active',
  },
  tokenAmbiguous: {
    says: 'Progress: several requests had its token at a time, so that it may be about any of them.',
    rests: ['order'],
    read: (m) => (m.place.tokenState === undefined ? undefined : m.place.record?.tokenAmbiguous),
  },
  tokenStream: {
    says: 'Progress and responses: own (the reply to the POST of their request) or other.',
    rests: ['exchanges', 'streams'],
    read: (m) => (m.place.record === undefined ? undefined : m.place.record.http === m.http ? 'own' : 'other'),
  },
  resumedStream: {
    says: 'Progress and responses on a resumed stream: own (the stream resumed is that of their request) or other; absent for progress on a listening stream, whose own it may be.',
    rests: ['exchanges', 'streams'],
    read: resumedStreamOf,
  },
  progressToken: {
    says: 'Requests: params._meta.progressToken.',
    rests: [],
    read: (m) => progressTokenOf(m.item.message),
  },
  hasProgressToken: {
    says: 'Requests: that member is there.',
    rests: [],
    read: (m) => progressTokenOf(m.item.message) !== undefined,
  },
  progressTokenInUse: {
    says: 'Requests: another request in flight has the token.',
    rests: ['order'],
    read: (m) => m.place.progressTokenInUse,
  },
  cancels: {
    says: 'notifications/cancelled: active, finished, task, initialize or nothing.',
    rests: [],
    read: (m) => (m.method === 'notifications/cancelled' ? cancelsWhat(m.place) : undefined),
    doubtful: isDoubtfulCancel,
  },
  cancelledMethod: {
    says: 'notifications/cancelled: the method of the request that it names; one of the client where a server of the stateless era sends it.',
    rests: [],
    read: (m) => (m.method === 'notifications/cancelled' ? m.place.record?.method : undefined),
    doubtful: ({ method, cancelledMethod }, { wholeOrder }) =>
      !wholeOrder && method === 'notifications/cancelled' && cancelledMethod !== 'subscriptions/listen',
  },
  cancelsLate: {
    says: 'notifications/cancelled: the sender had the response, and had answered a later request since.',
    rests: ['order', 'streams'],
    read: (m) => m.place.cancelsLate,
  },
  metas: {
    says: 'Values of its _meta members: in params and result, from 2025-06-18 on also in listed entries and content.',
    rests: [],
    read: (m) => metaOf(m).metas,
  },
  metaKeys: { says: 'Keys in those.', rests: [], read: (m) => metaOf(m).metaKeys },
};

function meantOf({ body, place: { meant } }: MessageView): object | undefined {
  if (meant === undefined) return undefined;
  return { asked: JSON.stringify(meant.id), came: JSON.stringify(body?.id), method: meant.method };
}

function resumedStreamOf({ place: { record }, http, item }: MessageView): 'own' | 'other' | undefined {
  if (record === undefined || !http?.resumed) return undefined;
  if (record.http === http.resumed) return 'own';
  // A server that sends progress on its listening stream, against http.get.message-independence, replays what was that stream's.
  return http.resumed.method === 'GET' && item.shape === 'notification' ? undefined : 'other';
}

export const messages: Feature = {
  name: 'messages',
  kinds: {
    message: 'One JSON-RPC message, in either direction; the elements of a batch count one by one. Complete at once.',
  },
  facts: { message: messageFacts },
};

/** The events of a message subject: the message, and the request that it belongs to. */
export function messageEvents({ item: { seq, shape }, place: { meant, record, strayed } }: MessageView): number[] {
  const other = record ?? meant ?? strayed?.record;
  return other && shape !== 'request' && other.seq !== seq ? [other.seq, seq] : [seq];
}

/** That nothing unreadable was sent before is certain only where bytes were recorded. */
export function isDoubtfulReadable({ afterUnparseableInput }: Readonly<Facts>, { recorded }: Gaps): boolean {
  return afterUnparseableInput === false && !recorded.bytes;
}

export function isDoubtfulCancel({ cancels }: Readonly<Facts>, { wholeOrder }: Gaps): boolean {
  return !wholeOrder && cancels !== undefined && cancels !== 'active';
}

/** Without statuses a refused POST looks like a response to nothing. */
function isDoubtfulReplyState({ replyState }: Readonly<Facts>, { recorded, wholeOrder }: Gaps): boolean {
  if (!wholeOrder && replyState !== undefined && replyState !== 'matched' && replyState !== 'duplicate') return true;
  return replyState === 'null' && (!recorded.exchanges || !recorded.bytes);
}

function metaOf(view: MessageView): MetaFacts {
  view.meta ??= metaFacts(view.item.message, view.session.revision, view.known !== undefined || view.answersKnown);
  return view.meta;
}

/** Target of a cancellation: an active or finished request, a task, initialize, or nothing known. */
export function cancelsWhat(place: Place): string {
  const { record } = place;
  if (!record) return place.forgotten ? 'finished' : 'nothing';
  if (record.method === 'initialize') return 'initialize';
  if (record.becameTask) return 'task';
  return record.reply === undefined ? 'active' : 'finished';
}
