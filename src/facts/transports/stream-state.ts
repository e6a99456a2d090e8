/** What is known of one event stream, and the `stream` subject made of it. */
import { asObject } from '../../model/json.ts';
import type { TraceEvent } from '../../model/trace.ts';
import type { Subject } from '../core/subject.ts';
import { isResponse, typedKey, type RpcItem } from '../jsonrpc/rpc.ts';
import { header } from './header.ts';
import type { StreamState, HttpState } from './http-state.ts';

export function createStream(openSeq: number, resumes: boolean): StreamState {
  return {
    openSeq,
    resumes,
    eventCount: 0,
    sawId: false,
    sawRetry: false,
    oddNames: [],
    responses: 0,
    responseIds: new Set(),
    requests: 0,
    notifications: 0,
    afterResponse: 0,
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
  if (items.length > 0 && (sse.event ?? 'message') !== 'message') stream.oddNames.push(sse.event!);
  for (const item of items) observeStreamItem(stream, item);
}

function observeStreamItem(stream: StreamState, item: RpcItem): void {
  if (isResponse(item.shape)) {
    stream.responses += 1;
    if (stream.responseIds.size < 1000) stream.responseIds.add(typedKey(asObject(item.message)?.id));
    return;
  }
  if (stream.responses > 0) stream.afterResponse += 1;
  if (item.shape === 'request') stream.requests += 1;
  if (item.shape === 'notification') stream.notifications += 1;
}

export function streamSubject(http: HttpState, stream: StreamState): Subject {
  const awaitedIds = http.method === 'POST' ? http.rpcIds.filter((id) => id !== undefined) : [];
  const answered = awaitedIds.length > 0 && awaitedIds.every((id) => stream.responseIds.has(typedKey(id)));
  return {
    kind: 'stream',
    session: http.session,
    events: http.events,
    facts: {
      method: http.method,
      rpcMethod: http.rpcMethod,
      resumes: stream.resumes,
      versionHeader: header(http.requestHeaders, 'mcp-protocol-version'),
      eventCount: stream.eventCount,
      firstEvent: stream.first,
      firstEventName: stream.first?.event,
      sawId: stream.sawId,
      sawRetry: stream.sawRetry,
      endpoint: stream.endpoint,
      cancelled: http.cancelled === true,
      resumedMethod: http.resumed?.method,
      resumedClosedBy: http.resumed?.stream?.closedBy,
      resumedSawRetry: http.resumed?.stream?.sawRetry,
      oddNames: stream.oddNames,
      responses: stream.responses,
      requests: stream.requests,
      notifications: stream.notifications,
      answered: awaitedIds.length > 0 ? answered : undefined,
      messagesAfterResponse: stream.afterResponse,
      closedBy: stream.closedBy ?? 'open',
      overdue: stream.overdue,
    },
  };
}
