/**
 * Signs of overload from a server or an intermediary: HTTP statuses, and JSON-RPC errors for too many requests. A
 * server must limit how often its tools are called (2025-11-25: server/tools#security-considerations). MCP has no error
 * for that, so a retry time or words identify it. Values only.
 */
import { asObject } from '../json.ts';

const busy = new Set([429, 503]);
const outage = new Set([429, 502, 503, 504]);

/** Too many requests, or not available at the moment: the request may be sent once more later (RFC 9110, RFC 6585). */
export function isBusy(status: number): boolean {
  return busy.has(status);
}

/** The request did not reach the server, or was turned away unread, whatever the body says. */
export function isOutage(status: number): boolean {
  return outage.has(status);
}

/** A request was refused because there were too many. */
export interface RateLimit {
  /** When the server can be asked again, as far as it says: milliseconds from now. */
  retryAfterMs?: number;
}

/** These say what is wrong with the request itself, whatever their text. */
const aboutRequest: ReadonlySet<unknown> = new Set([-32700, -32601, -32602, -32002, -32042]);
const words = /\brate[ _-]?limit|\btoo many requests\b|\bthrottled\b/i;
/** A message says so at its beginning. */
const lookedAt = 500;

/**
 * @param method of the request. A tool's message is about its own work, which may be limited elsewhere: an error to
 * tools/call counts if it has a retry time.
 * @returns undefined for other errors
 */
export function rateLimitOf(error: unknown, method: unknown): RateLimit | undefined {
  const { code, message, data } = asObject(error) ?? {};
  if (
    aboutRequest.has(code) ||
    (code !== 429 && (typeof message !== 'string' || !words.test(message.slice(0, lookedAt))))
  )
    return undefined;
  const retryAfterMs = retryTimeOf(asObject(data) ?? {});
  if (retryAfterMs === undefined) return method === 'tools/call' ? undefined : {};
  return { retryAfterMs };
}

function retryTimeOf({
  retryAfter,
  retry_after: inSnakeCase,
  retryAfterMs,
  retry_after_ms: msInSnakeCase,
}: Record<string, unknown>): number | undefined {
  const [ms, seconds] = [retryAfterMs ?? msInSnakeCase, retryAfter ?? inSnakeCase].map((one) =>
    typeof one === 'number' && one >= 0 ? one : undefined,
  );
  return ms ?? (seconds === undefined ? undefined : seconds * 1000);
}
