/** To which request of the client a question of the server is laid, and what is not claimed where that is not plain. */
import { describe, expect, test } from 'vitest';
import { createFold } from '../../src/core/facts/fold/fold.ts';
import type { Subject } from '../../src/core/facts/state/subject.ts';
import type { RuleExample } from '../../src/core/model/rules/rule.ts';
import type { TransportKind } from '../../src/core/model/trace.ts';
import { exampleTrace } from '../../src/core/rules/examples/example-trace.ts';

function questionsIn(trace: string[], transport: TransportKind = 'stdio'): Subject[] {
  const found: Subject[] = [];
  const fold = createFold({
    transport,
    methods: {},
    knownRevisions: ['2025-11-25'],
  });
  const keep = (next: Iterable<Subject>): void => {
    for (const subject of next) if (subject.kind === 'serverRequest') found.push(subject);
  };
  const example: RuleExample = {
    verdict: 'pass',
    clientCapabilities: { sampling: { tools: {} }, elicitation: {} },
    trace,
  };
  for (const event of exampleTrace(example, { transport, revision: '2025-11-25', era: 'stateful' }).events)
    keep(fold.push(event));
  keep(fold.end());
  return found;
}

const call = (id: number): string => `> {"id":${id},"method":"tools/call","params":{"name":"ask","arguments":{}}}`;
const done = (id: number): string => `< {"id":${id},"result":{"content":[]}}`;
const ask = (id: string): string =>
  `< {"id":"${id}","method":"elicitation/create","params":{"message":"?","requestedSchema":{"type":"object","properties":{}}}}`;
const decline = (id: string): string => `> {"id":"${id}","result":{"action":"decline"}}`;

describe('a question belongs to', () => {
  test('the only request in flight', () => {
    expect(questionsIn([call(1), ask('a'), decline('a'), done(1)])[0]!.facts).toMatchObject({
      call: { method: 'tools/call', outcome: 'result', failed: false, askedAgain: false },
    });
  });

  test('none, when several are in flight', () => {
    const [{ facts }] = questionsIn([call(1), call(2), ask('a'), decline('a'), done(1), done(2)]) as [Subject];
    expect(facts).toMatchObject({ action: 'decline' });
    expect(facts.call).not.toHaveProperty('method');
    expect(facts.call).not.toHaveProperty('outcome');
  });

  test('no ping, which asks for nothing', () => {
    const ping = '> {"id":9,"method":"ping"}';
    const pong = '< {"id":9,"result":{}}';
    expect(questionsIn([ping, ask('a'), decline('a'), pong])[0]!.facts.call).not.toHaveProperty('method');
    expect(questionsIn([call(1), ping, ask('a'), decline('a'), pong, done(1)])[0]!.facts).toMatchObject({
      call: { method: 'tools/call', outcome: 'result' },
    });
  });

  test('none, when the client has given up an earlier request, which may still be going on', () => {
    const [{ facts }] = questionsIn([call(1), 'timeout', call(2), ask('a'), decline('a'), done(2)]) as [Subject];
    expect(facts.call).not.toHaveProperty('method');
  });

  test('the request on whose reply it came, over HTTP, whatever else is in flight', () => {
    const [{ facts }] = questionsIn(
      [
        '> #one POST {} {"id":1,"method":"tools/call","params":{"name":"ask","arguments":{}}}',
        '> #two POST {} {"id":2,"method":"prompts/list"}',
        ask('a').replace('<', '< #one'),
        decline('a'),
        '< #two {"id":2,"result":{"prompts":[]}}',
        '< #one {"id":1,"result":{"content":[]}}',
      ],
      'http',
    ) as [Subject];
    expect(facts).toMatchObject({ call: { method: 'tools/call', outcome: 'result' } });
  });
});

test('a second question of the kind in the same request is told of the first', () => {
  const facts = questionsIn([call(1), ask('a'), decline('a'), ask('b'), decline('b'), done(1)]).map(
    (one) => (one.facts.call as { askedAgain: boolean }).askedAgain,
  );
  expect(facts).toEqual([true, false]);
});

test('a question that is never answered is told all the same', () => {
  expect(questionsIn([call(1), ask('a'), 'timeout'])[0]!.facts).toMatchObject({
    call: { outcome: 'timeout', failed: true },
  });
  expect(questionsIn([ask('a')])[0]!.facts).toMatchObject({ outcome: 'unanswered' });
});

test('it is not claimed that a server stopped a loop before its call is over', () => {
  const use =
    '> {"id":"a","result":{"role":"assistant","model":"m","stopReason":"toolUse","content":[{"type":"tool_use","id":"u1","name":"t","input":{}}]}}';
  const sample =
    '< {"id":"a","method":"sampling/createMessage","params":{"messages":[],"maxTokens":9,"tools":[{"name":"t","inputSchema":{"type":"object"}}]}}';
  const takenUp = (trace: string[]): unknown => (questionsIn(trace)[0]!.facts.loop as { takenUp?: boolean }).takenUp;
  expect(takenUp([call(1), sample, use, done(1)])).toBe(false);
  expect(takenUp([call(1), sample, use, 'timeout'])).toBeUndefined();
  expect(takenUp([call(1), 'timeout', call(2), sample, use, done(2)])).toBeUndefined();
});
