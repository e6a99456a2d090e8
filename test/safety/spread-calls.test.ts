/** No call puts a list on the stack that a target can make long: above some 100,000 items that ends the process. */
import { expect, test } from 'vitest';
import { eachNode, ts } from './source-syntax.ts';

/** Calls with a spread list of a length that the sources themselves decide. */
const short: Record<string, string> = {
  'src/api/matchers/index.ts: Reflect.apply(matcher, undefined, given)': 'what a test wrote down',
  'src/check/capture/read-episode.ts: warnings.unshift(...source.warnings().slice(0, reportedWarnings))':
    'a hundred warnings at most',
  'src/check/check.ts: sdkOfCommand(...commandOf(options))': 'a pair',
  "src/suites/exercise/fuzz/cases.ts: fc.constantFrom(...texts.map(([, value]) => value).filter((value) => typeof value === 'string'))":
    'the odd texts of the source',
  "src/suites/exercise/fuzz/cases.ts: fc.constantFrom<unknown>(...(form['enum'] as unknown[]).slice(0, 200))":
    'two hundred values at most',
  "src/core/facts/authorization/authorization-facts.ts: at('oauth', ...below)": 'two texts',
  "src/testkit/mock/script/header-match.ts: check(...mirrored('mcp-method', headers, recordOf(message).method))":
    'two values',
  "src/testkit/mock/script/header-match.ts: check(...mirrored('mcp-name', headers, nameIn(message)))": 'two values',
  'src/server/session/due.ts: Math.max(0, ...messages.map((message) => marksOf(message).delayMs ?? 0))':
    'the answers to one batch',
  'src/server/protocol/reply-sink.ts: collected.push(...messages)': 'the answers to one batch',
  'src/core/trace/event-check.ts: oneOf(...eventKinds)': 'the kinds of events',
};

test('lists are appended one by one, never spread into a call', () => {
  const found: string[] = [];
  eachNode((node, file) => {
    const spread = (ts.isCallExpression(node) || ts.isNewExpression(node)) && node.arguments?.some(ts.isSpreadElement);
    const applied =
      ts.isCallExpression(node) &&
      ts.isPropertyAccessExpression(node.expression) &&
      node.expression.name.text === 'apply';
    if (spread || applied) found.push(`${file}: ${node.getText().replace(/\s+/g, ' ')}`);
  });
  // Append with `append` of src/core/model/lists.ts; take `largest` and `smallest` for Math.max and Math.min.
  expect(found.filter((call) => !(call in short))).toEqual([]);
  expect(Object.keys(short).filter((call) => !found.includes(call))).toEqual([]);
});
