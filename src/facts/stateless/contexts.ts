/**
 * Follows requests that wait beside those of another client: in the stateless era a connection belongs to no conversation
 * (2026-07-28: basic/index#statelessness). Judges nothing.
 */
import { asText } from '../../model/json.ts';
import type { Definitions, Feature, Hooks } from '../core/plugin.ts';
import { perSession } from '../core/per-session.ts';
import type { RpcRecord } from '../jsonrpc/rpc-record.ts';
import { declaredCapabilitiesOf, metaOf, paramsOf } from '../jsonrpc/rpc.ts';

/** Methods whose answers depend on nothing else, and that any server has at hand. */
const plainMethods: ReadonlySet<unknown> = new Set(['server/discover', 'tools/list', 'prompts/list', 'resources/list', 'resources/templates/list']);
const clientInfoKey = 'io.modelcontextprotocol/clientInfo';
const keptOpen = 1000;
const keptRequests = 1000;
const longestKey = 10_000;

interface Waiting {
  client: string;
  /** Another request waited meanwhile. */
  accompanied: boolean;
  /** One of them was another client's. */
  besideOthers: boolean;
}

/** What became of a request, by method and parameters. */
interface History {
  servedAlone: number;
  /** Refusals beside others, each after it had been served alone. */
  refused: number;
}

const exchangeFacts: Definitions<RpcRecord> = {
  besideOthers: {
    says: 'server/discover and list methods in the stateless era, while requests with another clientInfo or other capabilities waited on the connection: refusedBefore (how often the same was refused so), servedBetween (it was served alone since).',
    rests: ['order', 'start'],
  },
};

export const contexts: Feature = { name: 'contexts', facts: { exchange: exchangeFacts }, create: createContexts };

function createContexts(): Hooks {
  const sessions = perSession(() => ({ open: new Map<RpcRecord, Waiting>(), histories: new Map<string, History>() }));

  return {
    request(record) {
      if (record.from !== 'client') return undefined;
      const { open } = sessions.of(record.session);
      const waiting: Waiting = { client: clientOf(record), accompanied: open.size > 0, besideOthers: false };
      for (const other of open.values()) {
        other.accompanied = true;
        if (other.client !== waiting.client) other.besideOthers = waiting.besideOthers = true;
      }
      if (open.size < keptOpen) open.set(record, waiting);
      return undefined;
    },

    answered(record) {
      if (record.from !== 'client') return undefined;
      const { open, histories } = sessions.of(record.session);
      const waiting = open.get(record);
      open.delete(record);
      if (!waiting || record.session.era !== 'stateless' || !plainMethods.has(record.method)) return undefined;
      const key = keyOf(record);
      if (key.length > longestKey) return undefined;
      const history = histories.get(key) ?? { servedAlone: 0, refused: 0 };
      if (histories.size < keptRequests) histories.set(key, history);
      if (!waiting.besideOthers) {
        if (!waiting.accompanied && record.outcome === 'result') history.servedAlone += 1;
        return undefined;
      }
      const besideOthers = { refusedBefore: history.refused, servedBetween: history.servedAlone > 0 };
      if (record.outcome === 'error' && history.servedAlone > 0) {
        history.refused += 1;
        history.servedAlone = 0;
      }
      return { facts: { besideOthers } };
    },

    letGo(record) {
      sessions.of(record.session).open.delete(record);
      return undefined;
    },

    sessionOver(session) {
      sessions.forget(session);
      return undefined;
    },
  };
}

function clientOf({ message }: RpcRecord): string {
  return JSON.stringify([metaOf(message)?.[clientInfoKey] ?? null, declaredCapabilitiesOf(message) ?? null]);
}

/** What tells one request from another, its _meta aside. */
function keyOf({ method, message }: RpcRecord): string {
  const { _meta, ...params } = paramsOf(message) ?? {};
  return `${asText(method)} ${JSON.stringify(params)}`;
}
