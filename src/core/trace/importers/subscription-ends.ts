/**
 * Determines who ended a subscription with `notifications/cancelled`, in captures without senders. On stdio client and
 * server end one alike (2026-07-28: basic/patterns/cancellation, basic/patterns/subscriptions), so later messages
 * decide. A client that cancelled gets no answer, and continues or leaves; a server that ends a subscription may add
 * its result. What fits both is left undecided. It holds back messages, and few of them.
 */
import type { Captured } from './captured.ts';
import { isExactObject } from './exact-json.ts';
import { keyOf, type DirectionFinder, type Side, type SubscriptionEnd } from './direction.ts';

/** A message, and its sender if known. */
export interface Placed {
  entry: Captured;
  from: Side | undefined;
}

export interface Placement {
  /** Takes the next message; returns those, in order, that are decided now. */
  take(entry: Captured): Placed[];
  /** The capture is over: returns the rest. */
  rest(): Placed[];
}

/** Number of entries to read ahead before a cancellation is decided by those. */
const readOn = 200;

interface Waiting extends Placed {
  /** Set while who sent it is open. */
  end?: SubscriptionEnd & { at: number; spoken: Record<Side, number> };
}

export function createPlacement(finder: DirectionFinder): Placement {
  /** In order; the first one is always undecided. */
  let waiting: Waiting[] = [];
  const open = new Map<string, Set<Waiting>>();
  /** Number of messages of each side so far, and of all entries of the capture. */
  const spoken: Record<Side, number> = { client: 0, server: 0 };
  let count = 0;

  function note({ message }: Captured, from: Side | undefined): void {
    if (from !== undefined) spoken[from] += 1;
    if (open.size === 0 || from !== 'server' || !isExactObject(message) || 'method' in message) return;
    const answered = keyOf(message['id']);
    for (const one of (answered === undefined ? undefined : open.get(answered)) ?? []) decide(one, true);
  }

  function decide(one: Waiting, answered: boolean): void {
    if (one.end === undefined) return;
    const alone = spoken.client === one.end.spoken.client;
    // With an answer after more of the client it may be a client that was answered too late as well as a server.
    if (alone && spoken.server > one.end.spoken.server) one.from = 'server';
    else if (!alone && !answered) one.from = 'client';
    const others = open.get(one.end.subscription);
    others?.delete(one);
    if (others?.size === 0) open.delete(one.end.subscription);
    delete one.end;
  }

  /** Takes from the front what is decided. */
  function ready(): Placed[] {
    const held = waiting.findIndex(({ end }) => end !== undefined);
    const out = held === -1 ? waiting : waiting.slice(0, held);
    waiting = held === -1 ? [] : waiting.slice(held);
    return out.map(({ entry, from }) => ({ entry, from }));
  }

  return {
    take(entry) {
      const reported = entry.from ?? (entry.kind === 'message' ? finder.senderOf(entry.message) : undefined);
      const placed: Waiting = { entry, from: typeof reported === 'object' ? undefined : reported };
      count += 1;
      if (entry.kind === 'message') note(entry, placed.from);
      if (typeof reported === 'object') {
        placed.end = { ...reported, at: count, spoken: { ...spoken } };
        const others = open.get(reported.subscription);
        if (others) others.add(placed);
        else open.set(reported.subscription, new Set([placed]));
      }
      if (waiting.length === 0 && placed.end === undefined) return [placed];
      waiting.push(placed);
      const first = waiting[0]!;
      if (first.end !== undefined && count - first.end.at < readOn) return [];
      decide(first, false);
      return ready();
    },
    rest() {
      for (const one of waiting) decide(one, false);
      return ready();
    },
  };
}
