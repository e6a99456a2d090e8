/** Takes in what happens on one event stream. */
import { asObject, asText } from '../../model/json.ts';
import type { TraceEvent } from '../../model/trace.ts';
import { isIdType, isResponse, typedKey, type RpcItem } from '../values/rpc.ts';
import type { StreamState } from './http-state.ts';

export function createStream(openSeq: number, resumes: boolean): StreamState {
  return {
    openSeq,
    resumes,
    eventCount: 0,
    sawId: false,
    sawRetry: false,
    responses: 0,
    responseIds: new Set(),
    requests: 0,
    badData: [],
    overdue: false,
  };
}

/** Takes in an event of the stream, with the messages that it carried. */
export function observeStreamEvent(stream: StreamState, event: TraceEvent, items: RpcItem[]): void {
  if (event.kind === 'timeout') {
    stream.overdue = true;
    return;
  }
  const sse = event.sse ?? {};
  if (sse.retry !== undefined) stream.sawRetry = true;
  // A block of nothing but a retry time sets that time, and is no event to a reader of the stream.
  if (items.length === 0 && sse.id === undefined && sse.event === undefined && sse.data === undefined) return;
  stream.eventCount += 1;
  if (sse.id !== undefined && sse.id !== '') stream.sawId = true;
  if (sse.event === 'endpoint' && stream.endpoint === undefined) {
    stream.endpoint = sse.data ?? '';
    stream.endpointSeq = event.seq;
  }
  const data = items.length > 0 ? 'message' : sse.data;
  stream.first ??= {
    hasId: sse.id !== undefined && sse.id !== '',
    hasData: data !== undefined && data !== '',
    event: sse.event ?? 'message',
    data: sse.data,
  };
  if (items.length === 0 && (sse.event ?? 'message') === 'message' && sse.data !== undefined && sse.data.trim() !== '')
    observeStreamText(stream, sse.data);
  for (const item of items) observeStreamItem(stream, item);
}

const keptBadData = 10;

/** Notes data of an event that is no JSON. */
export function observeStreamText(stream: StreamState, raw: string): void {
  if (stream.badData.length < keptBadData) stream.badData.push(`text that is no JSON (${raw.slice(0, 80)})`);
}

/**
 * Records a message that an event of the reply to a request must not carry: one of several in an array, JSON that is
 * not a message, or the response to something else.
 * @param rpcIds ids of the posted requests
 */
export function observeStreamMisfit(
  stream: StreamState,
  { inBatch, shape, message }: RpcItem,
  rpcIds: readonly unknown[],
): void {
  if (stream.badData.length >= keptBadData) return;
  const id = isResponse(shape) ? asObject(message)?.id : undefined;
  const foreign = isIdType(id) && rpcIds.length > 0 && !rpcIds.some((one) => asText(one) === asText(id));
  if (inBatch) stream.badData.push('several messages in an array');
  else if (shape === 'invalid') stream.badData.push('JSON that is no message');
  else if (foreign) stream.badData.push(`a response with the id ${JSON.stringify(id).slice(0, 80)}`);
}

function observeStreamItem(stream: StreamState, item: RpcItem): void {
  if (isResponse(item.shape)) {
    stream.responses += 1;
    if (stream.responseIds.size < 1000) stream.responseIds.add(typedKey(asObject(item.message)?.id));
    return;
  }
  if (item.shape === 'request') stream.requests += 1;
}
