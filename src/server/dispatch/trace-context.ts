/** Trace context of W3C in _meta (2026-07-28): a request that belongs to a trace gets an answer that belongs to it as well. */
import { randomBytes } from 'node:crypto';
import type { JsonObject } from '../protocol/json-rpc.ts';

const traceParent = /^00-((?!0{32})[0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-([0-9a-f]{2})$/;

/** Trace context in the _meta of an answer: the server's own span in the trace of the request; none without one. */
export function continuedTrace({ traceparent, tracestate }: JsonObject): JsonObject {
  const [, trace, flags] = (typeof traceparent === 'string' && traceParent.exec(traceparent)) || [];
  if (trace === undefined) return {};
  return {
    traceparent: `00-${trace}-${randomBytes(8).toString('hex')}-${flags}`,
    ...(typeof tracestate === 'string' ? { tracestate } : {}),
  };
}
