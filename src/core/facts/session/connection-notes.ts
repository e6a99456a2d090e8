/**
 * Data for placing messages on a connection: known event ids, connected streams, server requests on several streams. A
 * fold over the events of one connection.
 */
import { BoundedMap } from '../../model/bounded.ts';
import { asObject, isObject } from '../../model/json.ts';
import type { TraceEvent } from '../../model/trace.ts';
import { storeOf } from '../state/store.ts';
import { typedKey, type IdKey, type RpcItem } from '../values/rpc.ts';
import type { HttpState } from '../http/http-state.ts';
import type { SessionState } from '../state/session-state.ts';

const keptIds = 100_000;

interface EventIds {
  /** By id, what the event carried. */
  seen: Map<string, string>;
  repeated: { id: string; seq: number }[];
}

export interface ConnectionNotes {
  eventIds: EventIds;
  openStreams: Set<string>;
  /** By typed id: the content of a server request and the exchange that brought it. */
  serverRequests: Map<IdKey, { content: string; exchange: string | undefined }>;
  /** The client has sent something that no server can read as a JSON-RPC message, or a request with an id of a wrong type. */
  afterUnparseableInput: boolean;
}

export const notesOf = storeOf<ConnectionNotes>(() => ({
  eventIds: { seen: new BoundedMap(keptIds), repeated: [] },
  openStreams: new Set(),
  serverRequests: new BoundedMap(keptIds),
  afterUnparseableInput: false,
}));

/** Identifies an event in little memory. */
function contentOf(event: TraceEvent): string {
  const text = event.kind === 'message' ? JSON.stringify(event.message) : (event.sse?.data ?? '');
  return `${text.length} ${text.slice(0, 120)} ${text.slice(-60)}`;
}

/**
 * Takes in the event's SSE id and stream. True when the event came before: the same id with the same content,
 * or an id seen before on a stream that resumes another one. The same id on something else is a repetition.
 */
export function noteStreamEvent(notes: ConnectionNotes, event: TraceEvent, exchange: HttpState | undefined): boolean {
  if (event.exchange !== undefined) {
    if (event.kind === 'sse-open') notes.openStreams.add(event.exchange);
    if (event.kind === 'sse-close' || event.kind === 'closed') notes.openStreams.delete(event.exchange);
  }
  const id = event.sse?.id;
  if (event.from !== 'server' || id === undefined || id === '') return false;
  const { seen, repeated } = notes.eventIds;
  const content = contentOf(event);
  const before = seen.get(id);
  if (before === undefined) {
    seen.set(id, content);
    return false;
  }
  if (before === content || exchange?.stream?.resumes) return true;
  if (repeated.length < 100) repeated.push({ id, seq: event.seq });
  return false;
}

/** True when the server had sent the same request, id and all, on another stream of the session. */
export function noteServerRequest(notes: ConnectionNotes, item: RpcItem): boolean {
  if (item.from !== 'server' || item.shape !== 'request') return false;
  const key = typedKey(asObject(item.message)?.id);
  const content = isObject(item.message) ? JSON.stringify(item.message) : '';
  const earlier = notes.serverRequests.get(key);
  if (!earlier) notes.serverRequests.set(key, { content, exchange: item.event.exchange });
  return earlier !== undefined && earlier.content === content && earlier.exchange !== item.event.exchange;
}

function isGiven(id: unknown): boolean {
  return id !== undefined;
}

/**
 * True if received JSON is meant as JSON-RPC. Everything on stdio and on event streams is. A body with an HTTP error
 * status, with 202, or for notifications and responses only, counts only if it says so itself: gateways and OAuth
 * servers answer with their own JSON. Rules about the status judge bodies in the wrong place.
 */
export function isMeantAsMessage(item: RpcItem, session: SessionState, exchange: HttpState | undefined): boolean {
  if (item.from !== 'server' || session.transport === 'stdio' || !exchange || exchange.stream) return true;
  if (asObject(item.message)?.jsonrpc === '2.0') return true;
  if (session.transport === 'sse') return false;
  const { carries, method, rpcIds, status } = exchange;
  const asked = method === 'POST' && (carries === 'request' || (carries === 'batch' && rpcIds.some(isGiven)));
  return asked && status !== undefined && status < 300 && status !== 202;
}
