/**
 * The conversation in a trace: requests with what answered them, and notifications, by connection. For comparison and
 * display, without judgement; it keeps the whole conversation in memory.
 */
import type { TraceEvent } from '../model/trace.ts';

type Members = Record<string, unknown>;

export interface AnsweredRequest {
  from: 'client' | 'server';
  method: string;
  params: unknown;
  seq: number;
  /** `result`, `error` or `none`. */
  outcome: 'result' | 'error' | 'none';
  /** The value of that member. */
  reply?: unknown;
  replySeq?: number;
  /** Status of the HTTP reply that brought the response, where it was recorded. */
  status?: number;
  /** Params of the progress notifications for its token, without the token. */
  progress: unknown[];
}

export interface Notice {
  from: 'client' | 'server';
  method: string;
  params: unknown;
  seq: number;
}

export interface Conversation {
  session: string;
  requests: AnsweredRequest[];
  notices: Notice[];
  /** Messages that are neither request, response nor notification, and what is no JSON at all, by their sender. */
  odd: { from: string; what: string; seq: number }[];
}

/** Reads a trace to its end; connections in the order in which they appear. */
export async function conversationsOf(events: AsyncIterable<TraceEvent>): Promise<Conversation[]> {
  const readers = new Map<string, ReturnType<typeof createReader>>();
  for await (const event of events) {
    let reader = readers.get(event.session);
    if (!reader) readers.set(event.session, (reader = createReader(event.session)));
    reader.take(event);
  }
  return [...readers.values()]
    .map(({ conversation }) => conversation)
    .filter(({ requests, notices, odd }) => requests.length + notices.length + odd.length > 0);
}

function createReader(session: string): { conversation: Conversation; take(event: TraceEvent): void } {
  const conversation: Conversation = { session, requests: [], notices: [], odd: [] };
  const open = { client: new Map<string, AnsweredRequest>(), server: new Map<string, AnsweredRequest>() };
  const tokens = { client: new Map<string, AnsweredRequest>(), server: new Map<string, AnsweredRequest>() };
  const statuses = new Map<string, number>();
  const other = { client: 'server', server: 'client' } as const;

  function takeMessage(message: unknown, event: TraceEvent, from: 'client' | 'server'): void {
    const members = membersOf(message);
    if (!members) {
      conversation.odd.push({ from, what: 'JSON that is no message', seq: event.seq });
      return;
    }
    const { method, params } = members;
    if (typeof method === 'string') {
      if ('id' in members) {
        const request: AnsweredRequest = { from, method, params, seq: event.seq, outcome: 'none', progress: [] };
        conversation.requests.push(request);
        open[from].set(keyOf(members['id']), request);
        const token = membersOf(membersOf(params)?.['_meta'])?.['progressToken'];
        if (token !== undefined) tokens[from].set(keyOf(token), request);
      } else takeNotice(method, params, event, from);
      return;
    }
    const outcome = 'result' in members ? 'result' : 'error' in members ? 'error' : undefined;
    const request = open[other[from]].get(keyOf(members['id']));
    if (outcome === undefined || !request || request.outcome !== 'none') {
      conversation.odd.push({
        from,
        what:
          outcome === undefined
            ? 'a message that is none'
            : `an ${outcome === 'error' ? 'error' : 'answer'} to no open request`,
        seq: event.seq,
      });
      return;
    }
    const status = event.http?.status ?? (event.exchange === undefined ? undefined : statuses.get(event.exchange));
    Object.assign(request, {
      outcome,
      reply: members[outcome],
      replySeq: event.seq,
      ...(status === undefined ? {} : { status }),
    });
  }

  function takeNotice(method: string, params: unknown, event: TraceEvent, from: 'client' | 'server'): void {
    const members = membersOf(params);
    if (method === 'notifications/progress' && members) {
      const request = tokens[other[from]].get(keyOf(members['progressToken']));
      if (request) {
        const { progressToken: _token, ...rest } = members;
        request.progress.push(rest);
        return;
      }
    }
    if (method === 'notifications/cancelled' && members) {
      const request = open[from].get(keyOf(members['requestId']));
      const { requestId: _id, ...rest } = members;
      conversation.notices.push({ from, method, params: { ...rest, of: request?.method ?? null }, seq: event.seq });
      return;
    }
    conversation.notices.push({ from, method, params, seq: event.seq });
  }

  return {
    conversation,
    take(event) {
      if (event.kind === 'http-response' && event.exchange !== undefined && event.http?.status !== undefined)
        statuses.set(event.exchange, event.http.status);
      if (event.from === 'harness') return;
      if (event.kind === 'unparsable')
        conversation.odd.push({ from: event.from, what: 'text that is no JSON', seq: event.seq });
      if (event.kind !== 'message') return;
      for (const one of Array.isArray(event.message) ? (event.message as unknown[]) : [event.message])
        takeMessage(one, event, event.from);
    },
  };
}

function membersOf(value: unknown): Members | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : undefined;
}

function keyOf(id: unknown): string {
  return `${typeof id} ${JSON.stringify(id)}`;
}
