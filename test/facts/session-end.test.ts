/** What an end of a session may be, and what shows that it was none. */
import { expect, test } from 'vitest';
import { createSessionEnds } from '../../src/core/facts/http/session-end.ts';
import type { HttpState } from '../../src/core/facts/http/http-state.ts';
import type { SessionState } from '../../src/core/facts/state/session-state.ts';

const session = { name: 's1', era: 'stateful' } as SessionState;

/** An exchange from one event to another. */
function exchange(from: number, to: number, more: Partial<HttpState> = {}): HttpState {
  return {
    session,
    seq: from,
    events: [from, to],
    method: 'POST',
    carries: 'request',
    rpcIds: [from],
    sessionHeader: 'current',
    status: 200,
    bodyBytes: 40,
    replies: [],
    ...more,
  } as HttpState;
}

const cut = (from: number, to: number, more: object = {}): HttpState =>
  exchange(from, to, {
    stream: { closedBy: 'server', responses: 0, sawId: false, ...more } as HttpState['stream'] & object,
  });
const empty = (from: number, to: number): HttpState => exchange(from, to, { status: 202, bodyBytes: 0 });
const lost = (from: number, to: number, more: Partial<HttpState> = {}): HttpState =>
  exchange(from, to, { status: 404, ...more });

test.each([
  ['a stream', cut],
  ['an empty reply', empty],
])('%s without its response waits for what is served in the session later', (_, make) => {
  const ends = createSessionEnds();
  const short = make(1, 4);
  expect(ends.over(short)).toEqual([]);
  const beside = exchange(2, 5);
  expect(ends.over(beside), 'begun before').toEqual([beside]);
  const later = exchange(6, 7);
  expect(ends.over(later)).toEqual([short, later]);
  expect(short.sessionEnded).toBe(false);
  expect(ends.end(session)).toEqual([]);
});

test('one more that is cut short shows that the session of the first went on, and waits itself', () => {
  const ends = createSessionEnds();
  const [one, two] = [cut(1, 2), cut(3, 4)];
  expect(ends.over(one)).toEqual([]);
  expect(ends.over(two)).toEqual([one]);
  expect(ends.end(session)).toEqual([two]);
  expect([one.sessionEnded, two.sessionEnded]).toEqual([false, undefined]);
});

test.each<[string, HttpState, boolean | undefined]>([
  ['404 to a request', lost(3, 4), true],
  ['404 to DELETE', lost(3, 4, { method: 'DELETE', carries: 'none' }), true],
  ['DELETE granted', exchange(3, 4, { method: 'DELETE', carries: 'none' }), undefined],
  ['404 to what names no session', lost(3, 4, { sessionHeader: 'absent' }), undefined],
])('after it, %s: ended %s', (_, after, ended) => {
  const ends = createSessionEnds();
  const short = cut(1, 2);
  ends.over(short);
  ends.over(after);
  expect(ends.end(session)).toContain(short);
  expect(short.sessionEnded).toBe(ended);
});

test.each<[string, HttpState]>([
  ['what brought its response', cut(1, 2, { responses: 1 })],
  ['what can be resumed', cut(1, 2, { sawId: true })],
  ['what the client closed', cut(1, 2, { closedBy: 'client' })],
  ['the reply to a notification', { ...empty(1, 2), carries: 'notification' }],
  ['a reply with a body', exchange(1, 2)],
  ['what names no session', { ...cut(1, 2), sessionHeader: 'absent' }],
  ['a connection without sessions', { ...cut(1, 2), session: { ...session, era: 'stateless' } as SessionState }],
])('%s does not wait', (_, one) => {
  expect(createSessionEnds().over(one)).toEqual([one]);
});

test('a resumption that got 404 was refused only where the session went on', () => {
  const [on, over] = [exchange(1, 2), exchange(1, 2)];
  const ends = createSessionEnds();
  ends.over(lost(3, 4, { method: 'GET', carries: 'none', resumed: on }));
  ends.over(exchange(5, 6));
  expect(on.resumptionRefused).toBe(true);
  const others = createSessionEnds();
  others.over(lost(3, 4, { method: 'GET', carries: 'none', resumed: over }));
  others.over(lost(5, 6));
  others.end(session);
  expect(over.resumptionRefused).toBeUndefined();
});

test('of more than wait nothing is said', () => {
  const ends = createSessionEnds();
  const all = Array.from({ length: 101 }, (_, index) => cut(index, 200 + index));
  expect(all.flatMap((one) => ends.over(one))).toEqual([all[100]]);
  expect(all[100]!.sessionEnded).toBe(true);
});
