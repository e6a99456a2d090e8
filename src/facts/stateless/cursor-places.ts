/**
 * Follows cursors from one connection to another: in the stateless era a client may go on with a list on whatever
 * connection (2026-07-28: basic/index#statelessness). Judges nothing.
 */
import { asObject, asText } from '../../model/json.ts';
import { append } from '../../model/lists.ts';
import type { Definitions, Feature, Hooks } from '../core/plugin.ts';
import type { RpcRecord } from '../jsonrpc/rpc-record.ts';
import { paramsOf } from '../jsonrpc/rpc.ts';
import type { SessionState } from '../session/session-state.ts';

/** Methods whose results come in pages. */
export const listMethods: ReadonlySet<unknown> = new Set(['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list']);
const keptCursors = 2000;
const longestCursor = 10_000;
const keptEvents = 40;

interface Cursor {
  issuers: WeakSet<SessionState>;
  /** It was served where it had come from. */
  servedAtHome: boolean;
  served: number;
  refused: number;
  events: number[];
}

const exchangeFacts: Definitions<RpcRecord> = {
  cursorElsewhere: { says: 'List methods in the stateless era, where the cursor was given on the connection and had been served there before: how often requests with it were served and refused since on connections that were not given it (served, refused).', rests: ['order', 'start'] },
};

export const cursorPlaces: Feature = { name: 'cursor-places', after: ['paging'], facts: { exchange: exchangeFacts }, create: createCursorPlaces };

function createCursorPlaces(): Hooks {
  const cursors = new Map<string, Cursor>();

  function issued({ method, session }: RpcRecord, next: unknown): void {
    if (typeof next !== 'string' || next.length > longestCursor) return;
    const key = keyOf(method, next);
    const known = cursors.get(key) ?? { issuers: new WeakSet(), servedAtHome: false, served: 0, refused: 0, events: [] };
    known.issuers.add(session);
    if (cursors.size < keptCursors) cursors.set(key, known);
  }

  return {
    answered(record) {
      const { from, method, session, outcome } = record;
      if (from !== 'client' || session.era !== 'stateless' || !listMethods.has(method)) return undefined;
      const cursor = paramsOf(record.message)?.cursor;
      const known = typeof cursor === 'string' ? cursors.get(keyOf(method, cursor)) : undefined;
      issued(record, asObject(asObject(record.reply)?.result)?.nextCursor);
      if (!known || (outcome !== 'result' && outcome !== 'error')) return undefined;
      if (!known.issuers.has(session)) {
        if (!known.servedAtHome) return undefined;
        if (outcome === 'result') known.served += 1;
        else known.refused += 1;
        if (known.events.length < keptEvents) append(known.events, record.events);
        return undefined;
      }
      if (outcome === 'error') return undefined;
      const { served, refused, events } = known;
      if (!known.servedAtHome) append(events, record.events);
      known.servedAtHome = true;
      return served + refused === 0 ? undefined : { facts: { cursorElsewhere: { served, refused } }, events };
    },
  };
}

function keyOf(method: unknown, cursor: string): string {
  return `${asText(method)} ${cursor}`;
}
