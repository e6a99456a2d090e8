/** Takes in what happens on one event stream. */
import { asObject } from '../../model/json.ts';
import type { TraceEvent } from '../../model/trace.ts';
import { isResponse, typedKey, type RpcItem } from '../jsonrpc/rpc.ts';
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
  if (sse.event === 'endpoint') stream.endpoint ??= sse.data ?? '';
  const data = items.length > 0 ? 'message' : sse.data;
  stream.first ??= {
    hasId: sse.id !== undefined && sse.id !== '',
    hasData: data !== undefined && data !== '',
    event: sse.event ?? 'message',
    data: sse.data,
  };
  for (const item of items) observeStreamItem(stream, item);
}

function observeStreamItem(stream: StreamState, item: RpcItem): void {
  if (isResponse(item.shape)) {
    stream.responses += 1;
    if (stream.responseIds.size < 1000) stream.responseIds.add(typedKey(asObject(item.message)?.id));
    return;
  }
  if (item.shape === 'request') stream.requests += 1;
}
