/** What is followed no more is undecided: nothing is said of it, whatever comes late. */
import { expect, test } from 'vitest';
import { createFold, type LetGo, type NextSubject } from '../../src/facts/core/fold.ts';
import { settled } from '../../src/facts/core/reading.ts';
import type { Subject } from '../../src/facts/core/subject.ts';
import type { TraceEvent } from '../../src/model/trace.ts';
import { eachSubject } from '../support/each-subject.ts';

function folded(feed: (say: (session: string, from: 'client' | 'server', message: object) => void, push: (event: Partial<TraceEvent>) => void) => void): { subjects: Subject[]; letGo: LetGo } {
  const subjects: Subject[] = [];
  const fold = createFold({ transport: 'stdio', methods: {}, knownRevisions: ['2025-11-25'] });
  const keep = (next: NextSubject): void => {
    for (const one of eachSubject(next)) subjects.push({ ...one, facts: settled(one.facts) });
  };
  let seq = 0;
  const push = (event: Partial<TraceEvent>): void => {
    seq += 1;
    keep(fold.push({ seq, t: seq, session: 's', from: 'server', kind: 'message', ...event } as TraceEvent));
  };
  feed((session, from, message) => push({ session, from, message: { jsonrpc: '2.0', ...message } }), push);
  keep(fold.end());
  return { subjects, letGo: fold.letGo() };
}

const of = (subjects: readonly Subject[], kind: Subject['kind'], session: string): Subject[] => subjects.filter((one) => one.kind === kind && one.session?.name === session);

test('the oldest connection is let go when a thousand younger ones are there, and does not begin again', () => {
  const { subjects, letGo } = folded((say) => {
    for (let n = 0; n < 1500; n += 1) say(`s${n}`, 'client', { id: 1, method: 'ping' });
    for (let n = 0; n < 1500; n += 1) say(`s${n}`, 'server', { id: 1, result: {} });
  });
  expect(letGo).toEqual({ sessions: 500, requests: 0 });
  // Its last subject says no more than that it is followed no longer; the judge takes it for that alone.
  expect(of(subjects, 'session', 's0').map((one) => one.session?.letGo)).toEqual([true]);
  expect(of(subjects, 'exchange', 's0')).toEqual([]);
  expect(of(subjects, 'message', 's0')).toHaveLength(1);
  expect(of(subjects, 'exchange', 's1499')[0]?.facts.outcome).toBe('result');
  expect(subjects.filter(({ kind, session }) => kind === 'session' && session?.letGo !== true)).toHaveLength(1000);
});

test('connections that ended are told of, however many follow', () => {
  const { subjects, letGo } = folded((say, push) => {
    for (let n = 0; n < 1500; n += 1) {
      say(`s${n}`, 'client', { id: 1, method: 'ping' });
      push({ session: `s${n}`, kind: 'exit', exit: { code: 0, signal: null } });
    }
  });
  expect(letGo.sessions).toBe(0);
  expect(subjects.filter(({ kind }) => kind === 'session')).toHaveLength(1500);
  expect(of(subjects, 'exchange', 's0')).toHaveLength(1);
});

test('of requests beyond those that are followed, neither the answer nor its absence says anything', () => {
  const count = 20_500;
  const { subjects, letGo } = folded((say) => {
    for (let id = 1; id <= count; id += 1) say('s', 'client', { id, method: 'tools/call', params: { _meta: { progressToken: id } } });
    for (let id = 1; id <= count; id += 2) say('s', 'server', { id, result: {} });
    say('s', 'server', { method: 'notifications/progress', params: { progressToken: 1, progress: 1 } });
  });
  expect(letGo).toEqual({ sessions: 0, requests: 500 });
  const exchanges = of(subjects, 'exchange', 's');
  expect(exchanges.map(({ facts }) => facts.id).filter((id) => Number(id) <= 500)).toEqual([]);
  expect(exchanges).toHaveLength(20_000);
  const answers = of(subjects, 'message', 's').filter(({ facts }) => facts.shape === 'result');
  expect(answers.map(({ facts }) => facts.replyState)).toEqual(Array.from({ length: 10_000 }, () => 'matched'));
  const progress = of(subjects, 'message', 's').find(({ facts }) => facts.method === 'notifications/progress');
  expect(progress?.facts.tokenState).toBeUndefined();
});
