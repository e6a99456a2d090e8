/**
 * Requests of one party of a connection: waiting and recent ones, ids and progress tokens in use, and the effect of
 * answers. A store; which message answers what is the rpc tracker's work.
 */
import { BoundedSet } from '../../model/bounded.ts';
import { asObject, isObject } from '../../model/json.ts';
import { append } from '../../model/lists.ts';
import { rateLimitOf } from '../../model/reports/busy-server.ts';
import { createRecentMap, type RecentMap } from './recent-map.ts';
import { createUsedIds, type UsedIds } from './used-ids.ts';
import type { HttpState } from '../http/http-state.ts';
import { twinKey, typedKey, type IdKey, type RpcItem } from '../values/rpc.ts';
import type { Outcome, RpcRecord } from './rpc-record.ts';

export interface Side {
  open: Map<IdKey, RpcRecord>;
  /** Recent requests, answered or not; open ones are in `open` whatever their age. */
  recent: RecentMap<RpcRecord>;
  usedIds: UsedIds;
  tokens: RecentMap<RpcRecord>;
  /** The newest request without an answer that has a token, however old it is. */
  openTokens: Map<IdKey, RpcRecord>;
  /** Requests that their sender cancelled and after which nothing was answered yet. */
  cancelled: Set<RpcRecord>;
  /** Requests whose reply their sender closed and after which nothing was answered yet. */
  dropped: Set<RpcRecord>;
  /** Seq of the newest request that was answered and not cancelled. */
  newestAnswered: number;
  /** Seq of the newest unreadable input of this side, until a later request is answered; else 0. */
  unreadable: number;
  /** Ids of unsolicited responses of this side. */
  strayIds: Set<IdKey>;
  /** Requests without an answer were let go: what answers none that is known may answer one of them. */
  letGo: boolean;
}

const keptFinished = 100;
const keptIds = 1_000_000;
const keptCancelled = 1000;
const keptDropped = 1000;
/** Messages for an abandoned request that are kept. */
const keptAfterDrop = 20;

export function createSide(): Side {
  return {
    open: new Map(),
    recent: createRecentMap(keptFinished),
    usedIds: createUsedIds(keptIds),
    tokens: createRecentMap(keptFinished),
    openTokens: new Map(),
    cancelled: new BoundedSet(keptCancelled),
    dropped: new Set(),
    newestAnswered: 0,
    unreadable: 0,
    strayIds: new Set(),
    letGo: false,
  };
}

/** It was let go: it has an outcome that nothing gave it. */
export function isLetGo(record: RpcRecord): boolean {
  return record.outcome === 'unanswered' && record.reply === undefined;
}

/** The newest request with an id. */
export function byId(side: Side, id: unknown): RpcRecord | undefined {
  const key = typedKey(id);
  return side.recent.get(key) ?? side.open.get(key);
}

/**
 * The waiting request for a response with a different id: its id differs only in type, or over HTTP it is that of the
 * answered POST.
 */
export function meantFor(side: Side, id: unknown, http: HttpState | undefined): RpcRecord | undefined {
  const twin = side.open.get(twinKey(id));
  if (http?.method !== 'POST') return twin;
  if (twin?.http === http) return twin;
  const own = http.carries === 'request' ? side.open.get(typedKey(http.rpcIds[0])) : undefined;
  return own?.http === http ? own : twin;
}

/** The newest request with a progress token. */
export function byToken(side: Side, token: unknown): RpcRecord | undefined {
  const key = typedKey(token);
  return side.tokens.get(key) ?? side.openTokens.get(key);
}

/** A request is answered, by a response that is taken for its own. @returns its outcome */
export function takeReply(
  side: Side,
  record: RpcRecord,
  { message, shape, seq, event }: RpcItem,
  http: HttpState | undefined,
): Outcome {
  // A late answer is still an answer: the request counts as abandoned from here on.
  if (record.outcome === 'timeout') record.outcome = 'unanswered';
  const reply = asObject(message)!;
  record.reply = reply;
  record.replyT = event.t;
  record.replyHttp = http;
  record.replySeq = seq;
  if (record.cancelSeq !== undefined) record.resultAfterCancel = true;
  noteAfterDrop(record, 'its response');
  record.repliedLate = record.answeredAfterCancel;
  noteAnswer(side, record);
  const result = asObject(reply.result);
  // Revisions before 2025-11-25 have no tasks: there the member means nothing.
  record.becameTask =
    isObject(result?.task) && result.task.taskId !== undefined && !(String(record.session.revision) < '2025-11-25');
  if (shape === 'error') return rateLimitOf(reply.error, record.method) === undefined ? 'error' : 'unanswered';
  return shape === 'result' ? 'result' : 'malformed';
}

/** Takes note that a request was answered: a sign to all that were cancelled before it was sent. */
function noteAnswer(side: Side, record: RpcRecord): void {
  if (record.cancelSeq !== undefined) return;
  side.newestAnswered = Math.max(side.newestAnswered, record.seq);
  if (record.seq > side.unreadable) side.unreadable = 0;
  for (const one of side.cancelled) {
    if (record.seq < one.cancelSeq!) continue;
    one.answeredAfterCancel = true;
    side.cancelled.delete(one);
  }
  for (const one of side.dropped) {
    if (record.seq < one.dropSeq!) continue;
    one.answeredAfterDrop = true;
    append(one.events, record.events);
    side.dropped.delete(one);
  }
}

/** Takes note that the client closed the stream of a reply before the response: a cancellation where each request has a stream of its own. */
export function noteDrop(side: Side, record: RpcRecord, seq = record.seq): void {
  if (side.dropped.size >= keptDropped) return;
  record.dropSeq = seq;
  side.dropped.add(record);
}

/** The reply to such a request is closed: whatever comes for it comes on another one. */
export function noteAfterDrop(record: RpcRecord, what: string): void {
  if (record.dropSeq !== undefined && record.afterDrop.length < keptAfterDrop) record.afterDrop.push(what);
}
