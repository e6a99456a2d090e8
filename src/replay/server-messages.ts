/**
 * Notifications and requests of a server in a recorded connection and in a live one. Their order does not count, nor
 * what depends on time alone: progress, pings and cancellations.
 */
import { canonical, isObject, type JsonObject } from '../core/model/json.ts';
import { append } from '../core/model/lists.ts';
import type { TraceEvent } from '../core/model/trace.ts';
import type { AnsweredRequest, Conversation, Notice } from '../core/trace/conversation.ts';
import type { Recording, Said, Turn } from './recording.ts';

export interface ServerMessage {
  method: string;
  params: unknown;
  isRequest: boolean;
}

/** Progress is compared with its request; the others depend on time. */
const untold = new Set(['notifications/progress', 'notifications/cancelled', 'ping']);
/** Longest wait for a message that the recording has. */
const mostWaitMs = 2_000;

/** What the recorded server sent because of turns, apart from responses. */
export function recordedMessages({ openings }: Recording, connection: number, turns: readonly Turn[]): ServerMessage[] {
  const said: Said[] = [
    ...(openings[connection] ?? []),
    ...turns.flatMap(({ before, after }) => [...before, ...after]),
  ];
  return said.flatMap(({ message }) => messageOf(message));
}

export interface LiveMessages {
  all: readonly ServerMessage[];
  /** Params of progress notifications so far. */
  progress: readonly unknown[];
  /** Takes an event of the live connection. */
  take(event: TraceEvent): void;
  /** Resolves once there are as many messages of each method as expected, or after two seconds. */
  settled(expected: readonly ServerMessage[]): Promise<void>;
}

/** Collects what a live server sends. */
export function collectMessages(): LiveMessages {
  const all: ServerMessage[] = [];
  const progress: unknown[] = [];
  let heard: () => void = () => {};
  const isComplete = (expected: readonly ServerMessage[]): boolean =>
    expected.every(({ method }) => countOf(all, method) >= countOf(expected, method));
  return {
    all,
    progress,
    take({ kind, from, message }) {
      if (kind !== 'message' || from !== 'server') return;
      for (const one of Array.isArray(message) ? (message as unknown[]) : [message]) {
        if (!isObject(one)) continue;
        append(all, messageOf(one));
        append(progress, progressIn([one]));
      }
      heard();
    },
    async settled(expected) {
      if (isComplete(expected)) return;
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        timer = setTimeout(resolve, mostWaitMs);
        heard = () => {
          if (isComplete(expected)) resolve();
        };
      });
      clearTimeout(timer);
      heard = () => {};
    },
  };
}

/**
 * Both sides as conversations to compare. Equal messages stand side by side, then the others of a method in their
 * order.
 */
export function asConversations(
  recorded: readonly ServerMessage[],
  live: readonly ServerMessage[],
): [Conversation, Conversation] {
  const left = [...live];
  const equal: ServerMessage[] = [];
  const others: ServerMessage[] = [];
  for (const one of recorded) {
    const at = left.findIndex((other) => keyOf(other) === keyOf(one));
    if (at === -1) others.push(one);
    else append(equal, left.splice(at, 1));
  }
  return [conversation([...equal, ...byMethod(others)]), conversation([...equal, ...byMethod(left)])];
}

function byMethod(messages: readonly ServerMessage[]): ServerMessage[] {
  return messages.toSorted((one, other) => (one.method < other.method ? -1 : one.method > other.method ? 1 : 0));
}

function conversation(messages: readonly ServerMessage[]): Conversation {
  const common = { from: 'server' as const, seq: 0 };
  const requests = messages
    .filter(({ isRequest }) => isRequest)
    .map(({ method, params }): AnsweredRequest => ({ ...common, method, params, outcome: 'none', progress: [] }));
  const notices = messages
    .filter(({ isRequest }) => !isRequest)
    .map(({ method, params }): Notice => ({ ...common, method, params }));
  return { session: '', requests, notices, odd: [] };
}

/** Params of the progress notifications among messages. */
export function progressIn(messages: readonly JsonObject[]): unknown[] {
  return messages.filter(({ method }) => method === 'notifications/progress').map(({ params }) => params);
}

function messageOf(message: JsonObject): ServerMessage[] {
  const { method, params } = message;
  if (typeof method !== 'string' || untold.has(method)) return [];
  const { _meta, ...told } = isObject(params) ? params : {};
  return [{ method, params: isObject(params) ? told : params, isRequest: 'id' in message }];
}

function keyOf({ method, params }: ServerMessage): string {
  return canonical([method, params ?? {}]);
}

function countOf(messages: readonly ServerMessage[], wanted: string): number {
  return messages.filter(({ method }) => method === wanted).length;
}
