/** Legal but unusual tools, resources and schemas, which no rule may fail. */
import type { JsonObject } from '../../../server/protocol/json-rpc.ts';
import { isObject } from '../../../server/protocol/json-rpc.ts';
import { declaring, editing, resultOf, withEntries, withResult, withToolResults } from '../mutations/edits.ts';
import type { Variant } from '../mutations/mutation.ts';
import { allTransports } from '../mutations/mutation.ts';

const draft07 = 'http://json-schema.org/draft-07/schema#';

/** A schema in the manner of older generators: an earlier draft by name, tuples, references, keywords of its own. */
function olderSchema(schema: unknown): unknown {
  if (!isObject(schema) || schema.$schema !== undefined) return schema;
  const properties = isObject(schema.properties) ? schema.properties : {};
  const pair = { type: 'array', items: [{ type: 'string' }, { $ref: '#/definitions/word' }], 'x-order': 1 };
  return {
    ...schema,
    $schema: draft07,
    properties: { ...properties, pair },
    definitions: { word: { type: 'string', format: 'word', nullable: true } },
  };
}

/** Metadata with every form of key that is legal. */
const manyKeys: JsonObject = {
  plain: 1,
  'a_b-c.d': 2,
  'com.example/': 3,
  'com.example.mcp-tools/x': { _deep: null },
  'single/key': [],
  'x2-y/z9': '',
};

let reads = 0;

export const offeringVariants: readonly Variant[] = [
  {
    id: 'older-schemas',
    transports: allTransports,
    uses: ['schema/dialect-declaration'],
    description: 'Tools have schemas of draft-07 with tuples, references and unknown keywords.',
    change: {
      outgoing: editing(
        resultOf('tools/list'),
        withEntries(
          'tools',
          ({ inputSchema, outputSchema }) =>
            ({
              inputSchema: olderSchema(inputSchema),
              ...(outputSchema === undefined ? {} : { outputSchema: olderSchema(outputSchema) }),
            }) as JsonObject,
        ),
      ),
    },
  },
  {
    id: 'many-meta-keys',
    transports: allTransports,
    uses: ['meta/key-name-inner-characters'],
    description: 'Tools have _meta with every form of key.',
    change: {
      outgoing: editing(
        resultOf('tools/list'),
        withEntries('tools', () => ({ _meta: manyKeys })),
      ),
    },
  },
  {
    id: 'wrapped-output',
    transports: allTransports,
    description: 'Every tool without structured content wraps its text as the only member of one.',
    change: {
      outgoing: withToolResults((result) => {
        const [first] = Array.isArray(result.content) ? (result.content as JsonObject[]) : [];
        return result.structuredContent === undefined && result.isError !== true && first?.type === 'text'
          ? { structuredContent: { result: first.text } }
          : {};
      }),
    },
  },
  {
    id: 'unannounced-lists',
    transports: allTransports,
    lacks: ['prompts/list-changed-permission', 'resources/list-changed-permission', 'tools/list-changed-permission'],
    description: 'Lists change without notifications, since no such capability is declared.',
    change: {
      outgoing: (message, about) =>
        typeof message.method === 'string' && message.method.endsWith('/list_changed')
          ? []
          : declaring((declared) => ({ ...declared, tools: {}, prompts: {}, resources: { subscribe: true } }))(
              message,
              about,
            ),
    },
  },
  {
    id: 'living-resources',
    transports: allTransports,
    description: 'Resources read differently each time, and updates name a part of what is subscribed.',
    change: {
      outgoing(message, about) {
        if (message.method === 'notifications/resources/updated' && isObject(message.params)) {
          return [{ ...message, params: { ...message.params, uri: `${String(message.params.uri)}/part` } }];
        }
        if (!resultOf('resources/read')(about, message)) return [message];
        reads += 1;
        return [
          withResult(({ contents }) =>
            Array.isArray(contents)
              ? {
                  contents: contents.map((one: JsonObject) =>
                    'text' in one ? { ...one, text: `${String(one.text)} (read ${reads})` } : one,
                  ),
                }
              : {},
          )(message),
        ];
      },
    },
  },
  {
    id: 'lenient-arguments',
    transports: allTransports,
    shortOf: { 'tools/errors-invalid-arguments': 'what is missing is taken as a default here' },
    description: 'Tools make what they can of wrong arguments instead of refusing them.',
    change: {
      outgoing: editing(
        (about, message) =>
          resultOf('tools/call')(about, message) &&
          /The argument \w+ (?:is missing|has to be)/.test(JSON.stringify(message)),
        (message) => ({
          ...message,
          result: { ...(message.result as JsonObject), content: [{ type: 'text', text: 'NaN' }], isError: false },
        }),
      ),
    },
  },
];
