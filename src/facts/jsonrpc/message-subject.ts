/** Makes the `message` subject of one JSON-RPC message, with its place in the conversation. */
import { asObject, isObject } from '../../model/json.ts';
import type { MethodTable, Subject } from '../core/subject.ts';
import type { Phase, SessionState } from '../session/session-state.ts';
import type { HttpState } from '../transports/http-state.ts';
import { metaFacts } from './meta-members.ts';
import type { Place, RpcRecord } from './rpc-record.ts';
import { methodOf, paramsOf, progressTokenOf, type RpcItem } from './rpc.ts';

export interface MessageContext {
  item: RpcItem;
  session: SessionState;
  /** Phase before the message took effect. */
  phase: Phase;
  place: Place;
  http: HttpState | undefined;
  methods: MethodTable;
  /** Event streams connected in the session at that moment. */
  openStreams: number;
  /** The same server request was seen on another stream of the session. */
  copied: boolean;
  /** The message came before with the same event id. */
  replay: boolean;
  /** The client had sent something in this session that no server can read. */
  afterUnreadable: boolean;
}

/** How the message reached its receiver. */
export function viaOf(session: SessionState, http: HttpState | undefined): string {
  if (session.transport === 'stdio') return 'stdio';
  if (session.transport === 'sse') return http?.method === 'POST' ? 'post-body' : 'sse';
  if (http?.stream?.resumes) return 'resumed-stream';
  if (http?.stream) return http.method === 'GET' ? 'get-stream' : 'post-stream';
  return 'json';
}

export function messageSubject(context: MessageContext): Subject {
  const { item, session, place, http } = context;
  const message = asObject(item.message);
  const method = methodOf(item.message);
  const known = typeof method === 'string' ? context.methods[method] : undefined;
  const record = place.record;
  const { metas, metaKeys } = metaFacts(item.message, session.revision, known !== undefined || isKnownAnswer(place, context.methods));
  return {
    kind: 'message',
    session,
    events: record && item.shape !== 'request' && record.seq !== item.seq ? [record.seq, item.seq] : [item.seq],
    facts: {
      from: item.from,
      shape: item.shape,
      message: item.message,
      jsonrpc: message?.jsonrpc,
      method,
      methodRevisions: known?.revisions,
      methodSender: known?.from,
      id: message?.id,
      hasId: message !== undefined && 'id' in message,
      hasMethod: message !== undefined && 'method' in message,
      params: message?.params,
      hasParams: message !== undefined && 'params' in message,
      result: message?.result,
      error: message?.error,
      isMethodNotification: typeof method === 'string' && method.startsWith('notifications/'),
      inBatch: item.inBatch,
      raw: item.event.raw,
      utf8: item.event.invalidUtf8 !== true,
      via: viaOf(session, http),
      eventName: item.event.sse?.event,
      httpStatus: http?.status,
      postCarries: http?.method === 'POST' ? http.carries : undefined,
      postMethod: http?.method === 'POST' ? http.rpcMethod : undefined,
      phase: context.phase,
      replyState: place.replyState,
      repliesTo: place.replyState === 'matched' || place.replyState === 'duplicate' ? record?.method : undefined,
      repliesToParams: place.replyState === 'matched' ? paramsOf(record?.message) : undefined,
      afterUnreadable: context.afterUnreadable,
      idReused: place.idReused === true && !context.copied,
      copied: context.copied,
      replay: context.replay,
      openStreams: context.openStreams,
      tokenState: place.tokenState,
      tokenStream: record === undefined ? undefined : record.http === http ? 'own' : 'other',
      requestStream: record === undefined ? undefined : requestStreamOf(record),
      resumedStream: record === undefined || !http?.resumed ? undefined : record.http === http.resumed ? 'own' : 'other',
      progressToken: progressTokenOf(item.message),
      hasProgressToken: progressTokenOf(item.message) !== undefined,
      tokenShared: place.tokenShared,
      cancels: method === 'notifications/cancelled' ? cancelsWhat(place) : undefined,
      cancelsLate: place.cancelsLate,
      metas,
      metaKeys,
      subscribed: method === 'notifications/resources/updated' ? session.subscribes > 0 : undefined,
    },
  };
}

/** Whether the message answers a request with a method of the protocol. */
function isKnownAnswer({ replyState, record }: Place, methods: MethodTable): boolean {
  return replyState === 'matched' && typeof record?.method === 'string' && Object.hasOwn(methods, record.method);
}

/** Whether the POST of a request is being answered by an event stream at that moment. */
function requestStreamOf(record: RpcRecord): string {
  const stream = record.http?.stream;
  if (!stream) return 'none';
  return stream.closedBy === undefined ? 'open' : 'ended';
}

/** What a cancellation is about: a request that is active or finished, a task, initialize, or nothing known. */
export function cancelsWhat(place: Place): string {
  const { record } = place;
  if (!record) return place.forgotten ? 'finished' : 'nothing';
  if (record.method === 'initialize') return 'initialize';
  if (record.becameTask) return 'task';
  return record.reply === undefined ? 'active' : 'finished';
}

/** Text that two copies of one server request share, whatever stream carries them. */
export function contentKey(item: RpcItem): string {
  return isObject(item.message) ? JSON.stringify(item.message) : '';
}
