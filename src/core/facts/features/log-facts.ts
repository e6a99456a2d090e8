/**
 * Facts of log messages: the level that logging/setLevel had set before, where it is certain that the server had taken
 * it in, and the text that is logged. A fold per connection, without judgement.
 */
import { asObject } from '../../model/json.ts';
import { logLevelKey } from '../../spec/log-level.ts';
import type { Definitions, Feature, Hooks } from '../core/plugin.ts';
import { storeOf } from '../state/store.ts';
import type { MessageView } from '../requests/message-view.ts';
import { metaOf, paramsOf } from '../values/rpc.ts';
import type { RpcRecord } from '../requests/rpc-record.ts';
import type { SessionState } from '../state/session-state.ts';
import type { HttpState } from '../http/http-state.ts';

/** Mildest first (RFC 5424; 2024-11-05 and later: server/utilities/logging, log levels). */
const levels: readonly unknown[] = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];
const keptText = 20_000;

interface LevelSet {
  level: string;
  /** Seq of the response that accepted it. */
  since: number;
  /** A request that was sent afterwards; messages before it may have been on their way. */
  asked: boolean;
  /** One of those has been answered. */
  settled: boolean;
}

const logFacts: Definitions<MessageView> = {
  logText: {
    says: 'notifications/message: its data as text, JSON unless it is a text, cut at 20000 characters.',
    rests: [],
  },
  logLevelAsked: {
    says: 'notifications/message in the stateless era: the request that it came for carries a log level in its _meta; on stdio whether one that is under way does, absent where only one before did.',
    rests: ['order', 'start'],
  },
  afterResponse: {
    says: 'notifications/message on the event stream that answers a POST: the response had come before it on that stream.',
    rests: ['exchanges', 'streams', 'order'],
    read: ({ method, http }) =>
      method === 'notifications/message' &&
      http?.method === 'POST' &&
      http.carries === 'request' &&
      http.stream !== undefined
        ? http.stream.responses > 0
        : undefined,
  },
  threshold: {
    says: 'notifications/message, where logging/setLevel had set a level that the server must have known when it sent the message: level (that one) and below (the level of the message is below it; absent where it is none).',
    rests: ['order', 'start'],
  },
};

export const logging: Feature = {
  name: 'logging',
  facts: { message: logFacts },
  create: createLogging,
};

/** True if some request of a connection asked for log messages (stateless era). */
const asking = storeOf(() => ({ any: false, open: new Set<RpcRecord>() }));

function isAsked({ session, http }: MessageView): boolean | undefined {
  if (session.era !== 'stateless') return undefined;
  if (http?.carries === 'request') return asObject(asObject(http.rpcParams)?._meta)?.[logLevelKey] !== undefined;
  if (http !== undefined) return undefined;
  const { any, open } = asking(session);
  for (const _ of open) return true;
  return any ? undefined : false;
}

function createLogging(): Hooks {
  const set = new Map<SessionState, LevelSet>();
  return {
    request(record) {
      if (record.from === 'client' && metaOf(record.message)?.[logLevelKey] !== undefined) {
        asking(record.session).any = true;
        asking(record.session).open.add(record);
      }
      const state = record.from === 'client' ? set.get(record.session) : undefined;
      if (state) state.asked = true;
    },
    answered(record) {
      if (record.from !== 'client') return undefined;
      asking(record.session).open.delete(record);
      const state = set.get(record.session);
      if (state && record.seq > state.since) state.settled = true;
      if (record.method !== 'logging/setLevel') return undefined;
      const level = paramsOf(record.message)?.level;
      if (record.outcome === 'result' && levels.includes(level)) {
        set.set(record.session, {
          level: level as string,
          since: record.replySeq ?? record.seq,
          asked: false,
          settled: false,
        });
      } else if (record.outcome !== 'error') set.delete(record.session);
      return undefined;
    },
    letGo(record) {
      asking(record.session).open.delete(record);
      return undefined;
    },
    message(view) {
      const { item, session, http, method, replay } = view;
      if (replay || item.from !== 'server' || method !== 'notifications/message') return undefined;
      const params = paramsOf(item.message);
      const state = set.get(session);
      const asked = isAsked(view);
      const reported = { logText: textOf(params?.data), ...(asked === undefined ? {} : { logLevelAsked: asked }) };
      if (!state || !isCertain(state, session, http)) return { facts: reported };
      const rank = levels.indexOf(params?.level);
      return {
        facts: {
          ...reported,
          threshold: { level: state.level, below: rank === -1 ? undefined : rank < levels.indexOf(state.level) },
        },
      };
    },
    sessionOver(session) {
      set.delete(session);
      return undefined;
    },
  };
}

/** Over HTTP, streams have no common order: the reply to a later request counts, or any stream once one was answered. */
function isCertain({ since, asked, settled }: LevelSet, session: SessionState, http: HttpState | undefined): boolean {
  if (session.transport !== 'http') return asked;
  return settled || (http?.method === 'POST' && http.seq > since);
}

function textOf(data: unknown): string | undefined {
  const text = typeof data === 'string' ? data : JSON.stringify(data);
  return text?.slice(0, keptText);
}
