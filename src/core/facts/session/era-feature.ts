/**
 * Eras that a target speaks, over all connections of the trace: its declared versions, and the outcome of an early
 * `initialize`.
 */
import { BoundedSet } from '../../model/bounded.ts';
import { asObject, asText, isObject } from '../../model/json.ts';
import type { Definitions, Feature, Given, Hooks, Surroundings } from '../core/plugin.ts';
import { storeOf } from '../state/store.ts';
import type { RpcRecord } from '../requests/rpc-record.ts';
import type { SessionState } from '../state/session-state.ts';

interface Eras {
  /** `supportedVersions` of the newest server/discover that was answered with a list of strings. */
  supportedVersions?: string[];
  freshInitialize: 'none' | 'accepted' | 'refused';
}

const erasOf = storeOf<{ eras?: Eras }>(() => ({}));

/** Rejections about credentials, load or a failure; they are no evidence of eras. */
const aboutOtherThings: ReadonlySet<unknown> = new Set([401, 403, 407, 408, 421, 429, 500, 502, 503, 504]);
const internalError = -32603;

const connectionFacts: Definitions<SessionState> = {
  discoveredVersions: {
    says: 'supportedVersions of the newest result of server/discover in the trace, on whatever connection.',
    rests: ['start'],
    read: (session) => erasOf(session).eras?.supportedVersions,
  },
  freshInitialize: {
    says: 'What became of initialize, asking for a known revision, as the first request of a connection, on whatever connection of the trace: none, accepted (at least once) or refused (always).',
    rests: ['start', 'exchanges', 'order'],
    read: (session) => erasOf(session).eras?.freshInitialize ?? 'none',
  },
};

const exchangeFacts: Definitions<RpcRecord> = {
  workedBefore: {
    says: 'A request of that method, by the same party, was answered with a result earlier in the trace, on whatever connection.',
    rests: ['start', 'order'],
  },
};

/** The same for millions of requests. */
const worksAgain: Given = { facts: { workedBefore: true } };
const worksFirst: Given = { facts: { workedBefore: false } };

/** Methods that are remembered. */
const keptMethods = 1000;

export const eras: Feature = {
  name: 'eras',
  facts: { connection: connectionFacts, exchange: exchangeFacts },
  create: createEras,
};

function createEras({ knownRevisions }: Surroundings): Hooks {
  const seen: Eras = { freshInitialize: 'none' };
  const worked = new BoundedSet<string>(keptMethods);
  return {
    request({ session }) {
      erasOf(session).eras ??= seen;
      return undefined;
    },
    answered(record) {
      const method = asText(record.method);
      const isOfClient = record.from === 'client';
      if (isOfClient && method === 'server/discover') noteVersions(record, seen);
      else if (isOfClient && method === 'initialize' && record.phase === 'before-initialize')
        noteInitialize(record, seen, knownRevisions);
      const key = isOfClient ? method : `of the server: ${method}`;
      const workedBefore = worked.has(key);
      if (record.outcome === 'result') worked.add(key);
      return workedBefore ? worksAgain : worksFirst;
    },
  };
}

function noteVersions({ reply }: RpcRecord, seen: Eras): void {
  const versions = asObject(asObject(reply)?.result)?.supportedVersions;
  if (Array.isArray(versions) && versions.every((one) => typeof one === 'string'))
    seen.supportedVersions = versions as string[];
}

function noteInitialize(
  { message, reply, outcome, bodyError, http, replyHttp }: RpcRecord,
  seen: Eras,
  knownRevisions: readonly string[],
): void {
  const asked = asObject(asObject(message)?.params)?.protocolVersion;
  if (typeof asked !== 'string' || !knownRevisions.includes(asked) || seen.freshInitialize === 'accepted') return;
  if (outcome === 'result' && isObject(asObject(reply)?.result)) seen.freshInitialize = 'accepted';
  if (outcome !== 'error' && outcome !== 'http-error') return;
  const error = asObject(asObject(reply)?.error) ?? asObject(bodyError);
  const status = (replyHttp ?? http)?.status;
  if (error?.code === internalError || aboutOtherThings.has(status) || (status ?? 0) >= 500) return;
  seen.freshInitialize = 'refused';
}
