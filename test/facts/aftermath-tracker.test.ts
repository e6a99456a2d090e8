/** What a response that answers no request is laid to, and when that is left open. */
import { expect, test } from 'vitest';
import { createFold } from '../../src/core/facts/fold/fold.ts';
import { settled } from '../../src/core/facts/core/reading.ts';
import type { Subject } from '../../src/core/facts/state/subject.ts';
import type { RuleExample } from '../../src/core/model/rules/rule.ts';
import { exampleTrace } from '../../src/core/rules/examples/example-trace.ts';

function aftermathOf(method: string, trace: string[]): Subject[] {
  const found: Subject[] = [];
  const fold = createFold({
    transport: 'stdio',
    methods: {},
    knownRevisions: ['2025-11-25'],
  });
  const keep = (next: Iterable<Subject>): void => {
    for (const subject of next)
      if (subject.kind === 'followUp' && subject.facts.method === method)
        found.push({ ...subject, facts: settled(subject.facts) });
  };
  const example: RuleExample = { verdict: 'pass', trace };
  for (const event of exampleTrace(example, { transport: 'stdio', revision: '2025-11-25', era: 'stateful' }).events)
    keep(fold.push(event));
  keep(fold.end());
  return found;
}

const notice = '> {"method":"notifications/mcpc-undefined"}';
const odd = '> #odd {"id":1,"method":"mcpc/undefined-method"}';
const stray = '< {"id":-32603,"error":{"code":1,"message":"Unknown"}}';
const ping = ['> {"id":2,"method":"ping"}', '< {"id":2,"result":{}}'];

test('a stray response is laid to the notification before it', () => {
  expect(aftermathOf('notifications/mcpc-undefined', [notice, stray, ...ping])[0]!.facts).toMatchObject({
    orphans: [expect.anything()],
    failedAfter: 0,
  });
});

test('a later request that got no answer is told, for the stray response may be meant for it', () => {
  expect(
    aftermathOf('notifications/mcpc-undefined', [notice, odd, stray, 'timeout #odd', ...ping])[0]!.facts,
  ).toMatchObject({ orphans: [expect.anything()], failedAfter: 1 });
});

test('so is one that is still waiting', () => {
  expect(
    aftermathOf('notifications/mcpc-undefined', [notice, odd, stray, ...ping, 'timeout #odd'])[0]!.facts,
  ).toMatchObject({ orphans: [expect.anything()], failedAfter: 1 });
});

test('a request behind the stray response has nothing to do with it', () => {
  expect(
    aftermathOf('notifications/mcpc-undefined', [notice, stray, odd, ...ping, 'timeout #odd'])[0]!.facts,
  ).toMatchObject({ orphans: [expect.anything()], failedAfter: 0 });
});
