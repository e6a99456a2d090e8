/** Record of a request and its reply that went past the MCP connection, as the trace has what passes a proxy. Pure. */
import type { EventInput, HeaderMap, Party } from '../../../core/model/trace.ts';
import { bytesPayload } from '../../../core/trace/payload.ts';
import { defaultTransportLimits } from '../limits.ts';
import { wholeReply } from './whole-reply.ts';

export interface PassedExchange {
  request: {
    method: string;
    origin: string;
    path: string;
    headers: Readonly<Record<string, string | string[] | undefined>>;
    body: string;
  };
  reply: { status: number; headers: HeaderMap; body: string | Buffer };
}

/**
 * @param where the connection of the events, and the name of the exchange
 * @param asker the side that asks; the other one replies
 */
export function passedExchange(
  { reply, request: { body: posted, headers: given, ...target } }: PassedExchange,
  where: { session: string; exchange: string },
  asker: 'client' | 'server' = 'client',
): EventInput[] {
  const headers: HeaderMap = {};
  for (const [name, value] of Object.entries(given)) if (value !== undefined) headers[name] = value;
  const { json } = defaultTransportLimits;
  const body = typeof reply.body === 'string' ? Buffer.from(reply.body) : reply.body;
  const { head, message } = wholeReply({ status: reply.status, headers: reply.headers }, body, json);
  const sent = posted === '' ? [] : [bytesPayload(Buffer.from(posted), json)];
  const from: Party = asker === 'client' ? 'server' : 'client';
  return [
    { ...where, from: asker, kind: 'http-request', http: { ...target, headers } },
    ...sent.map((payload) => ({ ...where, from: asker, ...payload })),
    { ...where, ...head, from },
    ...(message === undefined ? [] : [{ ...where, ...message, from }]),
  ];
}
