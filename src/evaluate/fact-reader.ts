/** Reads facts by the names that conditions use: `subject.x` of the subject itself, `session.x` of its connection. */
import { sessionFactReaders, sessionFacts } from '../facts/session-state.ts';
import type { Subject } from '../facts/subject.ts';
import { notRecorded } from '../facts/unrecorded.ts';
import type { FactReader } from './condition-check.ts';

/**
 * A function that reads one fact of whatever subject; the name is looked at once. It throws NotRecordedError for
 * a fact that the trace does not tell.
 */
export function factReader(fact: string): (subject: Subject) => unknown {
  if (fact.startsWith('subject.')) {
    const name = fact.slice('subject.'.length);
    return (subject) => {
      if (subject.hidden !== undefined && subject.hidden.has(fact)) throw notRecorded;
      return subject.facts[name];
    };
  }
  const read = sessionFactReaders[fact.slice('session.'.length)];
  return (subject) => {
    if (subject.hidden !== undefined && subject.hidden.has(fact)) throw notRecorded;
    return read && subject.session ? read(subject.session) : undefined;
  };
}

/** The facts of one subject as they are now: a connection changes while the trace goes on. What is hidden is absent. */
export function readNow(subject: Subject): FactReader {
  const session = subject.session ? sessionFacts(subject.session) : {};
  return (fact) => {
    if (subject.hidden?.has(fact)) return undefined;
    return fact.startsWith('subject.') ? subject.facts[fact.slice('subject.'.length)] : session[fact.slice('session.'.length)];
  };
}
