/**
 * Follows the first requests of clients of the stateless era, and what they do after a refusal (the `opening` subjects):
 * go on, fall back to `initialize`, or nothing (2026-07-28: basic/versioning). Over HTTP the next request may be on
 * another connection; it has the same clientInfo.
 */
import { asNumber, asObject, canonical, isObject } from '../../model/json.ts';
import { eraOf, isKnownRevision } from '../../spec/revisions.ts';
import type { Definitions, Feature, Hooks } from '../core/plugin.ts';
import type { RpcRecord } from '../requests/rpc-record.ts';
import type { SessionState } from '../state/session-state.ts';
import type { Subject } from '../state/subject.ts';
import { clientInfoKey, declaredVersionOf, metaOf, paramsOf } from '../values/rpc.ts';

const keptOpenings = 1_000;
/** A request that comes later than this, milliseconds, has other reasons. */
const longestReactionMs = 20_000;
/** Errors by which a server shows that it knows the era: -32020 to -32022 (2026-07-28: basic/index#error-codes). */
const modernErrors: ReadonlySet<unknown> = new Set([-32020, -32021, -32022]);

interface Opening {
  session: SessionState;
  first: RpcRecord;
  client: string | undefined;
  /** Other requests of the client were sent before it was answered. */
  crowded: boolean;
  /** An earlier opening of the trace was answered by the result of server/discover. */
  discoveredBefore: boolean;
  next?: { record: RpcRecord; waitedMs: number };
  fellBack: boolean;
  /** Requests of the other era behind the answer that showed that of the server. */
  switches: RpcRecord[];
  /** The client ended: what comes then is no reaction. */
  over: boolean;
}

const openingFacts: Definitions = {
  method: { says: 'Method of the first request.', rests: ['start', 'order'] },
  outcome: {
    says: 'Its outcome: result, unsupported (-32022), modern-error (-32020 or -32021), other-error, http-error (a status without a JSON-RPC error) or none.',
    rests: ['start', 'order'],
  },
  refusal: {
    says: 'How it was refused: code, status (over HTTP), supported (versions that the error lists), supportsEra (one of them belongs to the stateless era).',
    rests: ['start', 'order'],
  },
  next: {
    says: 'The next request of the client, if nothing else was under way: method, version (declared, or asked for by initialize) and waitedMs (since the response).',
    rests: ['start', 'order', 'timing'],
  },
  fellBack: { says: 'The client sent initialize after it.', rests: ['start', 'order'] },
  fellBackElsewhere: {
    says: 'How often the client did so on other connections, after another refusal.',
    rests: ['start', 'order'],
  },
  context: {
    says: 'discoveredBefore: an earlier server/discover of the trace had a result. switches: methods of the other era, sent after a result had shown the era of the server.',
    rests: ['start', 'order'],
  },
};

export const openings: Feature = {
  name: 'openings',
  kinds: {
    opening:
      'The first request of a connection, if it belongs to the stateless era, with the reaction of the client to its outcome. Complete at the end of the connection.',
  },
  facts: { opening: openingFacts },
  create: createOpenings,
};

function createOpenings(): Hooks {
  const known = new Map<SessionState, Opening | undefined>();
  const past: Past[] = [];
  let discovered = false;

  const open = (): Opening[] => [...known.values()].filter((one) => one !== undefined);

  /** The opening that a request may follow: the newest one of the client, or of its process. */
  function before(record: RpcRecord): Opening | undefined {
    if (record.session.transport === 'stdio') return known.get(record.session);
    const client = clientOf(record);
    return client === undefined ? undefined : open().findLast((one) => one.client === client);
  }

  function follow(opening: Opening, record: RpcRecord): void {
    const { first } = opening;
    if (first.outcome === undefined && record.method !== 'initialize') {
      opening.crowded = true;
      return;
    }
    const waitedMs = record.t - (first.replyT ?? first.t);
    if (opening.over || waitedMs > longestReactionMs) return;
    if (record.method === 'initialize' && first.outcome !== 'result') opening.fellBack = true;
    opening.next ??= { record, waitedMs };
    if (record.session === opening.session && isSwitch(opening, record)) opening.switches.push(record);
  }

  return {
    trace(event) {
      if (event.kind === 'exit' && event.from === 'client') for (const one of open()) one.over = true;
      return undefined;
    },
    request(record) {
      if (record.from !== 'client') return undefined;
      const earlier = before(record);
      if (earlier !== undefined) follow(earlier, record);
      if (known.has(record.session)) return undefined;
      const opening =
        typeof declaredVersionOf(record.message) === 'string' ? newOpening(record, discovered) : undefined;
      known.set(record.session, opening);
      return undefined;
    },
    answered(record) {
      if (record.method === 'server/discover' && record.outcome === 'result') discovered = true;
      return undefined;
    },
    sessionOver(session) {
      const opening = known.get(session);
      known.delete(session);
      if (opening === undefined) return undefined;
      const others = [...past, ...open().map(pastOf)];
      if (past.length < keptOpenings) past.push(pastOf(opening));
      return { subjects: [subjectOf(opening, others)] };
    },
  };
}

function newOpening(first: RpcRecord, discoveredBefore: boolean): Opening {
  return {
    session: first.session,
    first,
    client: clientOf(first),
    crowded: false,
    discoveredBefore,
    fellBack: false,
    switches: [],
    over: false,
  };
}

/** The part that later connections are compared with. */
interface Past {
  client: string | undefined;
  kind: string;
  fellBack: boolean;
  events: readonly number[];
}

function pastOf({ client, first, fellBack, next }: Opening): Past {
  return { client, kind: kindOf(first), fellBack, events: [first.seq, next?.record.seq ?? first.seq] };
}

function subjectOf(opening: Opening, all: readonly Past[]): Subject {
  const { session, first, next, crowded, fellBack, discoveredBefore, switches } = opening;
  const outcome = outcomeOf(first);
  const status = (first.replyHttp ?? first.http)?.status;
  const error = asObject(asObject(first.reply)?.error);
  const listed = asObject(error?.data)?.supported;
  const supported = Array.isArray(listed) ? listed.filter((one) => typeof one === 'string') : undefined;
  const others = all.filter((one) => one.fellBack && one.client === opening.client && one.kind !== kindOf(first));
  return {
    kind: 'opening',
    session,
    events: [
      ...first.events,
      ...(next === undefined ? [] : [next.record.seq]),
      ...switches.slice(0, 5).map(({ seq }) => seq),
      ...others.slice(0, 3).flatMap((one) => one.events),
    ],
    facts: {
      method: first.method,
      outcome,
      refusal: {
        ...(error === undefined ? {} : { code: error.code }),
        ...(status === undefined ? {} : { status }),
        ...(supported === undefined ? {} : { supported, supportsEra: supported.some(isOfEra) }),
      },
      ...(next === undefined || crowded
        ? {}
        : {
            next: { method: next.record.method, version: versionOf(next.record), waitedMs: Math.round(next.waitedMs) },
          }),
      fellBack,
      fellBackElsewhere: others.length,
      context: { discoveredBefore, switches: switches.map(({ method }) => method) },
    },
  };
}

/** Distinguishes refusals. */
function kindOf(first: RpcRecord): string {
  const code: unknown = asObject(asObject(first.reply)?.error)?.code;
  return canonical([outcomeOf(first), code ?? null, (first.replyHttp ?? first.http)?.status ?? null]);
}

function outcomeOf({ outcome, reply }: RpcRecord): string {
  if (outcome === 'result') return 'result';
  const error = asObject(asObject(reply)?.error);
  if (error === undefined) return outcome === 'http-error' ? 'http-error' : 'none';
  const code = asNumber(error.code);
  return code === -32022 ? 'unsupported' : modernErrors.has(code) ? 'modern-error' : 'other-error';
}

function versionOf({ method, message }: RpcRecord): unknown {
  return method === 'initialize' ? paramsOf(message)?.protocolVersion : declaredVersionOf(message);
}

/** True for initialize once the server had shown that it speaks the revision of the first request. */
function isSwitch({ first }: Opening, record: RpcRecord): boolean {
  const result = first.outcome === 'result' ? asObject(asObject(first.reply)?.result) : undefined;
  const versions = result?.supportedVersions;
  const isServed = !Array.isArray(versions) || versions.includes(declaredVersionOf(first.message));
  return record.method === 'initialize' && result !== undefined && isServed;
}

function isOfEra(version: string): boolean {
  return isKnownRevision(version) ? eraOf(version) === 'stateless' : version > '2026';
}

/** Name and version of the client that a request is from. */
function clientOf({ method, message }: RpcRecord): string | undefined {
  const info = method === 'initialize' ? paramsOf(message)?.clientInfo : metaOf(message)?.[clientInfoKey];
  return isObject(info) ? canonical([info.name ?? null, info.version ?? null]) : undefined;
}
