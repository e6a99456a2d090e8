/** Exchanges of the client with servers of ours beside the endpoint, as the trace has what passes the proxy. */
import { wholeReply } from '../../client/transport/http/whole-reply.ts';
import { defaultTransportLimits } from '../../client/transport/limits.ts';
import type { EventInput, HeaderMap } from '../../core/model/trace.ts';
import { bytesPayload } from '../../core/trace/payload.ts';
import type { AuthExchange } from '../../server/authorization/exchange.ts';

/** @param where the connection of the events, and the name of the exchange */
export function eventsOf({ reply, request }: AuthExchange, where: { session: string; exchange: string }): EventInput[] {
  const { url } = request;
  const headers: HeaderMap = {};
  for (const [name, value] of Object.entries(request.headers)) if (value !== undefined) headers[name] = value;
  const { json } = defaultTransportLimits;
  const sent = request.body === '' ? undefined : bytesPayload(Buffer.from(request.body), json);
  const { head, message } = wholeReply({ status: reply.status, headers: reply.headers }, Buffer.from(reply.body), json);
  return [
    {
      ...where,
      from: 'client',
      kind: 'http-request',
      http: { method: request.method, origin: url.origin, path: `${url.pathname}${url.search}`, headers },
    },
    ...(sent === undefined ? [] : [{ ...where, from: 'client' as const, ...sent }]),
    { ...where, ...head },
    ...(message === undefined ? [] : [{ ...where, ...message }]),
  ];
}
