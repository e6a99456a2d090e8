/** Groups and pairs: what they hold, when they are complete, and what is let go when there are too many. */
import { describe, expect, test } from 'vitest';
import type { Subject } from '../../src/core/facts/state/subject.ts';
import { createSelections } from '../../src/core/facts/selections/selections.ts';
import { createSessionState } from '../../src/core/facts/state/session-state.ts';
import type { CompiledGroup, CompiledPair } from '../../src/core/model/rules/selection.ts';
import { thorough } from '../support/run/options.ts';

const session = createSessionState('one', 'stdio');
const other = createSessionState('two', 'stdio');
const noDeviation = (): boolean => false;

const group: CompiledGroup = {
  kind: 'group',
  role: 'server',
  keepsMessages: true,
  within: 'session',
  of: { kind: 'message', filter: { method: 'notifications/progress' } },
  by: [{ fact: 'subject.message', path: '$.token' }],
  values: [['progress', { fact: 'subject.message', path: '$.progress' }]],
};

const pair: CompiledPair = {
  kind: 'pair',
  role: 'server',
  keepsMessages: true,
  within: 'session',
  first: { kind: 'message', filter: { method: 'ask' } },
  then: { kind: 'message', filter: { method: 'tell' } },
  match: [
    [
      { fact: 'subject.message', path: '$.id' },
      { fact: 'subject.message', path: '$.of' },
    ],
  ],
  until: { kind: 'message', filter: { method: 'stop' } },
};

function message(seq: number, method: string, more: object = {}, on = session): Subject {
  return { kind: 'message', session: on, facts: { method, message: { method, ...more } }, events: [seq] };
}

/** Plays messages ten milliseconds apart, then ends the connections and the trace. */
function played(selection: CompiledGroup | CompiledPair, messages: readonly Subject[]): Subject[] {
  const selections = createSelections([selection], noDeviation);
  const made = messages.flatMap((one, index) => selections.take(one, () => ({ t: index * 10, messages: index + 1 })));
  return [...made, ...selections.end(session), ...selections.end(other), ...selections.end(undefined)];
}

describe('groups', () => {
  const progress = (seq: number, token: unknown, value?: number, on = session): Subject =>
    message(seq, 'notifications/progress', { token, ...(value === undefined ? {} : { progress: value }) }, on);

  test('members share a typed key, and their values come in order', () => {
    const made = played(group, [
      progress(1, 1, 5),
      progress(2, '1', 7),
      progress(3, 1, 6),
      progress(4, 1),
      message(5, 'other'),
    ]);
    expect(
      made.map(({ facts, events }) => ({
        key: facts.key,
        count: facts.count,
        values: facts['values.progress'],
        times: facts.times,
        events,
      })),
    ).toEqual([
      { key: 1, count: 3, values: [5, 6], times: [0, 20, 30], events: [1, 3, 4] },
      { key: '1', count: 1, values: [7], times: [10], events: [2] },
    ]);
    expect(made[0]!.facts).toMatchObject({ first: { progress: 5 }, last: { token: 1 } });
  });

  test('a member without a key belongs to no group', () => {
    expect(played(group, [progress(1, undefined, 1)])).toEqual([]);
  });

  test('connections are kept apart, unless the group is of the whole trace', () => {
    const messages = [progress(1, 'x', 1), progress(2, 'x', 2, other)];
    expect(played(group, messages).map(({ session: on, facts }) => [on?.name, facts.count])).toEqual([
      ['one', 1],
      ['two', 1],
    ]);
    expect(played({ ...group, within: 'trace' }, messages).map(({ session: on, facts }) => [on, facts.count])).toEqual([
      [undefined, 2],
    ]);
  });

  test('a resumed stream adds no member twice', () => {
    const replay = progress(2, 'x', 1);
    replay.facts.replay = true;
    expect(played(group, [progress(1, 'x', 1), replay]).map(({ facts }) => facts.count)).toEqual([1]);
  });

  test('what a checker sent wrong on purpose is no member for rules about the client', () => {
    const isDeviation = ({ events }: Subject, by: string): boolean => by === 'client' && events.includes(2);
    const selections = createSelections([{ ...group, role: 'client' }], isDeviation);
    for (const one of [progress(1, 'x', 1), progress(2, 'x', 2)]) selections.take(one, () => ({ t: 0, messages: 0 }));
    expect(selections.end(session).map(({ facts }) => facts.count)).toEqual([1]);
  });

  test('beyond a thousand values a group cannot be judged by them', () => {
    const [made] = played(
      group,
      Array.from({ length: 1001 }, (_, index) => progress(index, 'x', index)),
    );
    expect(made!.hidden?.has('subject.values.progress')).toBe(true);
    // What breaks in the beginning is broken, unless there is a hole in it.
    expect([...made!.beginning!]).toEqual(['subject.times', 'subject.values.progress']);
    const holed = Array.from({ length: 1001 }, (_, index) =>
      progress(index, 'x', (index === 5 ? 'v'.repeat(10_001) : index) as number),
    );
    expect(played(group, holed)[0]!.beginning).toBeUndefined();
    const [exact] = played(
      group,
      Array.from({ length: 1000 }, (_, index) => progress(index, 'x', index)),
    );
    expect(exact!.hidden).toBeUndefined();
    expect(exact!.facts['values.progress']).toHaveLength(1000);
  });

  test.runIf(thorough)('groups that were let go leave the others room for their values', () => {
    const made = played(
      group,
      Array.from({ length: 120_000 }, (_, index) => progress(index, index, 1)),
    );
    expect(made).toHaveLength(10_000);
    expect(made.filter(({ hidden }) => hidden)).toEqual([]);
  });

  test('of more than ten thousand groups the oldest is let go', () => {
    const made = played(
      group,
      Array.from({ length: 10_001 }, (_, index) => progress(index, index, 1)),
    );
    expect(made).toHaveLength(10_000);
    expect(made[0]!.facts.key).toBe(1);
  });

  test('a key of any length stays apart from one that differs in its last character', () => {
    const long = 'k'.repeat(5000);
    expect(
      played(group, [progress(1, `${long}a`, 1), progress(2, `${long}b`, 1), progress(3, `${long}a`, 2)]).map(
        ({ facts }) => facts.count,
      ),
    ).toEqual([2, 1]);
  });

  test('keys are no names of members', () => {
    expect(
      played(
        group,
        ['__proto__', 'constructor'].map((token, index) => progress(index, token, 1)),
      ).map(({ facts }) => facts.count),
    ).toEqual([1, 1]);
  });
});

describe('pairs', () => {
  const ask = (seq: number, id: unknown): Subject => message(seq, 'ask', { id });
  const tell = (seq: number, of: unknown): Subject => message(seq, 'tell', { of });
  const shown = (made: readonly Subject[]): object[] =>
    made.map(({ facts: { first, then, elapsedMs, between, ended }, events }) => ({
      first: (first as { id: unknown }).id,
      then: (then as { of: unknown } | undefined)?.of,
      elapsedMs,
      between,
      ended,
      events,
    }));

  test('the second one that shares the values completes the oldest open pair', () => {
    expect(
      shown(played(pair, [ask(1, 'a'), ask(2, 'b'), message(3, 'other'), tell(4, 'b'), tell(5, 'a'), tell(6, 'a')])),
    ).toEqual([
      { first: 'b', then: 'b', elapsedMs: 20, between: 1, ended: 'then', events: [2, 4] },
      { first: 'a', then: 'a', elapsedMs: 40, between: 3, ended: 'then', events: [1, 5] },
    ]);
  });

  test('1 and "1" do not match', () => {
    expect(shown(played(pair, [ask(1, 1), tell(2, '1')]))).toEqual([
      { first: 1, then: undefined, elapsedMs: undefined, between: undefined, ended: 'end', events: [1] },
    ]);
  });

  test('after "until" nothing is waited for', () => {
    expect(shown(played(pair, [ask(1, 'a'), message(2, 'stop'), tell(3, 'a')]))).toMatchObject([
      { first: 'a', ended: 'until', then: undefined },
    ]);
  });

  test('of more than ten thousand open pairs the oldest is let go', () => {
    const made = played(pair, [
      ...Array.from({ length: 10_001 }, (_, index) => ask(index, index)),
      tell(20_000, 0),
      tell(20_001, 1),
    ]);
    expect(shown(made)[0]).toMatchObject({ first: 1, then: 1 });
    expect(made).toHaveLength(10_000);
  });
});
