/**
 * Keeps a server that never stops asking from filling the trace: of the requests that it sends, those beyond its
 * allowance are counted and neither recorded nor answered. Everything else passes, so that what was asked of the server
 * is judged as ever. It must answer nothing.
 */
import { isObject } from '../../../core/model/json.ts';
import type { EventInput, EventSink } from '../../../core/model/trace.ts';

/** Maximum number of server requests on one connection. */
export const mostAsked = 3000;
/** Where all connections of a run together brought so many, each further one may bring a few. */
const mostInRun = 12_000;
const fewAsked = 100;

export interface QuestionFlood {
  /** Records what connections bring, but not the requests beyond the allowance, for which it returns 0. */
  readonly sink: EventSink;
  /** The connection ends: records how many requests were left out on it. */
  end(session: string): void;
}

/** Note for a connection that gets no further answers. */
export function answersCapped(most: number): string {
  return `requests of the server beyond the ${most}th on one connection were neither answered nor kept`;
}

interface Asked {
  count: number;
  most: number;
  /** Skipped requests, except the first one, which was reported at once. */
  more: number;
}

export function createQuestionFlood(record: EventSink): QuestionFlood {
  const connections = new Map<string, Asked>();
  let inRun = 0;

  function askedOn(session: string): Asked {
    let asked = connections.get(session);
    if (!asked)
      connections.set(session, (asked = { count: 0, most: inRun > mostInRun ? fewAsked : mostAsked, more: 0 }));
    return asked;
  }

  function leaveOut(session: string, asked: Asked, count: number): void {
    const isFirst = asked.count === asked.most;
    asked.count += count;
    asked.more += isFirst ? count - 1 : count;
    if (isFirst) record({ session, from: 'harness', kind: 'limit', reason: answersCapped(asked.most) });
  }

  return {
    sink(event) {
      const count = requestsIn(event);
      if (count === 0) return record(event);
      const asked = askedOn(event.session);
      if (asked.count >= asked.most) {
        leaveOut(event.session, asked, count);
        return 0;
      }
      asked.count = Math.min(asked.count + count, asked.most);
      inRun += count;
      return record(event);
    },
    end(session) {
      const asked = connections.get(session);
      if (asked === undefined || asked.more === 0) return;
      record({ session, from: 'harness', kind: 'limit', reason: answersCapped(asked.most), times: asked.more });
      asked.more = 0;
    },
  };
}

/** Number of requests of the event, if it contains nothing else. */
function requestsIn({ from, kind, message }: EventInput): number {
  if (from !== 'server' || kind !== 'message') return 0;
  if (!Array.isArray(message)) return isRequest(message) ? 1 : 0;
  return message.every(isRequest) ? message.length : 0;
}

function isRequest(message: unknown): boolean {
  return isObject(message) && 'method' in message && 'id' in message && message.id !== null;
}
