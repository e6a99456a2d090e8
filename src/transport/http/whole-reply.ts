/**
 * What is recorded of an HTTP reply that is no event stream: its head, and the message in its body. Pure; it reads
 * no reply.
 */
import type { EventInput, HeaderMap } from '../../model/trace.ts';
import { bytesPayload, type JsonLimits } from '../../trace/payload.ts';
import { excerpt } from './http-body.ts';
import { isJsonType, mediaType } from './http-headers.ts';

export type ReplyEvent = Omit<EventInput, 'session' | 'exchange'>;

export interface ReplyHead {
  status: number;
  headers: HeaderMap;
  /** Version of HTTP, where it is not 1.1. */
  version?: '2';
}

/** The events of a reply whose body was read to its end. */
export function wholeReply(reply: ReplyHead, body: Buffer, json: JsonLimits): { head: ReplyEvent; message?: ReplyEvent } {
  const payload = isJsonType(mediaType(reply.headers)) ? bytesPayload(body, json, { skipByteOrderMark: true }) : undefined;
  // A body of blanks is a body (bodyBytes tells), but nobody tried to put a message there.
  const follows = payload !== undefined && !(payload.kind === 'unparsable' && payload.raw?.trim() === '');
  // Whoever reads the trace knows by a missing `body` that a payload event follows.
  const head: ReplyEvent = { from: 'server', kind: 'http-response', http: { ...reply, bodyBytes: body.length, ...(follows ? {} : excerpt(body)) } };
  return follows ? { head, message: { from: 'server', ...payload } } : { head };
}

/** The event of a reply of whose body only the start is known. */
export function cutReply(reply: ReplyHead, start: Buffer): ReplyEvent {
  return { from: 'server', kind: 'http-response', http: { ...reply, ...excerpt(start) } };
}
