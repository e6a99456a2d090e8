/** Folds the events of a recording to conversations: what the client asked on each connection, and what came of it. */
import { itemsOf, typedKey } from '../../../core/facts/values/rpc.ts';
import { asText, isObject, type JsonObject } from '../../../core/model/json.ts';
import type { TraceEvent } from '../../../core/model/trace.ts';

export interface Exchange {
  method: string;
  /** Without `_meta`. */
  params: JsonObject;
  /** The response, without its id. */
  answer: { result?: unknown; error?: unknown };
  tookMs: number;
  /** Numbers of the events: the request, and its answer. */
  asked: number;
  answered: number;
}

export interface Conversation {
  session: string;
  /** Capabilities of the client. */
  declared: JsonObject;
  /**
   * The client's answers to the server, the first of each kind: by method, with addresses to open (`elicitation/create
   * url`) and uses of tools (`sampling/createMessage tools`) separate.
   */
  replies: Map<string, JsonObject>;
  /** In the order in which they were asked. */
  exchanges: Exchange[];
}

export interface Recording {
  conversations: Conversation[];
  /** Requests that cannot be repeated: without an answer, deliberately wrong, or of another kind. */
  left: number;
}

/** Requests of a recording that are looked at; of longer ones the beginning is. */
const mostExchanges = 20_000;

interface Open extends Omit<Exchange, 'answer' | 'tookMs' | 'answered'> {
  t: number;
}

/** Requests that are no part of a conversation about what the server offers. */
const others = new Set(['initialize', 'ping', 'server/discover']);

/** @param events of a trace or capture, without secrets */
export async function conversationsIn(events: AsyncIterable<TraceEvent>): Promise<Recording> {
  const bySession = new Map<string, Conversation>();
  const open = new Map<string, Open>();
  /** Methods of requests of the server, by session and id. */
  const questions = new Map<string, string>();
  let left = 0;
  let count = 0;

  const conversationOf = (session: string): Conversation => {
    let found = bySession.get(session);
    if (found === undefined)
      bySession.set(session, (found = { session, declared: {}, replies: new Map(), exchanges: [] }));
    return found;
  };

  function fromClient(event: TraceEvent, message: JsonObject, shape: string): void {
    const { method, params } = message;
    const key = `${event.session} ${String(typedKey(message['id']))}`;
    if (shape === 'result') {
      const asked = questions.get(key);
      const { replies } = conversationOf(event.session);
      if (asked !== undefined && isObject(message['result'])) {
        const kind = usesTools(message['result']) ? `${asked} tools` : asked;
        if (!replies.has(kind)) replies.set(kind, message['result']);
      }
      return;
    }
    if (shape !== 'request') return;
    if (method === 'initialize' && isObject(params) && isObject(params['capabilities']))
      conversationOf(event.session).declared = params['capabilities'];
    if (others.has(asText(method))) return;
    if (
      typeof method !== 'string' ||
      event.deviation !== undefined ||
      event.trial === true ||
      (params !== undefined && !isObject(params)) ||
      count >= mostExchanges
    ) {
      left += 1;
      return;
    }
    count += 1;
    const { _meta: _left, ...plain } = params ?? {};
    open.set(key, { method, params: plain, asked: event.seq, t: event.t });
  }

  function fromServer(event: TraceEvent, message: JsonObject, shape: string): void {
    const key = `${event.session} ${String(typedKey(message['id']))}`;
    if (shape === 'request') {
      const { method, params } = message;
      if (questions.size < mostExchanges)
        questions.set(key, `${asText(method)}${isObject(params) && params['mode'] === 'url' ? ' url' : ''}`);
      return;
    }
    const asked = open.get(key);
    if (asked === undefined || (shape !== 'result' && shape !== 'error')) return;
    open.delete(key);
    const { t, ...request } = asked;
    const answer = shape === 'result' ? { result: message['result'] } : { error: message['error'] };
    conversationOf(event.session).exchanges.push({ ...request, answer, tookMs: event.t - t, answered: event.seq });
  }

  for await (const event of events) {
    if (event.kind !== 'message') continue;
    for (const { message, shape, from } of itemsOf(event)) {
      if (!isObject(message)) continue;
      if (from === 'client') fromClient(event, message, shape);
      else if (from === 'server') fromServer(event, message, shape);
    }
  }
  const conversations = [...bySession.values()];
  for (const one of conversations) one.exchanges.sort((a, b) => a.asked - b.asked);
  return { conversations, left: left + open.size };
}

function usesTools({ content }: JsonObject): boolean {
  return Array.isArray(content) && content.some((block) => isObject(block) && block['type'] === 'tool_use');
}
