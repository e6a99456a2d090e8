/**
 * Whom a crash is to be held against. A request before a lost connection, or before a silence, proves a fault only if
 * the server survives plain requests of the same kind. If it also fails on those, or without unusual input, it breaks
 * down by itself, and rules about the input stay undecided. The same holds if it answered the same fault on another
 * occasion. Holds such subjects back until the trace is over. It must not judge.
 */
import { BoundedMap, BoundedSet } from '../../../model/bounded.ts';
import type { TraceEvent } from '../../../model/trace.ts';
import { settled } from '../../core/reading.ts';
import type { Subject } from '../../state/subject.ts';
import type { SessionState } from '../../state/session-state.ts';
import type { RpcRecord } from '../../requests/rpc-record.ts';
import { methodOf, shapeOf, wordsOf } from '../../values/rpc.ts';

/** Subjects that are held back, and methods and connections that are remembered, at most. */
const kept = 1000;

export interface Crashes {
  /** True if a subject must wait until the trace is over; it is kept then. */
  holds(subject: Subject): boolean;
  /** Something that the client sent. */
  sent(event: TraceEvent): void;
  /** A request of the client got its outcome. */
  answered(record: RpcRecord): void;
  /** A connection is over. */
  endSession(session: SessionState): void;
  /** Waiting subjects with their final state. */
  end(): Subject[];
}

export function createCrashes(): Crashes {
  const held: Subject[] = [];
  /** Connections on which something other than plain requests was sent. */
  const stirred = new BoundedSet<string>(kept);
  /** Content of unanswered faulty requests, by seq. */
  const faulty = new BoundedMap<number, string>(kept);
  /** Content of faulty requests that were answered, or lost the connection, by seq. */
  const outlived = new BoundedSet<string>(kept);
  const fatal = new BoundedMap<number, string>(kept);
  /** By method, the first two connections on which a plain request was sent. */
  const asked = new BoundedMap<unknown, string[]>(kept);
  const survived = new BoundedSet<unknown>(kept);
  /** Plain requests that a connection on which nothing else was sent was lost with. */
  const losses: { method: unknown; session: string }[] = [];
  /** Connections that the server ended though only plain requests were sent on them. */
  const ends: string[] = [];
  /** Every request got an answer so far: there was no crash. */
  let unharmed = true;

  function isCrash({ kind, facts, session }: Subject): boolean {
    if (kind !== 'exchange' && kind !== 'followUp') return false;
    if (unharmed && session?.lost !== true) return false;
    const isLost =
      facts.outcome === 'closed' || (kind === 'followUp' && facts.aliveAfter === false && session !== undefined);
    return isLost && facts.from !== 'server';
  }

  function isProven({ facts, kind, session, events }: Subject): boolean {
    const own = session?.name;
    if (outlived.has(fatal.get(events[0]!) ?? faulty.get(events[0]!) ?? '')) return false;
    if (ends.some((name) => name !== own)) return false;
    const others = losses.filter((one) => one.session !== own);
    if (kind === 'followUp' && facts.of !== 'request') return others.length === 0;
    const { method } = facts;
    if (others.some((one) => one.method === method)) return false;
    return survived.has(method) || !(asked.get(method) ?? []).some((name) => name !== own);
  }

  /** An invalid request has no outcome: later events show that it was answered. */
  function noteOutlived({ kind, facts, events }: Subject): void {
    if (
      faulty.size === 0 ||
      kind !== 'followUp' ||
      facts.of !== 'other' ||
      (facts.outcome !== 'result' && facts.outcome !== 'error')
    )
      return;
    const fault = faulty.get(events[0]!);
    if (fault !== undefined && fault !== '') outlived.add(fault);
  }

  function asProven(subject: Subject): Subject {
    const { facts } = subject;
    if (isProven(subject) && !endedInOrder(subject)) return subject;
    if (facts.outcome === 'closed') facts.outcome = 'unanswered';
    if (facts.aliveAfter === false) facts.aliveAfter = undefined;
    return subject;
  }

  return {
    holds(subject) {
      if (!isCrash(subject)) {
        noteOutlived(subject);
        return false;
      }
      subject.facts = settled(subject.facts);
      if (held.length < kept) {
        held.push(subject);
        return true;
      }
      asProven(subject);
      return false;
    },
    sent(event) {
      const { deviation, kind, session, seq } = event;
      if (kind !== 'message' || deviation !== undefined || Array.isArray(event.message)) {
        stirred.add(session);
        if (deviation !== undefined) faulty.set(seq, wordsOf(event.message));
        return;
      }
      const shape = shapeOf(event.message);
      const method = methodOf(event.message);
      if (shape === 'notification' && method !== 'notifications/initialized') stirred.add(session);
      if (shape !== 'request') return;
      const names = asked.get(method);
      if (names === undefined) {
        asked.set(method, [session]);
      } else if (names.length < 2 && !names.includes(session)) names.push(session);
    },
    answered({ from, method, outcome, seq, session }) {
      if (outcome !== 'result' && outcome !== 'error' && outcome !== 'malformed') unharmed = false;
      if (from !== 'client') return;
      const fault = faulty.get(seq);
      if (fault !== undefined) {
        faulty.delete(seq);
        if ((outcome === 'result' || outcome === 'error') && fault !== '') outlived.add(fault);
        if (outcome === 'closed') fatal.set(seq, fault);
        return;
      }
      if (outcome === 'result' || outcome === 'error' || outcome === 'malformed') survived.add(method);
      if (outcome === 'closed' && !stirred.has(session.name) && losses.length < kept)
        losses.push({ method, session: session.name });
    },
    endSession({ lost, name }) {
      if (lost && !stirred.has(name) && ends.length < kept) ends.push(name);
    },
    end: () => held.splice(0).map(asProven),
  };
}

/**
 * True if the server exited with status 0 after unrelated input: it may end by itself
 * (stdio.shutdown.server-initiation), and the reason is unknown. A request that it leaves unanswered by that is another
 * matter.
 */
function endedInOrder({ kind, facts, session }: Subject): boolean {
  return kind === 'followUp' && facts.outcome !== 'closed' && session?.lost === true && session.exit?.code === 0;
}
