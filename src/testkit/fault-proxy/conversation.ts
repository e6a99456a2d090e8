/** A fault's view of a server message: its kind, and its method. */
import { BoundedMap } from '../../core/model/bounded.ts';
import type { FaultEngine } from '../../core/faults/engine.ts';
import type { Json, Sending } from '../../core/faults/operators.ts';

export interface Conversation {
  /** Notes what the client sends, for the answers to it. */
  asked(sent: unknown): void;
  /** Replacement of a server message, or of each message of a batch. */
  answer(engine: FaultEngine, message: Json): Sending[];
}

/** Requests that wait for an answer, at most that many. */
const keptOpen = 10_000;

/** The messages of one connection, which a fault counts. */
export function createConversation(): Conversation {
  const connection = {};
  const requests = new BoundedMap<string, Json>(keptOpen, 'forget-oldest');
  const keyOf = (id: unknown): string => JSON.stringify(id) ?? '';

  return {
    asked(sent) {
      for (const message of [sent].flat()) {
        if (!isMessage(message) || typeof message['method'] !== 'string' || message['id'] === undefined) continue;
        requests.set(keyOf(message['id']), message);
      }
    },
    answer(engine, message) {
      const kind = kindOf(message);
      const isAnswer = kind === 'result' || kind === 'error';
      const asked = isAnswer ? requests.get(keyOf(message['id'])) : undefined;
      const method = (isAnswer ? asked : message)?.['method'] as string | undefined;
      return engine.send({ message, kind, method, asked, connection });
    },
  };
}

function kindOf(message: Json): 'request' | 'notification' | 'result' | 'error' {
  if (typeof message['method'] === 'string') return message['id'] === undefined ? 'notification' : 'request';
  return message['error'] === undefined ? 'result' : 'error';
}

/** An object that is a message of JSON-RPC, as far as a proxy has to know. */
export function isMessage(value: unknown): value is Json {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    ['method', 'result', 'error'].some((name) => name in value)
  );
}

/** The value of a JSON text; undefined where it is none. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
