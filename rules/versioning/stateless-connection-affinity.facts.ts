/**
 * Follows cursors from one connection to another: in the stateless era a client may go on with a list on whatever
 * connection (2026-07-28: basic/index#statelessness). It makes no judgement.
 */
import { asObject, asText } from '../../src/core/model/json.ts';
import type { Definitions, Feature, Hooks } from '../../src/core/facts/core/plugin.ts';
import type { RpcRecord } from '../../src/core/facts/requests/rpc-record.ts';
import { paramsOf } from '../../src/core/facts/values/rpc.ts';
import { listMethods } from '../../src/core/facts/values/lists.ts';
import { createPlaces } from '../../src/core/facts/stateless/places.ts';

const longestCursor = 10_000;

const exchangeFacts: Definitions<RpcRecord> = {
  cursorElsewhere: {
    says: 'List methods in the stateless era, where the cursor was given on the connection and had been served there before. served, refused: how often requests with it were, since then, on connections that were not given it.',
    rests: ['order', 'start'],
  },
};

export const feature: Feature = {
  name: 'cursor-places',
  after: ['paging'],
  facts: { exchange: exchangeFacts },
  create: createCursorPlaces,
};

function createCursorPlaces(): Hooks {
  const places = createPlaces();
  return {
    answered(record) {
      const { from, method, session, outcome } = record;
      if (from !== 'client' || session.era !== 'stateless' || !listMethods.has(method)) return undefined;
      const cursor = paramsOf(record.message)?.cursor;
      const end = outcome === 'result' ? 'served' : outcome === 'error' ? 'refused' : 'neither';
      const found = typeof cursor === 'string' ? places.use(record, keyOf(method, cursor), '', end) : undefined;
      const next = asObject(asObject(record.reply)?.result)?.nextCursor;
      if (typeof next === 'string' && next.length <= longestCursor) places.issue(keyOf(method, next), session);
      return found && { facts: { cursorElsewhere: found.fact }, events: found.events };
    },
  };
}

function keyOf(method: unknown, cursor: string): string {
  return `${asText(method)} ${cursor}`;
}
