/** Start-up time of a target, from the recording. Values only. */
import type { TraceEvent } from '../../core/model/trace.ts';
import { asText } from '../../core/model/json.ts';

const handshakes = new Set(['initialize', 'server/discover']);

/**
 * Milliseconds from the start of the process, or from the first request to a running server, to its first handshake
 * answer, as an integer; undefined without one.
 */
export function startUpOf(events: Iterable<TraceEvent>): number | undefined {
  /** Of each connection: when it began, and the ids of its handshakes. */
  const sessions = new Map<string, { began: number; ids: Set<string> }>();
  /** When the first process was started, for a server that mcpc starts and reaches by an address. */
  let spawned: number | undefined;
  for (const { session, kind, t, from, message } of events) {
    if (kind === 'spawn') spawned ??= t;
    if (kind !== 'spawn' && kind !== 'http-request' && kind !== 'message') continue;
    const one = sessions.get(session) ?? { began: t, ids: new Set<string>() };
    sessions.set(session, one);
    if (typeof message !== 'object' || message === null || !('id' in message)) continue;
    const id = JSON.stringify(message.id);
    if (from === 'client' && 'method' in message && handshakes.has(asText(message.method))) one.ids.add(id);
    if (from === 'server' && !('method' in message) && one.ids.has(id))
      return Math.round(t - (sessions.has('serve') ? (spawned ?? one.began) : one.began));
  }
  return undefined;
}
