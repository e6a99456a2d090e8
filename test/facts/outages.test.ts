/** Errors that a server gives to everybody for a while decide nothing about what was asked; others do. */
import { expect, test } from 'vitest';
import { createFold } from '../../src/core/facts/fold/fold.ts';
import type { Subject } from '../../src/core/facts/state/subject.ts';
import type { TraceEvent } from '../../src/core/model/trace.ts';

type Step = readonly [
  name: string | undefined,
  answer: 'served' | { code: number; message: string },
  deviation?: string,
];

/** What became of calls of tools, in their order; without a name a prompt is got. */
function outcomes(steps: readonly Step[]): unknown[] {
  const found: [number, unknown][] = [];
  const fold = createFold({ transport: 'stdio', methods: {}, knownRevisions: ['2025-11-25'] });
  const keep = (subjects: Iterable<Subject>): void => {
    for (const { kind, facts } of subjects)
      if (kind === 'exchange')
        found.push([Number(facts.id), facts.outcome === 'error' ? facts.errorCode : facts.outcome]);
  };
  let seq = 0;
  const push = (from: 'client' | 'server', message: object, deviation?: string): void => {
    seq += 1;
    const event = { seq, t: seq, session: 's1', from, kind: 'message', message: { jsonrpc: '2.0', ...message } };
    keep(fold.push({ ...event, ...(deviation === undefined ? {} : { deviation }) } as TraceEvent));
  };
  steps.forEach(([name, answer, deviation], id) => {
    const asked =
      name === undefined
        ? { method: 'prompts/get', params: { name: 'p' } }
        : { method: 'tools/call', params: { name } };
    push('client', { id, ...asked }, deviation);
    push('server', { id, ...(answer === 'served' ? { result: {} } : { error: answer }) });
  });
  keep(fold.end());
  return found.sort(([a], [b]) => a - b).map(([, outcome]) => outcome);
}

const away = { code: -32603, message: 'Service temporarily unavailable' };

test('what a sound request gets that was served before was no answer to the odd one', () => {
  expect(
    outcomes([
      ['a', 'served'],
      ['none', away, 'calls no tool'],
      ['a', away],
    ]),
  ).toEqual(['result', 'unanswered', 'unanswered']);
});

test('an error that the odd one alone gets is its answer', () => {
  expect(
    outcomes([
      ['a', 'served'],
      ['none', away, 'calls no tool'],
      ['a', 'served'],
    ]),
  ).toEqual(['result', -32603, 'result']);
});

test('a tool that fails now and then refuses nobody else', () => {
  expect(
    outcomes([
      ['a', 'served'],
      ['a', away],
      ['a', 'served'],
    ]),
  ).toEqual(['result', -32603, 'result']);
});

test('what was never served may have been refused for itself', () => {
  expect(
    outcomes([
      ['none', away, 'calls no tool'],
      ['a', away],
      [undefined, away],
    ]),
  ).toEqual([-32603, -32603, -32603]);
});

test('an error that says what is wrong with the request is never one for everybody', () => {
  const invalid = { code: -32602, message: 'Invalid params' };
  expect(
    outcomes([
      ['a', 'served'],
      ['none', invalid, 'calls no tool'],
      ['a', invalid],
    ]),
  ).toEqual(['result', -32602, -32602]);
});
