/**
 * Facts of log messages: the level that logging/setLevel had set before, where it is certain that the server
 * had taken it in, and the text that is logged. A fold per connection; judges nothing.
 */
import type { Definitions, Feature, Hooks } from '../core/plugin.ts';
import type { MessageView } from '../jsonrpc/message-view.ts';
import { paramsOf } from '../jsonrpc/rpc.ts';
import type { SessionState } from '../session/session-state.ts';
import type { HttpState } from '../transports/http-state.ts';

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
  logText: { says: 'notifications/message: its data as text, JSON unless it is a text, cut at 20000 characters.', rests: [] },
  setLevel: { says: 'notifications/message: level that logging/setLevel had set, where the server must have known it when it sent the message.', rests: ['order', 'start'] },
  belowSetLevel: { says: 'notifications/message: its level is below that one.', rests: ['order', 'start'] },
};

export const logging: Feature = {
  name: 'logging',
  facts: { message: logFacts },
  create: createLogging,
};

function createLogging(): Hooks {
  const set = new Map<SessionState, LevelSet>();
  return {
    request(record) {
      const state = record.from === 'client' ? set.get(record.session) : undefined;
      if (state) state.asked = true;
    },
    answered(record) {
      if (record.from !== 'client') return undefined;
      const state = set.get(record.session);
      if (state && record.seq > state.since) state.settled = true;
      if (record.method !== 'logging/setLevel') return undefined;
      const level = paramsOf(record.message)?.level;
      if (record.outcome === 'result' && levels.includes(level)) {
        set.set(record.session, { level: level as string, since: record.replySeq ?? record.seq, asked: false, settled: false });
      } else if (record.outcome !== 'error') set.delete(record.session);
      return undefined;
    },
    message({ item, session, http, method, replay }) {
      if (replay || item.from !== 'server' || method !== 'notifications/message') return undefined;
      const params = paramsOf(item.message);
      const state = set.get(session);
      const logText = textOf(params?.data);
      if (!state || !isCertain(state, session, http)) return { facts: { logText } };
      const rank = levels.indexOf(params?.level);
      return { facts: { logText, setLevel: state.level, belowSetLevel: rank === -1 ? undefined : rank < levels.indexOf(state.level) } };
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
