/** Mutations of tools: their listing, their results and their errors. */
import type { JsonObject } from '../../../../server/protocol/json-rpc.ts';
import { isObject } from '../../../../server/protocol/json-rpc.ts';
import type { Revision } from '../../../../server/protocol/revisions.ts';
import { allRevisions, statelessRevision } from '../../../../server/protocol/revisions.ts';
import { metaKey } from '../../../../server/dispatch/stateless-meta.ts';
import { editing, errorFor, resultOf, withEntry, withResult, without } from '../edits.ts';
import type { Mutation } from '../mutation.ts';
import { from, mutation } from '../mutation.ts';

type Given = Parameters<typeof mutation>[0];

/** A mutation of entries in the list of tools, each of which also breaks the schema of an entry. */
function listed(
  slug: string,
  description: string,
  edit: (message: JsonObject) => JsonObject,
  rest: Partial<Given> = {},
): Mutation {
  return mutation({
    rule: `tools/${slug}`,
    revisions: allRevisions,
    description,
    alsoBreaks: ['tools/list-item-schema'],
    change: { outgoing: editing(resultOf('tools/list'), edit) },
    ...rest,
  });
}

function called(
  slug: string,
  description: string,
  edit: (message: JsonObject) => JsonObject,
  rest: Partial<Given> = {},
): Mutation {
  return mutation({
    rule: `tools/${slug}`,
    revisions: allRevisions,
    description,
    alsoBreaks: ['tools/call-content-types', 'tools/call-result-schema'],
    change: { outgoing: editing(resultOf('tools/call'), edit) },
    ...rest,
  });
}

const sinceNaming: Revision[] = ['2025-11-25', statelessRevision];
const renamed = (name: string): ((message: JsonObject) => JsonObject) =>
  withEntry('tools', 'name', 'fail', () => ({ name }));

const listings: readonly Mutation[] = [
  listed('name-length', 'The name of a tool has 200 characters.', renamed('fail'.repeat(50)), {
    revisions: sinceNaming,
    alsoBreaks: [],
  }),
  ...(
    [
      ['emptiness', '', 'has no name'],
      ['token', 'two words', 'has a blank in its name'],
    ] as const
  ).map(([slug, name, what]) =>
    mutation({
      rule: `http/param-header-annotation-${slug}`,
      revisions: [statelessRevision],
      transports: ['stdio', 'http'],
      description: `The header for a parameter of a tool ${what}.`,
      change: {
        outgoing: editing(
          resultOf('tools/list'),
          withEntry('tools', 'name', 'echo', (tool) => ({ inputSchema: marked(tool, name) })),
        ),
      },
    }),
  ),
  mutation({
    rule: 'http/param-header-annotation-types',
    revisions: [statelessRevision],
    transports: ['stdio', 'http'],
    description: 'A parameter that is any number has a header.',
    change: {
      outgoing: editing(
        resultOf('tools/list'),
        withEntry('tools', 'name', 'add', (tool) => ({ inputSchema: marked(tool, 'Summand') })),
      ),
    },
  }),
];

/** The input schema of a tool with a header named for each parameter. */
function marked(tool: JsonObject, header: string): JsonObject {
  const schema = tool.inputSchema as JsonObject;
  const properties = Object.entries(schema.properties as Record<string, JsonObject>).map(([name, one], index) => [
    name,
    { ...one, 'x-mcp-header': index === 0 ? header : `${header}-${index}` },
  ]);
  return { ...schema, properties: Object.fromEntries(properties) as JsonObject };
}

const results: readonly Mutation[] = [
  called(
    'call-result-schema',
    'The content of a tool result is no list.',
    withResult((result) => ('content' in result ? { content: { type: 'text', text: 'bare' } } : {})),
    {
      alsoBreaks: [
        'tools/call-content-types',
        'tools/result-structured-text-copy',
        'tasks/result-equivalence',
        'ext-tasks/errors-completed-result',
      ],
    },
  ),
  called(
    'result-structured-object',
    'Structured content is a list.',
    withResult((result) => ('structuredContent' in result ? { structuredContent: [result.structuredContent] } : {})),
    {
      alsoBreaks: [
        'tools/call-content-types',
        'tools/call-result-schema',
        'tools/output-schema-conformance',
        'tools/result-structured-text-copy',
      ],
      revisions: ['2025-06-18', '2025-11-25'],
    },
  ),
  mutation({
    rule: 'tools/result-embedded-resource-capability',
    revisions: [...from('2025-06-18'), statelessRevision],
    description: 'Tools embed resources though the server has none.',
    change: { capabilities: (declared) => without(declared, 'resources') },
  }),
];

const errors: readonly Mutation[] = [
  mutation({
    rule: 'tools/errors-invalid-arguments',
    revisions: allRevisions,
    description: 'A call without required arguments ends well.',
    change: {
      outgoing: editing(
        (about, message) =>
          resultOf('tools/call')(about, message) && JSON.stringify(message).includes('"The argument '),
        (message) => ({ ...message, result: without(message.result as JsonObject, 'isError') }),
      ),
    },
  }),
  mutation({
    rule: 'tools/errors-unknown-tool',
    revisions: allRevisions,
    description: 'An unknown tool is a result that says so.',
    // A call without a name names no tool that is known.
    alsoBreaks: ['meta/server-info-inclusion', 'tools/call-malformed-request'],
    change: {
      outgoing: editing(errorFor('unknown-tool'), ({ id }) => ({
        jsonrpc: '2.0',
        id,
        result: { resultType: 'complete', content: [{ type: 'text', text: 'Unknown tool' }], isError: true },
      })),
    },
  }),
  mutation({
    rule: 'tools/call-malformed-request',
    revisions: [statelessRevision],
    transports: ['stdio', 'http'],
    description: 'A call without a name ends well.',
    change: {
      incoming(message, session, sink) {
        const nameless =
          message.method === 'tools/call' && (message.params as JsonObject | undefined)?.name === undefined;
        const result = {
          resultType: 'complete',
          content: [],
          _meta: { [metaKey.serverInfo]: session.host.serverInfo },
        };
        if (nameless) sink.finish([{ jsonrpc: '2.0', id: message.id, result }], { method: 'tools/call' });
        return nameless;
      },
    },
  }),
];

/** Arguments of the last call, for a tool that uses what it was given. */
const argumentsOf = (message: JsonObject): string =>
  JSON.stringify(isObject(message.params) ? message.params.arguments : undefined) ?? '';

const behaviours: readonly Mutation[] = [
  called(
    'output-schema-conformance',
    'A number in structured content is a text.',
    withResult((result) => {
      const { structuredContent } = result;
      return isObject(structuredContent) && 'celsius' in structuredContent
        ? { structuredContent: { ...structuredContent, celsius: 'mild' } }
        : {};
    }),
    { revisions: [...from('2025-06-18'), statelessRevision], alsoBreaks: ['tools/result-structured-text-copy'] },
  ),
  called(
    'result-structured-text-copy',
    'Structured content is not repeated as text.',
    withResult((result) =>
      'structuredContent' in result ? { content: [{ type: 'text', text: 'See the structured content.' }] } : {},
    ),
    {
      revisions: [...from('2025-06-18'), statelessRevision],
      alsoBreaks: [],
    },
  ),
  mutation({
    rule: 'tools/name-case-sensitivity',
    revisions: ['2025-11-25'],
    description: 'Tools are found by their names in any letter case.',
    change: {
      incoming(message) {
        if (message.method === 'tools/call' && isObject(message.params) && typeof message.params.name === 'string')
          message.params.name = message.params.name.toLowerCase();
        return false;
      },
    },
  }),
  mutation({
    rule: 'tools/errors-execution-failure',
    revisions: allRevisions,
    description: 'A failure of a tool is an internal error.',
    // The result of a task is left as it is.
    alsoBreaks: ['tasks/errors-wrapped-error'],
    change: {
      outgoing: editing(
        (about, message) =>
          resultOf('tools/call')(about, message) && JSON.stringify(message).includes('This tool always fails.'),
        ({ id }) => ({ jsonrpc: '2.0', id, error: { code: -32603, message: 'This tool always fails.' } }),
      ),
    },
  }),
  mutation({
    rule: 'tools/security-input-validation',
    alsoBreaks: ['tools/errors-invalid-arguments'],
    description: 'A tool works with arguments of whatever type.',
    change: {
      incoming(message, session) {
        if (message.method === 'tools/call') session.memo.set('arguments', argumentsOf(message));
        return false;
      },
      outgoing: editing(
        (about, message) =>
          resultOf('tools/call')(about, message) && JSON.stringify(message).includes('has to be of type'),
        (message, { session }) => ({
          ...message,
          result: { content: [{ type: 'text', text: `worked with ${String(session.memo.get('arguments'))}` }] },
        }),
      ),
    },
  }),
];

export const toolMutations: readonly Mutation[] = [...listings, ...results, ...errors, ...behaviours];
