/** The subjects that a fold gives back for an event, one after another. */
import type { NextSubject } from '../../src/core/facts/core/fold.ts';
import type { Subject } from '../../src/core/facts/core/subject.ts';

export function* eachSubject(next: NextSubject): Generator<Subject, void> {
  for (let subject = next(); subject !== undefined; subject = next()) yield subject;
}
