/**
 * A recorded conversation without ids and times. Messages that can overtake each
 * other stand in lanes of their own: each stream of the server, what the client asks, and what it answers.
 */
import { readFileSync } from 'node:fs';

type Json = Record<string, unknown>;

interface Event {
  session?: string;
  exchange?: string;
  from?: string;
  kind?: string;
  message?: unknown;
  sse?: { id?: string; event?: string; retry?: number; data?: string };
  http?: { method?: string; status?: number; headers?: Record<string, string | string[]> };
}

export type Lanes = Map<string, string[]>;

/** Headers that say how a response is to be read. */
const told = ['content-type', 'allow', 'www-authenticate'];

/**
 * Messages by lane, in their order; of HTTP also statuses and headers that count. Ids are replaced by the number of the
 * request in its direction.
 */
export function lanesIn(file: string): Lanes {
  const lanes: Lanes = new Map();
  const sessions = new Map<string, number>();
  const exchanges = new Map<string, string>();
  const asked = new Map<string, number>();
  const add = (lane: string, line: string): void => void lanes.set(lane, [...(lanes.get(lane) ?? []), line]);
  for (const line of withNumberedStandIns(readFileSync(file, 'utf8')).split('\n')) {
    if (line === '') continue;
    const { session = '', exchange, from, kind, message, http, sse } = JSON.parse(line) as Event;
    if (!sessions.has(session)) sessions.set(session, sessions.size + 1);
    const connection = `connection ${sessions.get(session)}`;
    if (kind === 'http-request' && exchange !== undefined) exchanges.set(exchange, `${http?.method}`);
    const stream = exchange === undefined ? '' : (exchanges.get(exchange) ?? '');
    if (kind === 'http-response' && http?.status !== undefined) {
      const headers = told.flatMap((key) => http.headers?.[key] ?? []);
      add(`${connection}, server ${stream}`, `http ${http.status} ${headers.join(' ')}`);
    }
    const event = sse === undefined ? '' : `${'id' in sse ? 'id ' : ''}${sse.event ?? ''} ${sse.retry ?? ''} `;
    if (kind === 'sse-event') add(`${connection}, server ${stream}`, `event ${event}${sse?.data}`);
    if (kind !== 'message' || from === 'harness') continue;
    for (const one of (Array.isArray(message) ? message : [message]) as Json[]) {
      const words = spoken(one, `${connection} ${from}`, asked);
      if (from === 'server') add(`${connection}, server ${stream}`, `${event}${words}`);
      else {
        add(`${connection}, client ${'method' in one ? 'asks' : 'answers'}`, words);
        // A stream is that of the message that opened it.
        if (exchange !== undefined && stream === 'POST') exchanges.set(exchange, `after ${words}`);
      }
    }
  }
  return lanes;
}

/** Each trace has digests of its own for the texts that it hides: the first one is 1 in both. */
function withNumberedStandIns(text: string): string {
  const numbers = new Map<string, number>();
  return text.replaceAll(/redacted-[0-9a-f]{16}/g, (one) => {
    if (!numbers.has(one)) numbers.set(one, numbers.size + 1);
    return `redacted-${numbers.get(one)}`;
  });
}

function spoken(message: Json, side: string, asked: Map<string, number>): string {
  const { id, ...rest } = message;
  if (!('id' in message)) return JSON.stringify(rest);
  const key = JSON.stringify(id);
  if ('method' in message) {
    const count = (asked.get(side) ?? 0) + 1;
    asked.set(side, count);
    asked.set(`${side} ${key}`, count);
    return JSON.stringify({ request: count, ...rest });
  }
  const other = side.replace(/(client|server)$/, (one) => (one === 'client' ? 'server' : 'client'));
  return JSON.stringify({ answers: asked.get(`${other} ${key}`) ?? null, ...rest });
}

/** Differences between two conversations, an entry each. */
export function differencesOf(live: Lanes, again: Lanes): string[] {
  return [...new Set([...live.keys(), ...again.keys()])].flatMap((lane) => {
    const [one, other] = [live.get(lane) ?? [], again.get(lane) ?? []];
    return Array.from({ length: Math.max(one.length, other.length) }, (_none, at) => at)
      .filter((at) => one[at] !== other[at])
      .map((at) => `${lane}, ${at + 1}: live ${one[at] ?? 'nothing'}\n  replayed ${other[at] ?? 'nothing'}`);
  });
}
