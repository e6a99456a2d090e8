/** A failed verdict names the smallest part that is wrong, by its path in the message, and nothing that is right. */
import { expect, test } from 'vitest';
import { exampleTrace } from '../../src/core/rules/examples/example-trace.ts';
import { eraOf } from '../../src/core/spec/revisions.ts';
import type { Revision } from '../../src/core/model/rules/requirement.ts';
import { judgeTrace, loadProject } from '../support/rules.ts';

const project = await loadProject();

async function actualOf(
  rule: string,
  method: string,
  result: unknown,
  revision: Revision = '2025-11-25',
  params?: unknown,
): Promise<string | undefined> {
  const trace = [
    `> ${JSON.stringify({ id: 1, method, ...(params === undefined ? {} : { params }) })}`,
    `< ${JSON.stringify({ id: 1, result })}`,
  ];
  const example = {
    verdict: 'fail' as const,
    trace,
    serverCapabilities: { tools: {}, prompts: {}, resources: {}, completions: {} },
  };
  const outcome = await judgeTrace(
    project.rule(rule),
    exampleTrace(example, { transport: 'stdio', revision, era: eraOf(revision) }),
  );
  expect(outcome?.status).toBe('fail');
  return outcome?.actual;
}

const tool = (name: string, inputSchema: unknown = { type: 'object' }): unknown => ({ name, inputSchema });
const called = { name: 'search', arguments: {} };

test.each<[rule: string, method: string, result: unknown, actual: string, params?: unknown]>([
  [
    'tools/list-item-schema',
    'tools/list',
    { tools: [tool('a'), tool('b'), tool('c'), tool('d', {})] },
    'result.tools[3].inputSchema.type is missing',
  ],
  [
    'resources/read-content-schema',
    'resources/read',
    { contents: [{ uri: 'a:b', text: '' }, { uri: 'a:c' }] },
    'result.contents[1] has none of the members text and blob',
    { uri: 'a:b' },
  ],
  [
    'tools/call-content-types',
    'tools/call',
    {
      content: [
        { type: 'text', text: '' },
        { type: 'image', data: 'QQ==' },
      ],
    },
    'result.content[1].mimeType is missing',
    called,
  ],
  [
    'tools/call-content-types',
    'tools/call',
    { content: [{ type: 'resource', resource: { uri: 'a:b' } }] },
    'result.content[0].resource has none of the members text and blob',
    called,
  ],
  [
    'prompts/get-message-schema',
    'prompts/get',
    { messages: [{ role: 'user', content: { type: 'audio', data: 5, mimeType: 'a/b' } }] },
    'result.messages[0].content.data is a number where a string must stand',
    { name: 'p' },
  ],
  [
    'completion/result-schema',
    'completion/complete',
    { completion: { values: ['a', 1] } },
    'result.completion.values[1] is a number where a string must stand',
    { ref: { type: 'ref/prompt', name: 'p' }, argument: { name: 'a', value: '' } },
  ],
])('%s of %s', async (rule, method, result, actual, params) => {
  expect(await actualOf(rule, method, result, '2025-11-25', params)).toBe(actual);
});

test('a schema of the target is judged by its parts', async () => {
  const schema = { type: 'object', properties: { a: { type: 'object', properties: { b: { type: 'any' } } } } };
  expect(await actualOf('schema/validation-schema-validity', 'tools/list', { tools: [tool('a', schema)] })).toMatch(
    /^result\.tools\[\*\]\.inputSchema, entry 0: properties\.a\.properties\.b\.type is "any" where one of /,
  );
});

test('parts of alternatives that hold are not told', async () => {
  expect(
    await actualOf('tools/call-result-schema', 'tools/call', { content: [], isError: 'no' }, '2025-11-25', called),
  ).toBe('result.isError is "no"');
});
