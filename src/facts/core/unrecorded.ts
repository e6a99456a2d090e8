/**
 * Which facts a trace cannot tell, because what they rest on was not recorded (imported captures). A rule that
 * asks for such a fact leaves the subject undecided, so a gap in a capture makes no rule fail or pass.
 */
import type { SubjectKind } from '../../model/subject-kind.ts';
import type { Recorded, TransportKind } from '../../model/trace.ts';
import { needsOf, sessionNeeds, type Part } from './fact-needs.ts';
import { factTable, sessionFactTable } from './fact-table.ts';
import type { MethodTable, Subject } from './subject.ts';

/** Thrown by readers of facts that the trace does not tell; whoever judges takes it as: undecided. */
class NotRecordedError extends Error {
  constructor() {
    super('a fact was asked for that was not recorded');
    this.name = 'NotRecordedError';
  }
}

/** One for all: it is thrown for nearly every subject of a capture, and a stack would cost far more than judging. */
export const notRecorded = new NotRecordedError();

/** Outcomes that a capture cannot tell from its own end or its own gaps. */
const doubtfulOutcomes: unknown[] = ['missing', 'timeout', 'closed', 'unanswered'];

export interface Unrecorded {
  /** Gives the subject the names of its hidden facts; undefined when nothing can be told of it at all. */
  hide(subject: Subject): Subject | undefined;
}

/** @returns undefined for a trace in which everything was recorded */
export function createUnrecorded(recorded: Recorded | undefined, transport: TransportKind, methods: MethodTable): Unrecorded | undefined {
  if (recorded === undefined) return undefined;
  const none = recorded.transport && transport === 'stdio';
  // Where there were no exchanges, none can be missing.
  const told: Recorded = none ? { ...recorded, exchanges: true, streams: true } : recorded;
  const gaps = (Object.keys(told) as Part[]).filter((part) => !told[part]);
  if (gaps.length === 0) return undefined;
  const lacking = (parts: readonly Part[] | undefined): boolean => parts === undefined || parts.some((part) => gaps.includes(part));
  const ofSession = Object.keys(sessionFactTable).filter((name) => lacking(sessionNeeds.get(name)));
  const fixed = new Map<SubjectKind, { hidden: ReadonlySet<string>; all: boolean }>();
  /** What is hidden with the doubtful facts, by kind and those: nearly every subject of a capture has some, and few sorts of them. */
  const widened = new Map<string, ReadonlySet<string>>();

  function fixedFor(kind: SubjectKind): { hidden: ReadonlySet<string>; all: boolean } {
    let found = fixed.get(kind);
    if (!found) {
      const names = Object.keys(factTable[kind].facts);
      const needs = needsOf(kind);
      const own = names.filter((name) => lacking(needs.get(name)));
      found = { hidden: new Set([...own.map((name) => `subject.${name}`), ...ofSession.map((name) => `session.${name}`)]), all: own.length === names.length };
      fixed.set(kind, found);
    }
    return found;
  }

  function widen(kind: SubjectKind, hidden: ReadonlySet<string>, names: readonly string[]): ReadonlySet<string> {
    const key = `${kind} ${names.join(' ')}`;
    let found = widened.get(key);
    if (!found) widened.set(key, (found = new Set([...hidden, ...names.map((name) => `subject.${name}`)])));
    return found;
  }

  return {
    hide(subject) {
      const { hidden, all } = fixedFor(subject.kind);
      if (all) return undefined;
      const doubts = doubtful(subject, told, methods);
      const here = subject.hidden === undefined ? doubts : [...doubts, ...[...subject.hidden].map((name) => name.slice('subject.'.length))];
      subject.hidden = here.length === 0 ? hidden : widen(subject.kind, hidden, here);
      return subject;
    },
  };
}

/** Facts whose value, as it happens to be, may come from a gap. */
function doubtful({ kind, facts }: Subject, recorded: Recorded, methods: MethodTable): readonly string[] {
  if (kind === 'group') return recorded.order ? [] : Object.keys(facts).filter((name) => name.startsWith('values.'));
  // That nothing followed may be a gap of the capture.
  if (kind === 'pair') return facts['then'] !== undefined || (recorded.start && recorded.direction && recorded.order) ? [] : ['then', 'ended', 'elapsedMs', 'between'];
  if (kind !== 'message' && kind !== 'exchange' && kind !== 'aftermath' && kind !== 'question' && kind !== 'http') return [];
  const names: string[] = [];
  const wholeOrder = recorded.start && recorded.direction && recorded.order;
  if (kind === 'message') {
    const { replyState, tokenState, cancels, method } = facts;
    if (!wholeOrder) {
      if (replyState !== undefined && replyState !== 'matched' && replyState !== 'duplicate') names.push('replyState');
      if (tokenState !== undefined && tokenState !== 'active') names.push('tokenState');
      if (cancels !== undefined && cancels !== 'active') names.push('cancels');
    }
    // Without statuses a refused POST looks like a response to nothing.
    if ((!recorded.exchanges || !recorded.bytes) && replyState === 'null') names.push('replyState');
    if (!recorded.direction && facts['idReused'] === true && (typeof method !== 'string' || methods[method]?.from !== 'server')) names.push('idReused');
  }
  if (facts['afterUnreadable'] === false && !recorded.bytes) names.push('afterUnreadable');
  if (kind === 'exchange' || kind === 'aftermath' || kind === 'question') {
    if (doubtfulOutcomes.includes(facts['outcome'])) names.push('outcome', 'answered', 'result', 'error', 'errorCode', 'reply', 'replies');
    if (!wholeOrder && facts['cursorState'] === 'unknown') names.push('cursorState');
    if (!wholeOrder && facts['listed'] === undefined) names.push('listed');
    if (!recorded.direction && Number(facts['replies'] ?? 0) > 1) names.push('replies');
  }
  if (kind === 'aftermath') {
    if (facts['aliveAfter'] === false) names.push('aliveAfter');
    if (Number(facts['failedAfter'] ?? 0) > 0) names.push('failedAfter');
    if ((!wholeOrder || !recorded.exchanges || !recorded.bytes) && Number(facts['orphanCount'] ?? 0) > 0) names.push('orphans', 'orphanCount');
    if (!wholeOrder && facts['cancels'] !== undefined && facts['cancels'] !== 'active') names.push('cancels');
  }
  if (kind === 'http' && facts['bodyBytes'] === undefined) names.push('bodyBytes');
  return names;
}
