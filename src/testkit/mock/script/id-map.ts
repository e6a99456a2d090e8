/**
 * Translates the ids, progress tokens, task ids and versions of a script to those of the live client. What the script
 * does not know stays unknown to the client as well. It sends nothing.
 */
import { isRecord, type Json } from '../json.ts';

const subscriptionKey = 'io.modelcontextprotocol/subscriptionId';
/** Keeps ids that no request has apart from the small numbers that clients count with. */
const apart = 900_000;

export interface IdMap {
  learnId(scripted: unknown, live: unknown): void;
  learnToken(scripted: unknown, live: unknown): void;
  /** Id of a task that the client made. */
  learnTask(scripted: unknown, live: unknown): void;
  /** Versions that an initialize asks for: an answer that agrees to the scripted one agrees to the live one. */
  learnVersion(scripted: unknown, live: unknown): void;
  knowsId(scripted: unknown): boolean;
  /** The live id; of the other JSON type when the script changed the type; unknown ones stay unknown. */
  liveId(scripted: unknown): unknown;
  /** A message of the script as it has to go to the live client. */
  toLive(message: unknown): unknown;
}

/** @param ownIds ids of the requests that the script lets the server send; they go as they stand */
export function createIdMap(ownIds: ReadonlySet<unknown>): IdMap {
  const ids = new Map<unknown, unknown>();
  const tokens = new Map<unknown, unknown>();
  const versions = new Map<unknown, unknown>();
  const tasks = new Map<unknown, unknown>();

  function translate(known: Map<unknown, unknown>, scripted: unknown): unknown {
    if (known.has(scripted)) return known.get(scripted);
    const twin =
      typeof scripted === 'string' ? Number(scripted) : typeof scripted === 'number' ? String(scripted) : undefined;
    if (twin !== undefined && known.has(twin)) {
      const live = known.get(twin);
      if (typeof live === 'number') return String(live);
      if (typeof live === 'string' && live.trim() !== '' && Number.isFinite(Number(live))) return Number(live);
    }
    const small = typeof scripted === 'number' && Number.isInteger(scripted) && scripted >= 0 && scripted < apart;
    return small ? scripted + apart : scripted;
  }

  function one(message: unknown): unknown {
    if (!isRecord(message)) return message;
    const mapped: Json = { ...message };
    if (!('method' in message)) {
      if ('id' in message) mapped.id = translate(ids, message.id);
      if (isRecord(message.result)) mapped.result = within(message.result);
      return mapped;
    }
    if (!isRecord(message.params)) return mapped;
    const params = within(message.params);
    if (message.method === 'notifications/progress' && 'progressToken' in params)
      params.progressToken = translate(tokens, params.progressToken);
    if (message.method === 'notifications/cancelled' && 'requestId' in params && !ownIds.has(params.requestId)) {
      params.requestId = translate(ids, params.requestId);
    }
    if (tasks.has(params.taskId)) params.taskId = tasks.get(params.taskId);
    mapped.params = params;
    return mapped;
  }

  function within(holder: Json): Json {
    const version = versions.has(holder.protocolVersion)
      ? { protocolVersion: versions.get(holder.protocolVersion) }
      : {};
    const meta = holder._meta;
    if (!isRecord(meta) || !(subscriptionKey in meta)) return { ...holder, ...version };
    return { ...holder, ...version, _meta: { ...meta, [subscriptionKey]: translate(ids, meta[subscriptionKey]) } };
  }

  return {
    learnId: (scripted, live) => void ids.set(scripted, live),
    learnVersion: (scripted, live) => void versions.set(scripted, live),
    learnToken: (scripted, live) => void tokens.set(scripted, live),
    learnTask: (scripted, live) => void tasks.set(scripted, live),
    knowsId: (scripted) => ids.has(scripted),
    liveId: (scripted) => translate(ids, scripted),
    toLive: (message) => (Array.isArray(message) ? message.map(one) : one(message)),
  };
}
