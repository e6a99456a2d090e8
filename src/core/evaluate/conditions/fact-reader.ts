/** Reads facts by the names that conditions use: `subject.x` of the subject itself, `session.x` of its connection. */
import { derivation } from '../../facts/core/derived.ts';
import { settled } from '../../facts/core/reading.ts';
import { sessionFactReaders, sessionFacts } from '../../facts/registry/registry.ts';
import type { Subject } from '../../facts/state/subject.ts';
import { judgedPath, notRecorded } from '../../facts/registry/unrecorded.ts';
import type { SessionState } from '../../facts/state/session-state.ts';
import type { DerivedFact } from '../../model/rules/derived-fact.ts';
import type { FactReader } from './engine.ts';

/**
 * A function that reads one fact of whatever subject; the name is looked at once. It throws NotRecordedError for a fact
 * that the trace does not contain.
 */
export function factReader(fact: string): (subject: Subject) => unknown {
  const name = subjectMember(fact);
  if (name !== undefined) {
    return (subject) => {
      if (subject.hidden !== undefined && subject.hidden.has(fact)) throw notRecorded;
      return subject.facts[name];
    };
  }
  const read = sessionReader(fact);
  return (subject) => {
    if (subject.hidden !== undefined && subject.hidden.has(fact)) throw notRecorded;
    return read && subject.session ? read(subject.session) : undefined;
  };
}

/** The same for a fact that follows from another one. */
export function derivedReader({ of, steps }: DerivedFact): (subject: Subject) => unknown {
  const read = factReader(of);
  const derive = derivation(steps, judgedPath);
  return (subject) => derive(read(subject));
}

/** The member of a subject's facts that a name of a condition stands for; undefined for facts of the connection. */
export function subjectMember(fact: string): string | undefined {
  return fact.startsWith('subject.') ? fact.slice('subject.'.length) : undefined;
}

/** Reads a fact of the connection; undefined where there is none of that name. */
export function sessionReader(fact: string): ((state: SessionState) => unknown) | undefined {
  return sessionFactReaders.get(fact.slice('session.'.length));
}

/** The same, but reading a hidden value throws NotRecordedError. */
export function readRecorded(subject: Subject): FactReader {
  const read = readNow(subject);
  const { hidden } = subject;
  if (hidden === undefined) return read;
  return (fact) => {
    if (hidden.has(fact)) throw notRecorded;
    return read(fact);
  };
}

/** The facts of one subject as they are now: a connection changes while the trace goes on. What is hidden is absent, unless its beginning is there. */
export function readNow(subject: Subject): FactReader {
  const session = subject.session ? sessionFacts(subject.session) : {};
  return reading(subject, settled(subject.facts), (fact) => session[fact.slice('session.'.length)]);
}

/** The same for readers that finish before the trace continues: few of many facts, none of them kept. */
export function readAtOnce(subject: Subject): FactReader {
  const { session, facts } = subject;
  return reading(subject, facts, (fact) => session && sessionReader(fact)?.(session));
}

function reading({ hidden, beginning }: Subject, facts: Subject['facts'], ofSession: FactReader): FactReader {
  return (fact) => {
    if (hidden?.has(fact) && !beginning?.has(fact)) return undefined;
    const name = subjectMember(fact);
    return name === undefined ? ofSession(fact) : facts[name];
  };
}
