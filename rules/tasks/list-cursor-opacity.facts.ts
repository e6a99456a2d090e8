/** Cursors of tasks/list that a client sends, by whether a server gave them out (2025-11-25: basic/utilities/tasks). */
import { asObject } from '../../src/core/model/json.ts';
import type { Definitions, Feature } from '../../src/core/facts/core/plugin.ts';
import type { RpcRecord } from '../../src/core/facts/requests/rpc-record.ts';
import { paramsOf } from '../../src/core/facts/values/rpc.ts';
import { perSession } from '../../src/core/facts/state/per-session.ts';
import { BoundedSet } from '../../src/core/model/bounded.ts';

const keptCursors = 10_000;

const exchangeFacts: Definitions<RpcRecord> = {
  taskCursor: {
    says: 'tasks/list of the client with a cursor, once the connection had given one out: issued (it came as nextCursor), or unknown (on no connection).',
    rests: ['order', 'start'],
  },
};

export const feature: Feature = {
  name: 'task-cursors',
  facts: { exchange: exchangeFacts },
  create() {
    const issued = new BoundedSet<unknown>(keptCursors);
    const own = perSession(() => ({ any: false }));
    return {
      answered({ from, method, message, reply, session }) {
        if (from !== 'client' || method !== 'tasks/list') return undefined;
        const cursor = paramsOf(message)?.cursor;
        const state = issued.has(cursor) ? 'issued' : own.of(session).any && !issued.isFull ? 'unknown' : undefined;
        const { nextCursor } = asObject(asObject(reply)?.result) ?? {};
        if (typeof nextCursor === 'string') {
          issued.add(nextCursor);
          own.of(session).any = true;
        }
        return typeof cursor === 'string' && state !== undefined ? { facts: { taskCursor: state } } : undefined;
      },
      sessionOver(session) {
        own.forget(session);
        return undefined;
      },
    };
  },
};
