/** The expectation `snapshot`: what a step gives is what was stored of it. What is stored is given with the subject. */
import type { Kept } from './answer-text.ts';
import { expectation, kinds } from '../expectation.ts';
import type { Expectation } from '../expectation.ts';
import { lookUp } from '../json-text.ts';
import type { Subject } from '../subject.ts';

interface Tools {
  answerText: typeof import('./answer-text.ts').answerText;
  snapshotDiff: typeof import('./difference.ts').snapshotDiff;
}

let tools: Tools | undefined;

async function prepare(): Promise<void> {
  tools ??= { ...(await import('./answer-text.ts')), ...(await import('./difference.ts')) };
}

function snapshotOf(kept: Kept): Expectation {
  return expectation<boolean>({
    name: 'snapshot',
    prepare,
    takesErrors: true,
    says: `${{ answer: 'The answer (also a JSON-RPC error) is', log: 'The log messages, each counted once, are', notifications: 'The notifications, each counted once, are' }[kept]} equal to the snapshot of \`mcpc snapshot --update\`.`,
    option: kinds.flag,
    test(subject, wanted) {
      const { snapshot } = subject;
      if (!wanted) return undefined;
      if (snapshot === undefined) return { words: 'snapshot: nothing is stored' };
      const seen = partOf(subject, snapshot.target);
      if ('words' in seen) return seen;
      const now = tools!.answerText(seen, kept, snapshot);
      if (snapshot.note !== undefined) return snapshot.note(now);
      const { stored } = snapshot;
      if (stored === undefined)
        return { words: 'snapshot: nothing is stored of this step; "mcpc snapshot --update" stores it', actual: now };
      return stored === now
        ? undefined
        : {
            words: `snapshot: the ${kept === 'answer' ? 'answer' : 'list'} is another than the stored one\n${tools!.snapshotDiff(stored, now)}`,
            expected: stored,
            actual: now,
          };
    },
  });
}

/** The subject with nothing in it but the part that is kept. */
function partOf(subject: Subject, target: string | undefined): Subject | { words: string } {
  if (target === undefined) return subject;
  const { result, error } = subject;
  const found = lookUp(error === undefined ? { result } : { error }, target);
  if ('problem' in found) return { words: `snapshot: target ${JSON.stringify(target)}: ${found.problem}` };
  const { error: _error, ...rest } = subject;
  return { ...rest, result: { value: found.value } };
}

export const snapshotExpectations: Readonly<Record<Kept, Expectation>> = {
  answer: snapshotOf('answer'),
  log: snapshotOf('log'),
  notifications: snapshotOf('notifications'),
};
