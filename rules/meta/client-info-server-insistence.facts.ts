/**
 * Follows calls by clients without an identity, in comparison with the same calls by those with one: clientInfo may be
 * left out (2026-07-28: basic/index#meta). Of one refusal nothing shows what it was for; it has to come time and again,
 * and only where the name is missing. It makes no judgement.
 */
import { BoundedMap } from '../../src/core/model/bounded.ts';
import { asObject, canonical } from '../../src/core/model/json.ts';
import type { Definitions, Feature, Hooks } from '../../src/core/facts/core/plugin.ts';
import { perSession } from '../../src/core/facts/state/per-session.ts';
import type { RpcRecord } from '../../src/core/facts/requests/rpc-record.ts';
import { clientInfoKey, declaredCapabilitiesOf, metaOf, paramsOf } from '../../src/core/facts/values/rpc.ts';

const methods: ReadonlySet<unknown> = new Set(['tools/call', 'prompts/get', 'resources/read']);
/** Codes by which a server refuses params; those of other refusals have other reasons. */
const refusing: ReadonlySet<unknown> = new Set([-32602, -32600]);
const keptRequests = 500;
const longestKey = 10_000;

/** Outcome of a request, by method, params and capabilities. */
interface History {
  /** It was served under a name since it was last refused without one. */
  served: boolean;
  /** Refusals without a name, each after it had been served under one. */
  refused: number;
  /** It was refused under a name, too: what becomes of it does not hang on that. */
  unsteady: boolean;
  events: number[];
}

const exchangeFacts: Definitions<RpcRecord> = {
  namelessCall: {
    says: 'tools/call, prompts/get, resources/read of the stateless era without clientInfo, where the same request with it was never refused on the connection. refusedBefore: how often it was refused without, by -32602 or -32600, each time after it had been served with it. servedBetween: it was served with it since.',
    rests: ['order', 'start'],
  },
};

export const feature: Feature = {
  name: 'nameless-clients',
  facts: { exchange: exchangeFacts },
  create: createNamelessClients,
};

function createNamelessClients(): Hooks {
  const sessions = perSession(() => new BoundedMap<string, History>(keptRequests));
  return {
    answered(record) {
      const { from, session, method, message } = record;
      if (from !== 'client' || session.era !== 'stateless' || !methods.has(method)) return undefined;
      const key = keyOf(record);
      if (key === undefined) return undefined;
      const histories = sessions.of(session);
      const known = histories.get(key);
      if (metaOf(message)?.[clientInfoKey] !== undefined) {
        const history = known ?? { served: false, refused: 0, unsteady: false, events: [] };
        histories.set(key, history);
        note(history, record);
        return undefined;
      }
      if (!known || known.unsteady) return undefined;
      const namelessCall = { refusedBefore: known.refused, servedBetween: known.served };
      const events = [...known.events];
      if (known.served && isRefused(record)) {
        known.refused += 1;
        known.served = false;
        known.events = [...known.events, ...record.events];
      }
      return { facts: { namelessCall }, events };
    },

    sessionOver(session) {
      sessions.forget(session);
      return undefined;
    },
  };
}

/** Enough of the last ones prove it. */
const keptEvents = 40;

/** Outcome of a request with a name. */
function note(history: History, record: RpcRecord): void {
  if (record.outcome !== 'result') {
    history.unsteady ||= isRefused(record);
    return;
  }
  if (!history.served) history.events = [...history.events, ...record.events].slice(-keptEvents);
  history.served = true;
}

function isRefused({ outcome, reply, bodyError }: RpcRecord): boolean {
  const error = outcome === 'error' ? asObject(asObject(reply)?.error) : asObject(bodyError);
  return (outcome === 'error' || outcome === 'http-error') && refusing.has(error?.code);
}

/** The request without its _meta, with the client's capabilities; undefined if it lacks required members. */
function keyOf({ method, message }: RpcRecord): string | undefined {
  const { _meta, ...params } = paramsOf(message) ?? {};
  const capabilities = declaredCapabilitiesOf(message);
  if (capabilities === undefined || metaOf(message)?.['io.modelcontextprotocol/protocolVersion'] === undefined)
    return undefined;
  const key = canonical([method, params, capabilities]);
  return key.length <= longestKey ? key : undefined;
}
