/**
 * Pairs JSON-RPC requests with what answers them, in both directions, and follows progress tokens and cancellations.
 * Determines the role of every message (its request, its token), and when a request gets its outcome. Ids and tokens
 * keep their JSON type.
 */
import { asObject } from '../../model/json.ts';
import type { TraceEvent } from '../../model/trace.ts';
import { perSession } from '../state/per-session.ts';
import type { SessionState } from '../state/session-state.ts';
import { outcomeOf } from './http-outcome.ts';
import type { HttpState } from '../http/http-state.ts';
import { errorInSession, mayEndSession } from '../http/session-end.ts';
import {
  byId,
  byToken,
  createSide,
  isLetGo,
  meantFor,
  noteAfterDrop,
  noteDrop,
  takeReply,
  type Side,
} from './rpc-sides.ts';
import { createLargeRecords } from './large-records.ts';
import { createRecord } from './new-record.ts';
import type { Outcome, Place, ReplyState, RpcRecord } from './rpc-record.ts';
import {
  isIdType,
  isResponse,
  methodOf,
  paramsOf,
  progressTokenOf,
  twinKey,
  typedKey,
  type IdKey,
  type RpcItem,
} from '../values/rpc.ts';

const keptProgress = 1000;
/** Requests in flight that a response without a known id may answer. */
const keptMisanswered = 100;
const keptStrays = 1000;
/** Connections among which the one is sought that a response belongs to. */
const keptElsewhere = 200;
/** Requests without an answer that are followed, over all connections. */
const keptOpen = 20_000;

/** A request and its expected outcome. */
export interface Due {
  record: RpcRecord;
  outcome: Outcome;
}

export interface RpcTracker {
  observe(item: RpcItem, session: SessionState, http: HttpState | undefined): Place;
  /** The request that a response answers or a progress notification reports on; changes nothing. */
  locate(item: RpcItem, session: SessionState): RpcRecord | undefined;
  /** A party sent something unreadable: waiting requests, and new ones until it is overcome, may suffer from it. */
  disturb(session: SessionState, from: 'client' | 'server', seq: number): void;
  /** Requests that get their outcome by an event that is no message. */
  observeEvent(event: TraceEvent, session: SessionState): Due[];
  /** The reply to a POST is over: requests in it that nothing answered get their outcome. */
  httpOver(http: HttpState): Due[];
  /** Requests that nothing answered until the end of the connection. */
  open(session: SessionState): Due[];
  /** Gives a request its outcome. @returns false when it has one */
  settle(due: Due): boolean;
  /** The subject of a request with its outcome has been given out. */
  settled(record: RpcRecord): void;
  endSession(session: SessionState): void;
  /** Requests that were let go before anything answered them, since too many waited; of them nothing is said. */
  readonly letGo: number;
}

const none: Due[] = [];

/** True for a request without an outcome that may still get its response. */
function waits({ outcome, cancelSeq, dropSeq, streamClosedBy }: RpcRecord): boolean {
  return outcome === undefined && cancelSeq === undefined && dropSeq === undefined && streamClosedBy === undefined;
}

/** A request that was refused for its token is sent again as it is, once there is another. */
function wasUnauthorized(record: RpcRecord | undefined): boolean {
  return record?.http?.status === 401 || record?.http?.status === 403;
}

export function createRpcTracker(): RpcTracker {
  const large = createLargeRecords();
  let waiting = 0;
  let letGo = 0;
  const sides = perSession(() => ({ client: createSide(), server: createSide() }));
  const sidesOf = (session: SessionState) => sides.of(session);

  function settle({ record, outcome }: Due): boolean {
    if (record.outcome !== undefined) return false;
    record.outcome = outcome;
    const side = sidesOf(record.session)[record.from];
    if (side.open.delete(typedKey(record.id))) waiting -= 1;
    if (record.token !== undefined && side.openTokens.get(record.token) === record)
      side.openTokens.delete(record.token);
    return true;
  }

  /** The oldest request of a side that waits is followed no more. */
  function letGoOldest(side: Side): RpcRecord | undefined {
    const [oldest] = side.open;
    if (!oldest) return undefined;
    const [key, record] = oldest;
    side.open.delete(key);
    if (record.token !== undefined && side.openTokens.get(record.token) === record)
      side.openTokens.delete(record.token);
    // It has its outcome, so that nothing else sets one; it is not reported.
    record.outcome = 'unanswered';
    side.letGo = true;
    waiting -= 1;
    letGo += 1;
    return record;
  }

  function openRequest(item: RpcItem, session: SessionState, http: HttpState | undefined): Place {
    const from = item.from as 'client' | 'server';
    const side = sidesOf(session)[from];
    const message = asObject(item.message)!;
    const key = typedKey(message.id);
    const before = side.recent.get(key);
    const idReused = side.usedIds.has(key) && !wasUnauthorized(before);
    const idInFlight = before !== undefined && idReused && waits(before);
    side.usedIds.add(key);
    const token = progressTokenOf(message);
    const tokenKey = token === undefined ? undefined : typedKey(token);
    const earlier = tokenKey === undefined ? undefined : side.tokens.get(tokenKey);
    const record = createRecord(item, message, {
      session,
      from,
      http,
      token: tokenKey,
      earlier,
      othersInFlight: side.open.size,
      disturbed: side.unreadable > 0,
    });
    if (!isIdType(message.id)) side.unreadable = item.seq;
    side.recent.set(key, record);
    if (!side.open.has(key)) waiting += 1;
    side.open.set(key, record);
    const dropped = waiting > keptOpen ? letGoOldest(side) : undefined;
    if (tokenKey !== undefined) {
      side.tokens.set(tokenKey, record);
      side.openTokens.set(tokenKey, record);
    }
    const inFlight = earlier !== undefined && earlier.outcome === undefined && earlier.cancelSeq === undefined;
    return { record, idReused, idInFlight, progressTokenInUse: inFlight, ...(dropped ? { dropped } : {}) };
  }

  /** A response that answers no request may be meant for any that waits; over HTTP for one of the POST that it replies to. */
  function misanswer(asker: Side, http: HttpState | undefined, replyState: ReplyState): Place {
    if (asker.open.size <= keptMisanswered)
      for (const record of asker.open.values())
        if (http === undefined || http.method !== 'POST' || record.http === http) record.misanswered = true;
    return { replyState };
  }

  /** Servers that confuse their clients send to one what another has asked for. */
  function isAskedElsewhere(here: Side, key: IdKey): boolean {
    let looked = 0;
    for (const { client } of sides.values()) {
      if (client !== here && client.usedIds.has(key)) return true;
      looked += 1;
      if (looked > keptElsewhere) return false;
    }
    return false;
  }

  /** The request with that id that still waits on another connection, and how many wait there. */
  function waitingElsewhere(here: Side, key: IdKey): Place['strayed'] {
    let looked = 0;
    for (const { client } of sides.values()) {
      const record = client === here ? undefined : client.open.get(key);
      if (record !== undefined) return { record, waiting: client.open.size };
      looked += 1;
      if (looked > keptElsewhere) return undefined;
    }
    return undefined;
  }

  /** Kind of a response without a waiting request: answered before, of another connection, or unknown. */
  function strayState(asker: Side, answerer: Side, { from, message }: RpcItem, session: SessionState): ReplyState {
    const key = typedKey(asObject(message)!.id);
    // Only what was answered is forgotten.
    if (asker.usedIds.has(key)) return 'duplicate';
    if (asker.strayIds.has(key)) return 'of-response';
    const few = answerer.strayIds.size < keptStrays;
    if (few) answerer.strayIds.add(key);
    const isForeign = few && session.transport !== 'stdio' && from === 'server' && isAskedElsewhere(asker, key);
    return isForeign ? 'foreign' : 'unknown';
  }

  function answer(item: RpcItem, session: SessionState, http: HttpState | undefined): Place {
    const { client, server } = sidesOf(session);
    const [asker, answerer] = item.from === 'server' ? [client, server] : [server, client];
    const message = asObject(item.message)!;
    if (!('id' in message)) return misanswer(asker, http, 'absent');
    if (message.id === null) return misanswer(asker, http, 'null');
    const record = byId(asker, message.id);
    if (asker.letGo && (!record || isLetGo(record))) return { letGo: true };
    // A waiting request takes precedence over an answered one.
    const meant = record?.replies === 0 ? undefined : meantFor(asker, message.id, http);
    if (meant !== undefined) {
      meant.misanswered = true;
      const differsInType = typedKey(meant.id) === twinKey(message.id);
      return { replyState: differsInType ? 'type-changed' : strayState(asker, answerer, item, session), meant };
    }
    if (!record) {
      const replyState = strayState(asker, answerer, item, session);
      if (replyState === 'of-response') return { replyState };
      const strayed = replyState === 'foreign' ? waitingElsewhere(asker, typedKey(message.id)) : undefined;
      return { ...misanswer(asker, http, replyState), ...(strayed === undefined ? {} : { strayed }) };
    }
    record.replies += 1;
    record.events.push(item.seq);
    if (record.replies > 1) return { ...misanswer(asker, http, 'duplicate'), record };
    // Its exchange reports it, once it is known whether the error is about the request or its session.
    if (http !== undefined && item.shape === 'error' && mayEndSession(http)) return { replyState: 'matched', record };
    return { replyState: 'matched', record, settles: takeReply(asker, record, item, http) };
  }

  function progress(item: RpcItem, session: SessionState, http: HttpState | undefined): Place {
    const asker = sidesOf(session)[item.from === 'server' ? 'client' : 'server'];
    const params = paramsOf(item.message);
    const token = params?.progressToken;
    const record = token === undefined ? undefined : byToken(asker, token);
    if (asker.letGo && record && isLetGo(record)) return { letGo: true };
    if (!record) {
      if (asker.tokens.forgetful) return {};
      return { tokenState: asker.tokens.has(twinKey(token)) ? 'type-changed' : 'never-supplied' };
    }
    const seen = { value: params?.progress, total: params?.total, seq: item.seq, t: item.event.t };
    if (record.progress.length < keptProgress) record.progress.push(seen);
    record.events.push(item.seq);
    if (record.answeredAfterCancel) record.progressLate += 1;
    noteAfterDrop(record, 'notifications/progress');
    if (record.progress.length > 1 && record.progressHttp !== http) record.progressMixed = true;
    record.progressHttp = http;
    if (record.outcome === undefined) return { tokenState: 'active', record };
    if (record.becameTask) return { tokenState: 'task', record };
    if (record.reply === undefined) return { tokenState: 'active', record };
    const sameChannel = http === record.replyHttp || session.transport !== 'http';
    if (!sameChannel) return { tokenState: 'finished-elsewhere', record };
    return { tokenState: 'finished', record };
  }

  /** In the stateless era a server names no request of its own: it ends a subscription that the client asked for. */
  function tearDown(item: RpcItem, session: SessionState): Place {
    const { client } = sidesOf(session);
    const id = paramsOf(item.message)?.requestId;
    const record = id === undefined ? undefined : byId(client, id);
    if (!record) return { forgotten: client.usedIds.has(typedKey(id)) };
    if (client.letGo && isLetGo(record)) return { letGo: true };
    record.events.push(item.seq);
    if (record.method === 'subscriptions/listen') record.tornDown = true;
    return { record };
  }

  function cancel(item: RpcItem, session: SessionState): Place {
    if (item.from === 'server' && session.era === 'stateless') return tearDown(item, session);
    const { client, server } = sidesOf(session);
    const [side, peer] = item.from === 'client' ? [client, server] : [server, client];
    const id = paramsOf(item.message)?.requestId;
    const record = id === undefined ? undefined : byId(side, id);
    if (!record) return { forgotten: side.usedIds.has(typedKey(id)) };
    if (record.outcome === undefined) {
      record.cancelSeq ??= item.seq;
      record.cancelT ??= item.event.t;
      if (record.http) record.http.cancelled = true;
      side.cancelled.add(record);
    }
    record.events.push(item.seq);
    return { record, cancelsLate: record.replySeq !== undefined && peer.newestAnswered > record.replySeq };
  }

  return {
    observe(item, session, http) {
      if (item.from === 'harness') return {};
      if (item.shape === 'request') return openRequest(item, session, http);
      if (isResponse(item.shape)) return answer(item, session, http);
      if (item.shape === 'notification') {
        const method = methodOf(item.message);
        if (method === 'notifications/progress') return progress(item, session, http);
        if (method === 'notifications/cancelled') return cancel(item, session);
      }
      return {};
    },

    locate(item, session) {
      const asker = sidesOf(session)[item.from === 'server' ? 'client' : 'server'];
      if (isResponse(item.shape)) return byId(asker, asObject(item.message)?.id);
      const token = paramsOf(item.message)?.progressToken;
      return token === undefined ? undefined : byToken(asker, token);
    },

    disturb(session, from, seq) {
      const side = sidesOf(session)[from];
      side.unreadable = seq;
      if (side.open.size <= keptMisanswered) for (const record of side.open.values()) record.disturbed = true;
    },

    observeEvent(event, session) {
      if (event.kind === 'message') return none;
      const { client } = sidesOf(session);
      const due: Due[] = [];
      if (event.kind === 'timeout' && event.awaited !== undefined && event.what !== 'acknowledgement') {
        for (const record of client.open.values()) {
          if (record.seq !== event.awaited) continue;
          record.events.push(event.seq);
          due.push({
            record,
            outcome:
              record.cancelSeq === undefined && record.seq > session.overLimitSeq && !record.onTrial
                ? 'timeout'
                : 'unanswered',
          });
        }
      }
      const lost = (event.kind === 'exit' || (event.kind === 'closed' && event.exchange === undefined)) && session.lost;
      if (!lost || event.from === 'client') return due;
      for (const record of client.open.values()) {
        record.events.push(event.seq);
        due.push({ record, outcome: record.seq > session.overLimitSeq ? 'closed' : 'unanswered' });
      }
      return due;
    },

    httpOver(http) {
      const { client } = sidesOf(http.session);
      const due: Due[] = [];
      const seen = new Set<RpcRecord>();
      for (const id of http.rpcIds) {
        const record = client.open.get(typedKey(id));
        if (!record || record.http !== http || seen.has(record)) continue;
        seen.add(record);
        for (const seq of http.events) if (seq > record.seq) record.events.push(seq);
        const error = http.replies.map((item) => asObject(item.message)?.error).find((value) => value !== undefined);
        if (error !== undefined) record.bodyError = error;
        const ender = http.stream?.closedBy;
        if (ender === 'server' || ender === 'client' || ender === 'lost') record.streamClosedBy = ender;
        if (ender === 'client' && http.session.era === 'stateless') noteDrop(client, record, http.events.at(-1));
        const reply = errorInSession(http, id);
        const outcome = reply === undefined ? outcomeOf(http) : takeReply(client, record, reply, http);
        if (outcome !== undefined)
          due.push({ record, outcome: outcome === 'missing' && record.tornDown ? 'unanswered' : outcome });
      }
      return due;
    },

    open(session) {
      const { client, server } = sidesOf(session);
      return [client, server].flatMap((side) =>
        [...side.open.values()].map((record): Due => ({ record, outcome: 'unanswered' })),
      );
    },

    settle,
    settled: (record) => large.keep(record),

    endSession: (session) => sides.forget(session),

    get letGo() {
      return letGo;
    },
  };
}
