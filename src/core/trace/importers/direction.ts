/**
 * Determines the sender of a message if a capture does not name it: by the method, and for responses by the request
 * with the same id. What stays doubtful is left undecided; it must not guess. Later messages decide who cancelled a
 * subscription (subscription-ends.ts).
 */
import { BoundedMap, BoundedSet } from '../../model/bounded.ts';
import { isExactObject, numberText } from './exact-json.ts';

export type Side = 'client' | 'server';

/** Sender of each method; `both` for either. Built from the message schemas by the caller. */
export type SendersOf = (method: string) => Side | 'both' | undefined;

export interface DirectionFinder {
  /** @returns undefined for an unknown sender; the subscription if later messages must decide */
  senderOf(message: unknown): Side | SubscriptionEnd | undefined;
}

/** A cancellation of an open `subscriptions/listen`: either side may have sent it. */
export interface SubscriptionEnd {
  /** The id of the request, as `keyOf` writes it. */
  subscription: string;
}

/** State of the requests of one side. */
interface Asked {
  /** Open requests: method by id. */
  open: Map<string, string>;
  /** Answered ids: a second answer comes from the same side as the first. */
  answered: Set<string>;
  /** Progress tokens of its requests. */
  tokens: Set<string>;
  /** The greatest whole number among its ids so far. */
  newest: number | undefined;
}

const subscriptionIdKey = 'io.modelcontextprotocol/subscriptionId';
/** Requests that wait for their answer, at most that many on each side. */
const keptOpen = 50_000;

export function createDirectionFinder(senders: SendersOf): DirectionFinder {
  const asked: Record<Side, Asked> = { client: nothingAsked(), server: nothingAsked() };

  function requestFrom(id: string, method: string, message: Record<string, unknown>): Side | undefined {
    const reported = senders(method);
    const side = reported === undefined || reported === 'both' ? byNumbering(id) : reported;
    if (side !== undefined) note(asked[side], id, method, message);
    return side;
  }

  /** Both sides number their requests from 0 or 1 on: the side whose next number it is has sent it. */
  function byNumbering(id: string): Side | undefined {
    const fits = { client: follows(id, asked.client.newest), server: follows(id, asked.server.newest) };
    if (fits.client === fits.server) return undefined;
    return fits.client ? 'client' : 'server';
  }

  function responseFrom(id: string, message: Record<string, unknown>): Side | undefined {
    const methods = { client: asked.client.open.get(id), server: asked.server.open.get(id) };
    let asker: Side | undefined = methods.client === undefined ? 'server' : 'client';
    if (methods.client !== undefined && methods.server !== undefined)
      asker = doubled(message['result'], methods.server);
    if (asker !== undefined && methods[asker] === undefined)
      asker = onlyOne(asked.client.answered.has(id), asked.server.answered.has(id));
    if (asker === undefined) return undefined;
    if (asked[asker].open.delete(id)) asked[asker].answered.add(id);
    return asker === 'client' ? 'server' : 'client';
  }

  /**
   * Progress and cancellations are sent by both sides; their request decides. The server ends a subscription as its
   * client does (2026-07-28: basic/patterns/cancellation), but it alone labels what it sends.
   */
  function notificationFrom(method: string, params: unknown): Side | SubscriptionEnd | undefined {
    const reported = senders(method);
    if (reported !== 'both' || !isExactObject(params)) return reported === 'both' ? undefined : reported;
    if (method === 'notifications/progress') {
      const token = keyOf(params['progressToken']);
      return token === undefined ? undefined : onlyOne(asked.server.tokens.has(token), asked.client.tokens.has(token));
    }
    const named = method === 'notifications/cancelled' ? keyOf(params['requestId']) : undefined;
    if (named === undefined) return undefined;
    const meta = params['_meta'];
    if (isExactObject(meta) && keyOf(meta[subscriptionIdKey]) !== undefined) return 'server';
    const side = onlyOne(asked.client.open.has(named), asked.server.open.has(named));
    return side === 'client' && asked.client.open.get(named) === 'subscriptions/listen'
      ? { subscription: named }
      : side;
  }

  return {
    senderOf(message) {
      if (!isExactObject(message)) return undefined;
      const id = keyOf(message['id']);
      const { method } = message;
      if (typeof method === 'string')
        return id === undefined ? notificationFrom(method, message['params']) : requestFrom(id, method, message);
      return 'method' in message || id === undefined ? undefined : responseFrom(id, message);
    },
  };
}

function nothingAsked(): Asked {
  return {
    open: new BoundedMap(keptOpen),
    answered: new BoundedSet(keptOpen),
    tokens: new BoundedSet(keptOpen),
    newest: undefined,
  };
}

function note(side: Asked, id: string, method: string, message: Record<string, unknown>): void {
  side.open.set(id, method);
  const number = numberOf(id);
  if (number !== undefined) side.newest = Math.max(side.newest ?? 0, number);
  const params = message['params'];
  const meta = isExactObject(params) ? params['_meta'] : undefined;
  const token = isExactObject(meta) ? keyOf(meta['progressToken']) : undefined;
  if (token !== undefined) side.tokens.add(token);
}

function follows(id: string, newest: number | undefined): boolean {
  const number = numberOf(id);
  if (number === undefined) return false;
  return newest === undefined ? number <= 1 : number === newest + 1;
}

function onlyOne(client: boolean, server: boolean): Side | undefined {
  if (client === server) return undefined;
  return client ? 'client' : 'server';
}

/** The whole number that a key stands for. */
export function numberOf(id: string): number | undefined {
  return /^n\d{1,15}$/.test(id) ? Number(id.slice(1)) : undefined;
}

/**
 * The requesting side, if both have an open request with that id: results of server requests have distinctive members.
 */
function doubled(result: unknown, serverMethod: string): Side | undefined {
  const marks: Record<string, string> = {
    'sampling/createMessage': 'model',
    'roots/list': 'roots',
    'elicitation/create': 'action',
  };
  const mark = marks[serverMethod];
  if (mark === undefined || !isExactObject(result)) return undefined;
  return mark in result ? 'server' : 'client';
}

/** An id as text that keeps its JSON type; undefined for what is no id. */
export function keyOf(id: unknown): string | undefined {
  if (typeof id === 'string') return `s${id}`;
  const digits = numberText(id);
  return digits === undefined ? undefined : `n${digits}`;
}
