/**
 * Whether log messages of the stateless era were asked for. A fold per connection, without judgement.
 */
import { asObject } from '../../model/json.ts';
import { logLevelKey } from '../../spec/log-level.ts';
import type { Definitions, Feature, Hooks } from '../core/plugin.ts';
import type { MessageView } from '../requests/message-view.ts';
import type { RpcRecord } from '../requests/rpc-record.ts';
import { storeOf } from '../state/store.ts';
import { metaOf } from '../values/rpc.ts';

const logFacts: Definitions<MessageView> = {
  logLevelAsked: {
    says: 'notifications/message in the stateless era: the request that it came for carries a log level in its _meta; on stdio whether one that is under way does, absent where only one before did.',
    rests: ['order', 'start'],
  },
};

export const logging: Feature = {
  name: 'logging',
  facts: { message: logFacts },
  create: createLogging,
};

/** True if some request of a connection asked for log messages (stateless era). */
const asking = storeOf(() => ({ any: false, open: new Set<RpcRecord>() }));

function isAsked({ session, http }: MessageView): boolean | undefined {
  if (session.era !== 'stateless') return undefined;
  if (http?.carries === 'request') return asObject(asObject(http.rpcParams)?._meta)?.[logLevelKey] !== undefined;
  if (http !== undefined) return undefined;
  const { any, open } = asking(session);
  for (const _ of open) return true;
  return any ? undefined : false;
}

function createLogging(): Hooks {
  return {
    request(record) {
      if (record.from !== 'client' || metaOf(record.message)?.[logLevelKey] === undefined) return;
      asking(record.session).any = true;
      asking(record.session).open.add(record);
    },
    answered(record) {
      if (record.from === 'client') asking(record.session).open.delete(record);
      return undefined;
    },
    letGo(record) {
      asking(record.session).open.delete(record);
      return undefined;
    },
    message(view) {
      const { item, method, replay } = view;
      if (replay || item.from !== 'server' || method !== 'notifications/message') return undefined;
      const asked = isAsked(view);
      return asked === undefined ? undefined : { facts: { logLevelAsked: asked } };
    },
  };
}
