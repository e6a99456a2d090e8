/** What is followed no more is undecided: nothing is said of it, whatever comes late. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { createFold, type LetGo } from '../../src/core/facts/fold/fold.ts';
import type { Feature } from '../../src/core/facts/core/plugin.ts';
import { settled } from '../../src/core/facts/core/reading.ts';
import { features } from '../../src/core/facts/registry/registry.ts';
import type { Subject } from '../../src/core/facts/state/subject.ts';
import type { TraceEvent } from '../../src/core/model/trace.ts';
import { someOf } from '../support/run/some-of.ts';
import { thorough } from '../support/run/options.ts';

function folded(
  feed: (
    say: (session: string, from: 'client' | 'server', message: object) => void,
    push: (event: Partial<TraceEvent>) => void,
  ) => void,
): { subjects: Subject[]; letGo: LetGo } {
  const subjects: Subject[] = [];
  const fold = createFold({ transport: 'stdio', methods: {}, knownRevisions: ['2025-11-25'] });
  const keep = (next: Iterable<Subject>): void => {
    for (const one of next) subjects.push({ ...one, facts: settled(one.facts) });
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

const of = (subjects: readonly Subject[], kind: Subject['kind'], session: string): Subject[] =>
  subjects.filter((one) => one.kind === kind && one.session?.name === session);

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

test.runIf(thorough)(
  'of requests beyond those that are followed, neither the answer nor its absence says anything',
  () => {
    const count = 20_500;
    const { subjects, letGo } = folded((say) => {
      for (let id = 1; id <= count; id += 1)
        say('s', 'client', { id, method: 'tools/call', params: { _meta: { progressToken: id } } });
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
  },
);

/** How much of what was followed is still held by something after the heap was collected. */
function heldOf(refs: readonly WeakRef<object>[]): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return refs.filter((ref) => ref.deref() !== undefined).length;
}

/** Feeds messages to a fold of all features, whose subjects nobody keeps; what it made for each request and connection is told. */
async function heldAfter(
  revision: string,
  feed: (say: (session: string, from: 'client' | 'server', message: object) => void) => void,
): Promise<{ requests: number; sessions: number }> {
  const requests: WeakRef<object>[] = [];
  const sessions: WeakRef<object>[] = [];
  const spy: Feature = {
    name: 'spy',
    create: () => ({
      request(record) {
        requests.push(new WeakRef(record));
        return undefined;
      },
      sessionOver(session) {
        sessions.push(new WeakRef(session));
        return undefined;
      },
    }),
  };
  const fold = createFold({
    transport: 'stdio',
    methods: {},
    knownRevisions: [revision],
    features: [...features, spy],
  });
  let seq = 0;
  feed((session, from, message) => {
    seq += 1;
    for (const one of fold.push({
      seq,
      t: seq,
      session,
      from,
      kind: 'message',
      message: { jsonrpc: '2.0', ...message },
    } as TraceEvent))
      settled(one.facts);
  });
  // What a WeakRef was made of is held until the turn is over.
  await new Promise((resolve) => setImmediate(resolve));
  return { requests: heldOf(requests), sessions: heldOf(sessions) };
}

const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

test.runIf(thorough).each(someOf(['2025-11-25', '2026-07-28'], 2, (revision) => `let go ${revision}`))(
  'nothing of a connection or request that is followed no more is kept (%s)',
  async (revision) => {
    const params = revision === '2026-07-28' ? { _meta: meta } : {};
    const crowd = await heldAfter(revision, (say) => {
      for (let n = 0; n < 1500; n += 1) {
        if (revision !== '2026-07-28')
          say(`s${n}`, 'client', {
            id: 0,
            method: 'initialize',
            params: { protocolVersion: revision, capabilities: {}, clientInfo: { name: 'c', version: '1' } },
          });
        for (const [id, method] of ['tools/list', 'tools/call', 'tasks/get', 'subscriptions/listen', 'ping'].entries())
          say(`s${n}`, 'client', { id: id + 1, method, params });
        say(`s${n}`, 'server', { id: 1, result: { tools: [] } });
        say(`s${n}`, 'server', { id: 'ask', method: 'sampling/createMessage', params: {} });
      }
    });
    // The last one that was let go may still be at hand somewhere.
    expect(crowd.sessions).toBeLessThan(5);
    const many = await heldAfter(revision, (say) => {
      for (let id = 1; id <= 22_000; id += 1)
        say('s', 'client', {
          id,
          method: id % 2 === 0 ? 'tools/call' : 'tasks/get',
          params: { ...params, taskId: 't' },
        });
    });
    expect(many.requests).toBeLessThan(20_010);
  },
);
