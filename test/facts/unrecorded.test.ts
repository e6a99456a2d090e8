/** What a trace lacks hides the facts that rest on it, and only these; a fact that nobody classified is hidden. */
import { describe, expect, test } from 'vitest';
import { factReader, readNow } from '../../src/core/evaluate/conditions/fact-reader.ts';
import { factTable, restsOf } from '../../src/core/facts/registry/registry.ts';
import type { Subject } from '../../src/core/facts/state/subject.ts';
import { createUnrecorded } from '../../src/core/facts/registry/unrecorded.ts';
import { createSessionState } from '../../src/core/facts/state/session-state.ts';
import type { SubjectKind } from '../../src/core/model/rules/subject-kind.ts';
import type { Recorded, TransportKind } from '../../src/core/model/trace.ts';

const everything: Recorded = {
  transport: true,
  exchanges: true,
  streams: true,
  timing: true,
  bytes: true,
  start: true,
  order: true,
  direction: true,
};
const nothing = Object.fromEntries(Object.keys(everything).map((part) => [part, false])) as unknown as Recorded;

function hiddenIn(
  recorded: Recorded,
  kind: SubjectKind,
  facts: Record<string, unknown>,
  transport: TransportKind = 'http',
): string[] | 'all' {
  const subject: Subject = { kind, session: createSessionState('s1', transport), facts, events: [1] };
  const gaps = createUnrecorded(recorded, transport, {});
  if (!gaps) return [];
  const told = gaps.hide(subject);
  return told === undefined ? 'all' : [...told.hidden!];
}

test('a trace of mcpc hides nothing', () => {
  expect(createUnrecorded(undefined, 'stdio', {})).toBeUndefined();
  expect(createUnrecorded(everything, 'http', {})).toBeUndefined();
});

test('a fact of which nobody says what it rests on is hidden as soon as anything is', () => {
  const unknown = Object.keys(factTable['task'].facts).find((name) => restsOf('task', name) === undefined)!;
  expect(hiddenIn({ ...everything, timing: false }, 'task', {})).toContain(`subject.${unknown}`);
});

describe('one part at a time', () => {
  test.each<[keyof Recorded, SubjectKind, string]>([
    ['timing', 'exchange', 'subject.elapsedMs'],
    ['bytes', 'message', 'subject.utf8'],
    ['exchanges', 'exchange', 'subject.requestHeaders'],
    ['streams', 'message', 'subject.openStreams'],
    ['start', 'exchange', 'session.serverCapabilities'],
    ['order', 'message', 'subject.phase'],
    ['transport', 'message', 'session.transport'],
  ])('%s', (part, kind, fact) => {
    const hidden = hiddenIn({ ...everything, [part]: false }, kind, {});
    expect(hidden).toContain(fact);
    expect(hidden).not.toContain('subject.method');
    expect(hidden).not.toContain('session.revision');
  });

  test('kinds that rest on the part as a whole are gone', () => {
    expect(hiddenIn({ ...everything, bytes: false }, 'stdoutLine', {})).toBe('all');
    expect(hiddenIn({ ...everything, exchanges: false }, 'http', {})).toBe('all');
    expect(hiddenIn({ ...everything, streams: false }, 'stream', {})).toBe('all');
  });

  test('on stdio no exchanges are missing', () => {
    const recorded = { ...everything, exchanges: false, streams: false, timing: false };
    expect(hiddenIn(recorded, 'exchange', {}, 'stdio')).not.toContain('subject.progressMixed');
    expect(hiddenIn({ ...recorded, transport: false }, 'exchange', {}, 'stdio')).toContain('subject.progressMixed');
  });
});

describe('values that may come from a gap', () => {
  test.each<[SubjectKind, Record<string, unknown>, string]>([
    ['exchange', { outcome: 'unanswered' }, 'outcome'],
    ['exchange', { outcome: 'missing' }, 'outcome'],
    ['message', { replyState: 'unknown' }, 'replyState'],
    ['message', { replyState: 'null' }, 'replyState'],
    ['message', { tokenState: 'never-supplied' }, 'tokenState'],
    ['message', { idReused: true, method: 'ping' }, 'idReused'],
    ['message', { afterUnparseableInput: false }, 'afterUnparseableInput'],
    ['followUp', { aliveAfter: false }, 'aliveAfter'],
    ['followUp', { orphans: [{}] }, 'orphans'],
  ])('%s %j', (kind, facts, fact) => {
    expect(hiddenIn(nothing, kind, facts)).toContain(`subject.${fact}`);
    const sure = {
      outcome: 'result',
      replyState: 'matched',
      tokenState: 'active',
      idReused: false,
      afterUnparseableInput: true,
      aliveAfter: true,
      orphans: [],
    };
    expect(hiddenIn(nothing, kind, sure)).not.toContain(`subject.${fact}`);
  });
});

test('readers of hidden facts: conditions stop, texts see nothing', () => {
  const subject: Subject = {
    kind: 'message',
    facts: { raw: 'x', method: 'ping' },
    events: [],
    hidden: new Set(['subject.raw', 'session.transport']),
  };
  expect(() => factReader('subject.raw')(subject)).toThrow('was not recorded');
  expect(() => factReader('session.transport')(subject)).toThrow('was not recorded');
  expect(factReader('subject.method')(subject)).toBe('ping');
  expect(readNow(subject)('subject.raw')).toBeUndefined();
});
