/** Makes the `session` subject: one connection seen as a whole, once it is over. */
import type { Subject } from '../core/subject.ts';
import { sessionFacts, type SessionState } from './session-state.ts';

/** Pings in a row whose time shows how densely a server pings. */
const burst = 10;

/** Server requests that need a capability of the client (2025-11-25: lifecycle, capability negotiation). */
const clientCapabilityOf: Record<string, string> = {
  'roots/list': 'roots',
  'sampling/createMessage': 'sampling',
  'elicitation/create': 'elicitation',
};

export interface EventIds {
  /** By id, what the event carried. */
  seen: Map<string, string>;
  repeated: { id: string; seq: number }[];
  /** Distinct streams on which ids were seen. */
  streams: Set<string>;
}

export function sessionSubject(session: SessionState, eventIds: EventIds | undefined, maxOpenStreams: number): Subject {
  const early = session.serverRequests.filter((request) => request.phase !== 'operating' && request.phase !== 'closing');
  const undeclared = session.serverRequests.filter((request) => {
    const capability = clientCapabilityOf[String(request.method)];
    return capability !== undefined && !(capability in (session.clientCapabilities ?? {}));
  });
  const pingTimes = session.serverRequests.filter((request) => request.method === 'ping').map((request) => request.t);
  return {
    kind: 'session',
    session,
    events: [
      ...session.handshake,
      ...session.ending,
      ...early.slice(0, 10).map((request) => request.seq),
      ...undeclared.slice(0, 10).map((request) => request.seq),
      ...(eventIds?.repeated ?? []).slice(0, 10).map((repeat) => repeat.seq),
    ],
    facts: {
      ...sessionFacts(session),
      handshakeDone: session.initializeResult !== undefined,
      beforeInitialize: session.beforeInitialize,
      answersBeforeInitialized: session.answersBeforeInitialized,
      earlyRequests: early.map((request) => request.method).filter((method) => method !== 'ping'),
      undeclaredUses: undeclared.map((request) => request.method),
      serverRequestCount: session.serverRequestCount,
      serverPings: pingTimes.length,
      pingBurstMs: shortestSpan(pingTimes),
      eventIdCount: eventIds?.seen.size ?? 0,
      eventIdStreams: eventIds?.streams.size ?? 0,
      repeatedEventIds: (eventIds?.repeated ?? []).map((repeat) => repeat.id),
      maxOpenStreams,
      stdinClosed: session.stdinClosed,
      exitOverdue: session.exitOverdue,
      exit: session.exit,
    },
  };
}

function shortestSpan(times: readonly number[]): number | undefined {
  if (times.length < burst) return undefined;
  let shortest = Number.POSITIVE_INFINITY;
  for (let last = burst - 1; last < times.length; last += 1) {
    shortest = Math.min(shortest, times[last]! - times[last - burst + 1]!);
  }
  return shortest;
}
