/** Faults of lists and what they offer: caching, pages, resources, prompts, tools, completion. */
import { isObject, type JsonObject } from '../../../src/server/protocol/json-rpc.ts';
import { paginate } from '../../../src/server/protocol/pagination.ts';
import { without } from '../../../src/testkit/example-server/mutations/edits.ts';
import { both, hearing, ofEntry, ofLaterPages, ofResults, ofTool, serverMeta, type CatalogueFault } from './fault.ts';

const hints = { ttlMs: 1000, cacheScope: 'public' };

/** An edit of the contents of a resource. */
function ofContents(
  fits: (uri: string) => boolean,
  edit: (content: JsonObject) => JsonObject,
): CatalogueFault['change'] {
  return ofResults('resources/read', (result, { uri }) =>
    fits(String(uri)) ? { ...result, contents: (result.contents as JsonObject[]).map(edit) } : undefined,
  );
}

export const offerFaults: readonly CatalogueFault[] = [
  {
    id: 'fraction-on-second-page',
    violates: ['caching.ttl.integer'],
    description: 'From the second page of resources/list on, ttlMs is a fraction.',
    transports: both,
    change: ofLaterPages('resources/list', (result) => ({ ...result, ttlMs: 999.5 })),
  },
  {
    id: 'negative-time-to-live',
    violates: ['caching.ttl.non-negativity'],
    description: 'The resource that changes is read with ttlMs -1.',
    transports: both,
    change: ofResults('resources/read', (result, { uri }) =>
      uri === 'demo://counter' ? { ...result, ttlMs: -1 } : undefined,
    ),
  },
  {
    id: 'shared-images',
    violates: ['caching.scope.value'],
    description: 'Results with binary contents say cacheScope "shared".',
    transports: both,
    change: ofResults('resources/read', (result) =>
      (result.contents as JsonObject[]).some(({ blob }) => blob !== undefined)
        ? { ...result, cacheScope: 'shared' }
        : undefined,
    ),
  },
  {
    id: 'private-later-pages',
    violates: ['caching.pages.scope-uniformity'],
    description: 'The first page of tools/list is public, the others are private.',
    transports: both,
    change: ofLaterPages('tools/list', (result) => ({ ...result, cacheScope: 'private' })),
  },
  {
    id: 'last-templates-without-hints',
    violates: ['caching.hints.templates-list'],
    description: 'The last page of resources/templates/list has no ttlMs.',
    transports: both,
    change: ofResults('resources/templates/list', (result) =>
      result.nextCursor === undefined ? without(result, 'ttlMs') : undefined,
    ),
  },
  {
    id: 'empty-for-missing-files',
    violates: ['resources.read.missing-as-empty', 'resources.read.not-found-32602'],
    description: 'A file: URI behind which there is nothing gives an empty list of contents.',
    transports: both,
    change: {
      outgoing(message, about) {
        const error = isObject(message.error) ? message.error : {};
        const isFile =
          about.era === 'stateless' &&
          about.reason === 'unknown-resource' &&
          isObject(error.data) &&
          String(error.data.uri).startsWith('file:');
        return [
          isFile
            ? {
                jsonrpc: '2.0',
                id: message.id,
                result: { resultType: 'complete', contents: [], ...hints, _meta: serverMeta },
              }
            : message,
        ];
      },
    },
  },
  {
    id: 'encoded-traversal',
    violates: ['resources.security.path-traversal', 'resources.security.uri-validation'],
    description: 'A file: URI that climbs up in percent-encoded dots gives what is outside; plain dots are refused.',
    transports: both,
    change: {
      outgoing(message, about) {
        const error = isObject(message.error) ? message.error : {};
        const uri = isObject(error.data) ? String(error.data.uri) : '';
        if (about.era !== 'stateless' || about.reason !== 'unknown-resource' || !/^file:.*%2e%2e/i.test(uri))
          return [message];
        const contents = [{ uri, mimeType: 'text/plain', text: '127.0.0.1 localhost\n' }];
        return [
          { jsonrpc: '2.0', id: message.id, result: { resultType: 'complete', contents, ...hints, _meta: serverMeta } },
        ];
      },
    },
  },
  {
    id: 'blob-for-addresses',
    violates: ['resources.security.binary-encoding'],
    alsoBreaks: ['resources.read.content-schema'],
    description: 'Binary contents are written in the alphabet of Base64 for addresses, without padding.',
    transports: both,
    change: ofContents(
      () => true,
      (content) =>
        content.blob === undefined
          ? content
          : {
              ...content,
              blob: `_-8${String(content.blob).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')}`,
            },
    ),
  },
  {
    id: 'priority-out-of-range',
    violates: ['resources.annotations.schema'],
    alsoBreaks: ['resources.list.item-schema'],
    description: 'Resources after the first page have a priority of 5.',
    transports: both,
    change: ofLaterPages('resources/list', (result) => ({
      ...result,
      resources: (result.resources as JsonObject[]).map((one) => ({
        ...one,
        annotations: { ...(one.annotations as JsonObject), priority: 5 },
      })),
    })),
  },
  {
    id: 'expanded-without-uri',
    violates: ['resources.read.content-schema'],
    description: 'The contents of what a template expands to lack their uri.',
    transports: both,
    change: ofContents(
      (uri) =>
        uri.startsWith('demo://echo/') || uri.startsWith('demo://square/') || /^demo:\/\/notes\/(?![12]$)/.test(uri),
      (content) => without(content, 'uri'),
    ),
  },
  {
    id: 'unclosed-template',
    violates: ['resources.templates.item-schema'],
    description: 'The last template of the list has a brace that is not closed.',
    transports: both,
    change: ofEntry('resources/templates/list', 'resourceTemplates', 'name', 'square', (template) => ({
      ...template,
      uriTemplate: 'demo://square/{n',
    })),
  },
  {
    id: 'system-message-in-a-prompt',
    violates: ['prompts.get.message-schema'],
    description: 'The last message of a prompt has the role system.',
    transports: both,
    change: ofResults('prompts/get', (result) => {
      const messages = result.messages as JsonObject[];
      return messages.length < 2
        ? undefined
        : { ...result, messages: [...messages.slice(0, -1), { ...messages.at(-1), role: 'system' }] };
    }),
  },
  {
    id: 'audio-of-no-mime-type',
    violates: ['prompts.content.audio'],
    description: 'The audio of a prompt has the MIME type wav.',
    transports: both,
    change: ofResults('prompts/get', (result) => ({
      ...result,
      messages: (result.messages as JsonObject[]).map((one) =>
        isObject(one.content) && one.content.type === 'audio'
          ? { ...one, content: { ...one.content, mimeType: 'wav' } }
          : one,
      ),
    })),
  },
  {
    id: 'prompt-without-its-argument',
    violates: ['prompts.errors.missing-arguments', 'prompts.get.argument-validation'],
    description: 'A prompt is rendered without an argument that it has to have.',
    transports: both,
    change: {
      incoming: hearing(
        'prompts/get',
        ({ params }) =>
          void (
            params.name === 'greet' &&
            (params.arguments = { name: 'undefined', ...(params.arguments as JsonObject | undefined) })
          ),
      ),
    },
  },
  {
    id: 'nameless-argument',
    violates: ['prompts.list.item-schema'],
    description: 'The second argument of a prompt has no name.',
    transports: both,
    change: ofEntry('prompts/list', 'prompts', 'name', 'greet', (prompt) => {
      const [first, second] = prompt.arguments as JsonObject[];
      return { ...prompt, arguments: [first, without(second!, 'name')] };
    }),
  },
  {
    id: 'shuffled-tools',
    violates: ['tools.list.deterministic-order'],
    // A page that is fetched again is another one.
    alsoBreaks: ['pagination.cursor.stability'],
    description: 'The tools come in another order every second time.',
    transports: both,
    change: ofResults('tools/list', (result, _params, { session: { host } }) => {
      const turn = Number(host.scratch.get('turn') ?? 0);
      host.scratch.set('turn', turn + 1);
      return turn % 2 === 0 ? undefined : { ...result, tools: (result.tools as JsonObject[]).toReversed() };
    }),
  },
  {
    id: 'empty-input-schema',
    violates: ['tools.input-schema.object-root'],
    alsoBreaks: ['tools.list.item-schema'],
    description: 'A tool without arguments, on a later page, has the inputSchema {}.',
    transports: both,
    change: ofEntry('tools/list', 'tools', 'name', 'ping-client', (tool) => ({ ...tool, inputSchema: {} })),
  },
  {
    id: 'number-as-text-in-structure',
    violates: ['tools.output-schema.conformance'],
    description: 'The structured result of a tool has a string where its outputSchema has a number.',
    transports: both,
    change: ofTool('forecast', (result) => {
      const structuredContent = { ...(result.structuredContent as JsonObject), celsius: '12.5' };
      return { ...result, structuredContent, content: [{ type: 'text', text: JSON.stringify(structuredContent) }] };
    }),
  },
  {
    id: 'no-copy-of-the-structure',
    violates: ['tools.result.structured-text-copy'],
    description: 'Beside its structured result a tool says that it is there, and does not repeat it.',
    transports: both,
    change: ofTool('forecast', (result) => ({
      ...result,
      content: [{ type: 'text', text: 'See the structured result.' }],
    })),
  },
  {
    id: 'link-without-name',
    violates: ['tools.call.content-types'],
    description: 'A link to a resource, the second block of a result, has no name.',
    transports: both,
    change: ofTool('attach', (result) => ({
      ...result,
      content: (result.content as JsonObject[]).map((block) =>
        block.type === 'resource_link' ? without(block, 'name') : block,
      ),
    })),
  },
  {
    id: 'hint-as-text',
    violates: ['tools.annotations.schema'],
    alsoBreaks: ['tools.list.item-schema'],
    description: 'One tool has the hint destructiveHint "false", a string.',
    transports: both,
    change: ofEntry('tools/list', 'tools', 'name', 'attach', (tool) => ({
      ...tool,
      annotations: { ...(tool.annotations as JsonObject), destructiveHint: 'false' },
    })),
  },
  {
    id: 'unknown-tool-as-result',
    violates: ['tools.errors.unknown-tool'],
    // A call without a name is one of an unknown tool.
    alsoBreaks: ['tools.call.malformed-request'],
    description: 'An unknown tool gives a result with isError in place of an error.',
    transports: both,
    change: {
      outgoing: (message, about) => [
        about.era === 'stateless' && about.reason === 'unknown-tool'
          ? {
              jsonrpc: '2.0',
              id: message.id,
              result: {
                resultType: 'complete',
                content: [{ type: 'text', text: 'Unknown tool' }],
                isError: true,
                _meta: serverMeta,
              },
            }
          : message,
      ],
    },
  },
  {
    id: 'arguments-as-list-taken',
    violates: ['tools.call.malformed-request'],
    alsoBreaks: ['tools.security.input-validation'],
    description: 'A tools/call whose arguments are a list is served as if there were none.',
    transports: both,
    change: {
      incoming: hearing(
        'tools/call',
        ({ params }) => void (Array.isArray(params.arguments) && (params.arguments = {})),
      ),
    },
  },
  {
    id: 'too-many-values',
    violates: ['completion.result.value-maximum'],
    alsoBreaks: ['completion.result.schema'],
    description: 'Where nothing was typed yet, completion returns 120 values.',
    transports: both,
    change: ofResults('completion/complete', (result, { argument }) =>
      isObject(argument) && argument.value === ''
        ? {
            ...result,
            completion: {
              values: Array.from({ length: 120 }, (_none, index) => `value ${index}`),
              total: 120,
              hasMore: false,
            },
          }
        : undefined,
    ),
  },
  {
    id: 'completion-for-unknown-prompt',
    violates: ['completion.errors.prompt-name'],
    alsoBreaks: ['completion.server.input-validation'],
    description: 'Completion for a prompt that does not exist is an empty list.',
    transports: both,
    change: {
      incoming: hearing('completion/complete', ({ message, params, sink }) => {
        const { ref } = params;
        if (
          !isObject(params.argument) ||
          !isObject(ref) ||
          ref.type !== 'ref/prompt' ||
          ['greet', 'summary', 'review', 'bonus'].includes(String(ref.name))
        )
          return false;
        sink.finish(
          [
            {
              jsonrpc: '2.0',
              id: message.id,
              result: { resultType: 'complete', completion: { values: [] }, _meta: serverMeta },
            },
          ],
          { method: 'completion/complete' },
        );
        return true;
      }),
    },
  },
  {
    id: 'endless-pages',
    violates: ['pagination.cursor.termination'],
    description: 'The last page of resources/list points to itself.',
    transports: both,
    change: {
      paginate(items, cursor, size, list) {
        const page = paginate(items, cursor, size, list);
        return list === 'resources' && page.nextCursor === undefined && cursor !== undefined
          ? { ...page, nextCursor: cursor }
          : page;
      },
    },
  },
  {
    id: 'bad-cursor-gives-first-page',
    violates: ['pagination.cursor.invalid-code'],
    alsoBreaks: ['pagination.cursor.invalid-handling'],
    description: 'prompts/list takes a cursor that is none for the beginning; the other lists refuse it.',
    transports: both,
    change: {
      paginate(items, cursor, size, list) {
        try {
          return paginate(items, cursor, size, list);
        } catch (thrown) {
          if (list === 'prompts') return paginate(items, undefined, size, list);
          throw thrown;
        }
      },
    },
  },
  {
    id: 'cursor-for-one-use',
    violates: ['pagination.cursor.stability'],
    description: 'A cursor that was used once is not taken again.',
    transports: both,
    change: {
      paginate(items, cursor, size, list, { host: { scratch } }) {
        const [real, nonce] = cursor === undefined ? [] : String(cursor).split('~');
        const page = paginate(items, nonce !== undefined && scratch.has(`used ${nonce}`) ? 'used' : real, size, list);
        if (nonce !== undefined) scratch.set(`used ${nonce}`, true);
        const count = Number(scratch.get('cursors') ?? 0);
        scratch.set('cursors', count + 1);
        return page.nextCursor === undefined ? page : { ...page, nextCursor: `${String(page.nextCursor)}~${count}` };
      },
    },
  },
];
