/** Record of an HTTP reply without an event stream: its head, and the message in its body. Pure; it reads no reply. */
import type { EventInput, HeaderMap } from '../../../core/model/trace.ts';
import { bytesPayload, decodeUtf8, textPayload, type JsonLimits, type Payload } from '../../../core/trace/payload.ts';
import { excerpt } from '../network/http-body.ts';
import { isJsonType, mediaType } from '../network/http-headers.ts';
import { createSseReader } from './sse-reader.ts';

export type ReplyEvent = Omit<EventInput, 'session' | 'exchange'>;

export interface ReplyHead {
  status: number;
  headers: HeaderMap;
  /** Version of HTTP, where it is not 1.1. */
  version?: '2';
  /** Names of headers in letters of an unusual case. */
  spelled?: readonly string[];
  /** Places in it that a proxy changed, with the value on the server's side. */
  rewritten?: Record<string, string>;
}

/** The events of a reply whose body was read to its end. */
export function wholeReply(
  reply: ReplyHead,
  body: Buffer,
  json: JsonLimits,
): { head: ReplyEvent; message?: ReplyEvent } {
  const payload = isJsonType(mediaType(reply.headers))
    ? bytesPayload(body, json, { skipByteOrderMark: true })
    : undefined;
  const read = payload === undefined ? messageIn(body, json) : undefined;
  // A body of spaces is a body (bodyBytes shows it), but not an attempted message.
  const own =
    payload === undefined || (payload.kind === 'unparsable' && payload.raw?.trim() === '') ? undefined : payload;
  const follows = read ?? own;
  // A missing `body` announces the payload event that follows.
  const head: ReplyEvent = {
    from: 'server',
    kind: 'http-response',
    http: { ...reply, bodyBytes: body.length, ...(follows ? {} : excerpt(body)) },
  };
  return follows ? { head, message: { from: 'server', ...follows } } : { head };
}

/** The response in a body that says to be something else, and so breaks the form of the transport. */
function messageIn(body: Buffer, json: JsonLimits): (Payload & Pick<EventInput, 'readAs'>) | undefined {
  if (!body.includes('"jsonrpc"')) return undefined;
  const whole = bytesPayload(body, json, { skipByteOrderMark: true });
  if (whole.kind === 'message')
    return holdsJsonRpc(whole.message) ? { ...whole, raw: whole.raw ?? body.toString(), readAs: 'body' } : undefined;
  let found: ReturnType<typeof messageIn>;
  const reader = createSseReader({
    maxEventBytes: body.length,
    onBlock({ data }) {
      const payload = found !== undefined || data === undefined ? undefined : textPayload(data, json);
      if (payload?.kind === 'message' && holdsJsonRpc(payload.message) && !('method' in (payload.message as object)))
        found = { ...payload, raw: decodeUtf8(body).text, readAs: 'event' };
    },
    onOversize: () => {},
  });
  reader.push(body);
  reader.end();
  return found;
}

function holdsJsonRpc(value: unknown): boolean {
  return Array.isArray(value)
    ? value.some(holdsJsonRpc)
    : typeof value === 'object' && value !== null && Object.hasOwn(value, 'jsonrpc');
}

/** The event of a reply with only the start of its body. */
export function cutReply(reply: ReplyHead, start: Buffer): ReplyEvent {
  return { from: 'server', kind: 'http-response', http: { ...reply, ...excerpt(start) } };
}
