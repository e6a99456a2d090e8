/** A crash is held against what was sent only where plain requests of the same kind are survived. */
import { expect, it } from 'vitest';
import { createCrashes } from '../../src/core/facts/jsonrpc/breakdowns/crashes.ts';
import type { RpcRecord } from '../../src/core/facts/requests/rpc-record.ts';
import type { SessionState } from '../../src/core/facts/state/session-state.ts';
import type { TraceEvent } from '../../src/core/model/trace.ts';

const session = (name: string, lost = true): SessionState => ({ name, lost }) as SessionState;

/** Plays requests on connections of their own, those with a fault as well, then a call with a fault on which the server is lost, and tells what became of that. */
function outcomeOf(
  before: { method: string; outcome: 'result' | 'closed'; lost?: boolean; fault?: string; params?: object }[],
  kind: 'exchange' | 'followUp' = 'exchange',
  fatal: object = {},
): unknown {
  const crashes = createCrashes();
  let seq = 0;
  const ask = (
    name: string,
    method: string,
    outcome: 'result' | 'closed',
    params: object = {},
    deviation?: string,
  ): void => {
    seq += 1;
    crashes.sent({
      seq,
      t: 0,
      session: name,
      from: 'client',
      kind: 'message',
      message: { jsonrpc: '2.0', id: seq, method, params: { ...params, _meta: { n: seq } } },
      ...(deviation ? { deviation } : {}),
    } as TraceEvent);
    crashes.answered({ from: 'client', method, outcome, seq, session: session(name) } as RpcRecord);
  };
  before.forEach(({ method, outcome, lost, params, fault }, n) => {
    ask(`p${n}`, method, outcome, params, fault);
    crashes.endSession(session(`p${n}`, lost ?? outcome === 'closed'));
  });
  ask('own', 'tools/call', 'closed', fatal, 'arguments of a wrong type');
  const facts =
    kind === 'exchange'
      ? { from: 'client', method: 'tools/call', outcome: 'closed' }
      : { of: 'notification', method: 'notifications/cancelled', aliveAfter: false };
  expect(crashes.holds({ kind, session: session('own'), facts, events: [seq] })).toBe(true);
  crashes.endSession(session('own'));
  const out = crashes.end();
  expect(out).toHaveLength(1);
  return kind === 'exchange' ? out[0]!.facts.outcome : out[0]!.facts.aliveAfter;
}

it('is proven where the same method is survived when nothing is wrong with it', () => {
  expect(outcomeOf([{ method: 'tools/call', outcome: 'result' }])).toBe('closed');
  expect(outcomeOf([{ method: 'ping', outcome: 'result' }])).toBe('closed');
  expect(outcomeOf([{ method: 'ping', outcome: 'result' }], 'followUp')).toBe(false);
});

it('is not where the server goes away on plain requests, too', () => {
  expect(outcomeOf([{ method: 'tools/call', outcome: 'closed' }])).toBe('unanswered');
  expect(
    outcomeOf([
      { method: 'tools/call', outcome: 'result' },
      { method: 'tools/call', outcome: 'closed' },
    ]),
  ).toBe('unanswered');
  expect(outcomeOf([{ method: 'ping', outcome: 'closed' }], 'followUp')).toBeUndefined();
});

it('is not where a process ends by itself after plain requests', () => {
  expect(outcomeOf([{ method: 'tools/call', outcome: 'result', lost: true }])).toBe('unanswered');
  expect(outcomeOf([{ method: 'ping', outcome: 'result', lost: true }], 'followUp')).toBeUndefined();
});

it('is not where the very same fault was answered on another occasion', () => {
  const fault = 'arguments of a wrong type';
  const survived = { method: 'tools/call', outcome: 'result', fault } as const;
  expect(outcomeOf([survived, { method: 'tools/call', outcome: 'result' }])).toBe('unanswered');
  expect(
    outcomeOf([
      { ...survived, params: { name: 'other' } },
      { method: 'tools/call', outcome: 'result' },
    ]),
  ).toBe('closed');
  expect(outcomeOf([{ ...survived, params: { name: 'x'.repeat(2000) } }], 'exchange', { name: 'x'.repeat(2000) })).toBe(
    'closed',
  );
});

it('passes on at once what no crash is about', () => {
  const crashes = createCrashes();
  expect(
    crashes.holds({ kind: 'exchange', facts: { from: 'client', method: 'ping', outcome: 'timeout' }, events: [] }),
  ).toBe(false);
  expect(crashes.holds({ kind: 'message', facts: {}, events: [] })).toBe(false);
  expect(crashes.end()).toEqual([]);
});
