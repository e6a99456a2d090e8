/**
 * Errors by which a server rejects all clients for a while, whatever the request: an open circuit breaker, a missing
 * backend. If an identical sound request was served before and now gets the same error as other requests, the error is
 * not about the request; the request counts as unanswered. Since the sign may come later, what got an error of that
 * sort is held back until its connection is over. It must not judge.
 */
import { BoundedSet } from '../../../model/bounded.ts';
import { asObject } from '../../../model/json.ts';
import { settled } from '../../core/reading.ts';
import type { Subject } from '../../state/subject.ts';
import type { SessionState } from '../../state/session-state.ts';
import type { RpcRecord } from '../../requests/rpc-record.ts';
import { wordsOf } from '../../values/rpc.ts';
import { soundnessOf } from '../soundness.ts';

/** Subjects that are held back, and requests and errors that are remembered, at most. */
const kept = 1000;
const keptRequests = 3;

/** These codes say what is wrong with the request itself. */
const aboutRequest: ReadonlySet<unknown> = new Set([
  -32700, -32600, -32601, -32602, -32002, -32020, -32021, -32022, -32042, -32800,
]);

export interface Outages {
  /** A request of the client got its outcome. */
  answered(record: RpcRecord): void;
  /** True if a subject must wait until its connection is over; it is kept then. */
  holds(subject: Subject): boolean;
  /** Waiting subjects of a connection with their final state. */
  endSession(session: SessionState): Subject[];
}

interface Seen {
  /** Requests that got the error. */
  asked: Set<string>;
  /** One of them is sound, and was served before. */
  refusesSound: boolean;
}

export function createOutages(): Outages {
  let held: { subject: Subject; error: string }[] = [];
  const served = new BoundedSet<string>(kept);
  const errors = new Map<string, Seen>();

  function isOutage(error: string): boolean {
    const seen = errors.get(error);
    return seen !== undefined && seen.refusesSound && seen.asked.size > 1;
  }

  return {
    answered(record) {
      const { from, message, outcome, reply } = record;
      if (from !== 'client' || (outcome !== 'result' && outcome !== 'error')) return;
      if (outcome === 'result') {
        if (soundnessOf(record) === 'sound') served.add(wordsOf(message));
        return;
      }
      const error = errorOf(asObject(reply)?.error);
      if (error === undefined) return;
      let seen = errors.get(error);
      if (seen === undefined) {
        if (errors.size >= kept) return;
        errors.set(error, (seen = { asked: new BoundedSet(keptRequests), refusesSound: false }));
      }
      const words = wordsOf(message);
      if (words === '') return;
      seen.asked.add(words);
      seen.refusesSound ||= soundnessOf(record) === 'sound' && served.has(words);
    },
    holds(subject) {
      const { facts, kind } = subject;
      if (errors.size === 0 || (kind !== 'exchange' && kind !== 'followUp') || facts.from !== 'client') return false;
      if (facts.outcome !== 'error' || held.length >= kept) return false;
      const error = errorOf(facts.error);
      if (error === undefined) return false;
      subject.facts = settled(facts);
      held.push({ subject, error });
      return true;
    },
    endSession(session) {
      const due = held.filter(({ subject }) => subject.session === session);
      if (due.length === 0) return [];
      held = held.filter(({ subject }) => subject.session !== session);
      return due.map(({ error, subject }) => (isOutage(error) ? unanswered(subject) : subject));
    },
  };
}

function unanswered(subject: Subject): Subject {
  Object.assign(subject.facts, { outcome: 'unanswered', answered: false, error: undefined, errorCode: undefined });
  return subject;
}

/** Code and text of an error that says nothing about its request; undefined for others. */
function errorOf(error: unknown): string | undefined {
  const { code, message } = asObject(error) ?? {};
  return typeof code !== 'number' || aboutRequest.has(code) || typeof message !== 'string'
    ? undefined
    : `${code} ${message.slice(0, 200)}`;
}
