/**
 * Finds the connection of an entry of a capture: by its data, and a new one with each further `initialize`. If
 * connections are not distinguishable, several open ones are mixed in one stream. That shows sooner or later; from then
 * on no message is placed, since ids and handshakes of one would be held against another.
 */
import { BoundedSet } from '../../model/bounded.ts';
import type { Captured } from './captured.ts';
import { keyOf, numberOf, type Side } from './direction.ts';
import { isExactObject } from './exact-json.ts';

export interface Connected {
  session: string;
  /** False for a message that may belong to another connection that is open as well. */
  certain: boolean;
}

/** One connection, with signs of another open one. */
interface Connection {
  name: string;
  initialized: boolean;
  /** Distinguishing data; only of a connection that follows another one. */
  after?: Following;
  /** Requests of the client that are not answered yet, at most `keptOpen`. */
  open: Set<string>;
  newest: number | undefined;
}

interface Following {
  /** Requests that the connections before left unanswered: their answers may be still to come. */
  unanswered: Set<string>;
  /** The number that the connection before would give its next request. */
  next: number | undefined;
  /** Id of its `initialize`, until that is answered. */
  handshake: string | undefined;
  told: boolean;
}

const keptOpen = 10_000;

/** Messages that a client may send before the answer to `initialize` has come. */
const early = new Set(['initialize', 'ping', 'notifications/cancelled']);

/** @param warn called once, when connections turn out to be mixed */
export function createConnections(
  warn: (text: string) => void,
): (entry: Captured, from: Side | undefined) => Connected {
  const current = new Map<string, Connection>();
  const exchanges = new Map<string, string>();
  const mixed = new Set<string>();
  let count = 0;
  /** The key of the entry before. */
  let last: string | undefined;
  /** So far there was nothing that names its connection, and no message. */
  let unclaimed = false;

  return (entry, from) => {
    const known = entry.exchange === undefined ? undefined : exchanges.get(entry.exchange);
    if (known !== undefined) return { session: known, certain: true };
    const own = entry.connection ?? entry.stream;
    const unread = entry.kind === 'gap' || entry.kind === 'stray';
    // An unreadable entry does not identify its connection: it stays with the previous one.
    const key = own ?? (unread ? (last ?? '') : '');
    if (own !== undefined && last === '' && unclaimed) {
      current.set(key, current.get('')!);
      current.delete('');
    }
    unclaimed = own === undefined && unread && (last === undefined || unclaimed);
    last = key;
    const opens = from === 'client' && (isInitialize(entry.message) || entry.opens === true);
    let connection = current.get(key);
    if (!mixed.has(key) && (!connection || (opens && connection.initialized))) {
      count += 1;
      current.set(key, (connection = followerOf(connection, `s${count}`, entry)));
    }
    connection = connection!;
    if (opens) connection.initialized = true;
    if (entry.exchange !== undefined) exchanges.set(entry.exchange, connection.name);
    // An exchange holds its own answer, and a name for the connection keeps it apart.
    const reported = entry.exchange !== undefined || entry.connection !== undefined || entry.kind !== 'message';
    if (reported || mixed.has(key)) return { session: connection.name, certain: reported };
    const fit = fitOf(connection, entry.message, from);
    if (fit === 'other') {
      mixed.add(key);
      warn(
        `from ${entry.place} on, messages of several connections are mixed. They have no session id and are not judged. Put each connection into its own file.`,
      );
    }
    return { session: connection.name, certain: fit === 'own' };
  };
}

function followerOf(before: Connection | undefined, name: string, { message }: Captured): Connection {
  const fresh = { name, initialized: false, open: new BoundedSet<string>(keptOpen), newest: undefined };
  if (before === undefined) return fresh;
  const handshake = isExactObject(message) ? keyOf(message['id']) : undefined;
  const unanswered = new Set([...(before.after?.unanswered ?? []), ...before.open]);
  return {
    ...fresh,
    after: { unanswered, next: before.newest === undefined ? undefined : before.newest + 1, handshake, told: false },
  };
}

/** True if a message belongs to the connection, false for another one, undefined if it may belong to either. */
function fitOf(connection: Connection, message: unknown, from: Side | undefined): 'own' | 'other' | 'either' {
  if (!isExactObject(message)) return 'own';
  const id = keyOf(message['id']);
  const { method } = message;
  if (from === 'client' && typeof method === 'string') return fitOfSent(connection, method, id, message);
  return from === 'server' && method === undefined && id !== undefined ? fitOfAnswer(connection, id) : 'own';
}

function fitOfSent(
  connection: Connection,
  method: string,
  id: string | undefined,
  message: Record<string, unknown>,
): 'own' | 'other' {
  const { after, open } = connection;
  if (after !== undefined && method !== 'initialize') {
    if (after.handshake !== undefined && !early.has(method)) return 'other';
    if (method === 'notifications/initialized' && after.told) return 'other';
    if (id !== undefined && (open.has(id) || continues(id, after.next, connection.newest))) return 'other';
    after.told ||= method === 'notifications/initialized';
  }
  if (method === 'notifications/cancelled' && isExactObject(message['params'])) {
    // It no longer needs an answer.
    const named = keyOf(message['params']['requestId']);
    if (named !== undefined) open.delete(named);
  }
  if (id === undefined) return 'own';
  open.add(id);
  const number = numberOf(id);
  if (number !== undefined) connection.newest = Math.max(connection.newest ?? 0, number);
  return 'own';
}

function fitOfAnswer({ after, open }: Connection, id: string): 'own' | 'other' | 'either' {
  const own = open.delete(id);
  const others = after?.unanswered.delete(id) === true;
  if (after === undefined || !others) {
    if (after?.handshake === id) after.handshake = undefined;
    return 'own';
  }
  // Which handshake it ends decides what holds on the connection.
  return own && after.handshake !== id ? 'either' : 'other';
}

/** True if a number continues those of the previous connection, and not its own. */
function continues(id: string, next: number | undefined, newest: number | undefined): boolean {
  const number = numberOf(id);
  return number !== undefined && next !== undefined && number === next && newest !== undefined && number !== newest + 1;
}

function isInitialize(message: unknown): boolean {
  return isExactObject(message) && message['method'] === 'initialize';
}
