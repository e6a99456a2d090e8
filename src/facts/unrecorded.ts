/**
 * Which facts a trace cannot tell, because what they rest on was not recorded (imported captures). A rule that
 * asks for such a fact leaves the subject undecided, so a gap in a capture makes no rule fail or pass.
 */
import type { Recorded } from '../model/trace.ts';
import type { SubjectKind } from '../model/rule.ts';
import type { MethodTable, Subject } from './subject.ts';

/** Thrown by readers of facts; whoever judges takes it as: undecided. */
export class NotRecordedError extends Error {
  constructor(fact: string) {
    super(`${fact} was not recorded`);
    this.name = 'NotRecordedError';
  }
}

type Part = keyof Recorded;

/** Kinds of subjects that need a part as a whole. */
const kindNeeds: Partial<Record<SubjectKind, Part[]>> = {
  line: ['bytes'],
  http: ['exchanges'],
  stream: ['exchanges', 'streams'],
  target: ['start'],
};

/** Facts of subjects, without `subject.`, by the part that they need. */
const factNeeds: Partial<Record<Part, Partial<Record<SubjectKind, string[]>>>> = {
  transport: { message: ['via'], session: ['transport'] },
  bytes: {
    message: ['raw', 'utf8'],
    exchange: ['framing'],
    aftermath: ['raw', 'framing'],
    session: ['stdinClosed', 'exitOverdue', 'exit'],
    target: ['listening', 'starts', 'lostSessions'],
  },
  timing: { exchange: ['elapsedMs', 'sincePageMs'], aftermath: ['elapsedMs', 'sincePageMs'], session: ['pingBurstMs'] },
  exchanges: {
    message: ['via', 'eventName', 'httpStatus', 'postMethod', 'postCarries', 'openStreams', 'tokenStream', 'requestStream', 'resumedStream'],
    exchange: ['httpStatus', 'contentType', 'requestHeaders', 'sessionHeader', 'cutBy', 'resumedInVain'],
    aftermath: ['httpStatus', 'contentType', 'requestHeaders', 'sessionHeader', 'cutBy', 'resumedInVain', 'bodyBytes'],
    session: ['eventIdCount', 'eventIdStreams', 'repeatedEventIds', 'maxOpenStreams'],
    target: ['sessionIds', 'sessionIdCount', 'shortestSessionId'],
  },
  streams: {
    message: ['openStreams', 'tokenStream', 'requestStream', 'resumedStream', 'cancelsLate'],
    exchange: ['cutBy', 'resumedInVain', 'progressMixed'],
    aftermath: [
      'cutBy', 'resumedInVain', 'progressMixed', 'answeredAfterCancel', 'progressLate', 'repliedLate', 'progressAfterReply', 'progressAfterCancel',
      'repliedAfterCancel',
    ],
    session: ['eventIdStreams', 'repeatedEventIds', 'maxOpenStreams'],
  },
  start: {
    session: ['undeclaredUses', 'earlyRequests', 'answersBeforeInitialized', 'handshakeDone', 'statefulHandshake', 'serverRequestCount', 'serverPings'],
  },
};

/** Facts of the connection, without `session.`. */
const sessionNeeds: Partial<Record<Part, string[]>> = {
  transport: ['transport'],
  bytes: ['lost'],
  exchanges: ['hasSessionId', 'sessionId', 'deleted'],
  start: ['requestedVersion', 'clientCapabilities', 'serverCapabilities', 'serverInfo', 'handshakeResult', 'statefulHandshake'],
};

/** Outcomes that a capture cannot tell from its own end or its own gaps. */
const doubtfulOutcomes: unknown[] = ['missing', 'timeout', 'closed', 'unanswered'];

export interface Unrecorded {
  /** The subject with the names of its hidden facts; undefined when nothing can be told of it at all. */
  hide(subject: Subject): Subject | undefined;
}

/** @returns undefined for a trace in which everything was recorded */
export function createUnrecorded(recorded: Recorded | undefined, methods: MethodTable): Unrecorded | undefined {
  if (recorded === undefined) return undefined;
  const gaps = (Object.keys(recorded) as Part[]).filter((part) => !recorded[part]);
  if (gaps.length === 0) return undefined;
  const fixed = new Map<SubjectKind, ReadonlySet<string>>();

  function fixedFor(kind: SubjectKind): ReadonlySet<string> {
    let names = fixed.get(kind);
    if (!names) {
      const own = gaps.flatMap((gap) => factNeeds[gap]?.[kind] ?? []).map((name) => `subject.${name}`);
      const shared = gaps.flatMap((gap) => sessionNeeds[gap] ?? []);
      const told = shared.map((name) => `session.${name}`);
      // The session as a subject offers the facts of the connection by their bare names.
      names = new Set([...own, ...told, ...(kind === 'session' ? shared.map((name) => `subject.${name}`) : [])]);
      fixed.set(kind, names);
    }
    return names;
  }

  return {
    hide(subject) {
      if (kindNeeds[subject.kind]?.some((part) => gaps.includes(part))) return undefined;
      const always = fixedFor(subject.kind);
      const here = doubtful(subject, recorded, methods);
      return { ...subject, hidden: here.length === 0 ? always : new Set([...always, ...here.map((name) => `subject.${name}`)]) };
    },
  };
}

/** Facts whose value, as it happens to be, may come from a gap. */
function doubtful({ kind, facts }: Subject, recorded: Recorded, methods: MethodTable): string[] {
  const names: string[] = [];
  if (kind === 'message') {
    const { replyState, tokenState, cancels, method } = facts;
    if (!recorded.start || !recorded.direction) {
      if (replyState !== undefined && replyState !== 'matched' && replyState !== 'duplicate') names.push('replyState');
      if (tokenState !== undefined && tokenState !== 'active') names.push('tokenState');
      if (cancels === 'nothing') names.push('cancels');
    }
    // Without statuses a refused POST looks like a response to nothing.
    if (!recorded.exchanges && replyState === 'null') names.push('replyState');
    if (!recorded.direction && facts['idReused'] === true && (typeof method !== 'string' || methods[method]?.from !== 'server')) names.push('idReused');
  }
  if (kind === 'exchange' || kind === 'aftermath') {
    if (doubtfulOutcomes.includes(facts['outcome'])) names.push('outcome', 'answered', 'result', 'error', 'errorCode', 'reply', 'replies');
    if (!recorded.start && facts['cursorState'] === 'unknown') names.push('cursorState');
    if (!recorded.start && facts['listed'] === undefined) names.push('listed');
    if (!recorded.direction && Number(facts['replies'] ?? 0) > 1) names.push('replies');
  }
  if (kind === 'aftermath') {
    if (facts['aliveAfter'] === false) names.push('aliveAfter');
    if (Number(facts['failedAfter'] ?? 0) > 0) names.push('failedAfter');
    if ((!recorded.exchanges || !recorded.start || !recorded.direction) && Number(facts['orphanCount'] ?? 0) > 0) names.push('orphans', 'orphanCount');
    if (!recorded.start && facts['cancels'] === 'nothing') names.push('cancels');
  }
  if (kind === 'http' && facts['bodyBytes'] === undefined) names.push('bodyBytes');
  return names;
}
