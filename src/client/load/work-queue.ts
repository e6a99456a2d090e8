/**
 * Decides, from requests and answers on all connections of a run, if a server that works sequentially may still be at
 * an earlier request. Then the silence about a later one comes from our own load, and proves nothing.
 */
import { asObject } from '../../core/model/json.ts';
import type { TraceEvent } from '../../core/model/trace.ts';

export interface WorkQueue {
  /** Takes in each event as it happens. */
  observe(event: TraceEvent): void;
  /**
   * True if the answer to a request may still come: since it was sent, or since the last call, the server answered
   * something, and nothing that was sent after it.
   */
  mayBeWaiting(session: string, id: unknown): boolean;
}

interface Waiting {
  order: number;
  isLight: boolean;
  isSound: boolean;
  /** Answers of the server before, those to all requests. */
  answersBefore: number;
}

/** Requests that are remembered to wait. */
const keptOpen = 1000;
/** Requests that a server may answer ahead of its other work. */
const lightMethods: ReadonlySet<unknown> = new Set(['ping', 'initialize', 'server/discover']);

export function createWorkQueue(): WorkQueue {
  const open = new Map<string, Waiting>();
  let order = 0;
  let answers = 0;
  /** The latest answered request: of requests that are work, and of all. */
  const newest = { work: 0, any: 0 };
  const keyOf = (session: string, id: unknown): string => `${session} ${JSON.stringify(id)}`;

  return {
    observe({ kind, from, session, message, deviation }) {
      if (kind !== 'message') return;
      const { id, method } = asObject(message) ?? {};
      if (id === undefined) return;
      const key = keyOf(session, id);
      if (from === 'client' && method !== undefined && open.size < keptOpen) {
        order += 1;
        const isLight = lightMethods.has(method);
        open.set(key, { order, isLight, isSound: deviation === undefined, answersBefore: answers });
      }
      const asked = from === 'server' && method === undefined ? open.get(key) : undefined;
      if (asked === undefined) return;
      open.delete(key);
      answers += 1;
      // A request rejected for its form may not have waited for anything.
      if (!asked.isSound) return;
      newest.any = Math.max(newest.any, asked.order);
      if (!asked.isLight) newest.work = Math.max(newest.work, asked.order);
    },
    mayBeWaiting(session, id) {
      const asked = open.get(keyOf(session, id));
      if (asked === undefined) return false;
      const hasAnswered = answers > asked.answersBefore;
      asked.answersBefore = answers;
      return hasAnswered && (asked.isLight ? newest.any : newest.work) < asked.order;
    },
  };
}
