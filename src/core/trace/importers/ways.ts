/**
 * Determines the side of a recorder whose rows have only directions: that of the first message with a clear sender. If
 * a later message contradicts it, the directions mean something else and are ignored.
 */
import type { Captured } from './captured.ts';
import type { SendersOf, Side } from './direction.ts';
import { isExactObject } from './exact-json.ts';

export interface Ways {
  /** The entry with its sender, where that is known. */
  placed(entry: Captured): Captured;
}

const others: Record<Side, Side> = { client: 'server', server: 'client' };

/** @param head the first entries, which may show the side for those before */
export function createWays(senders: SendersOf, head: readonly Captured[]): Ways {
  /** Sender of outgoing messages. */
  let out: Side | undefined;
  let contradicted = false;

  function learn({ way, message }: Captured): void {
    if (way === undefined || contradicted || !isExactObject(message) || typeof message['method'] !== 'string') return;
    const sender = senders(message['method']);
    if (sender === undefined || sender === 'both') return;
    const side = way === 'out' ? sender : others[sender];
    contradicted = out !== undefined && out !== side;
    out ??= side;
  }

  for (const entry of head) learn(entry);
  return {
    placed(entry) {
      learn(entry);
      if (entry.from !== undefined || entry.way === undefined || out === undefined || contradicted) return entry;
      return { ...entry, from: entry.way === 'out' ? out : others[out] };
    },
  };
}
