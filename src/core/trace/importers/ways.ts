/**
 * Which side a recorder stood on, where its rows say only which way a message went: that of the first message whose
 * sender the protocol tells. Where a later message contradicts it, the ways mean something else and tell nothing.
 */
import type { Captured } from './captured.ts';
import type { SendersOf, Side } from './direction.ts';
import { isExactObject } from './exact-json.ts';

export interface Ways {
  /** The entry with its sender, where that is known. */
  placed(entry: Captured): Captured;
}

const others: Record<Side, Side> = { client: 'server', server: 'client' };

/** @param head the first entries, which may tell the side for those before */
export function createWays(senders: SendersOf, head: readonly Captured[]): Ways {
  /** Who sent what went out. */
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
