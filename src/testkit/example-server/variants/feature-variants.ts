/** Legal ways that make use of what is permitted, where the plain server does not; each names the rules of level MAY that see it. */
import type { JsonObject } from '../../../server/protocol/json-rpc.ts';
import { isObject } from '../../../server/protocol/json-rpc.ts';
import {
  editing,
  progressNotice,
  resultOf,
  withEntries,
  withParams,
  withResult,
  withToolResults,
} from '../mutations/edits.ts';
import type { Variant } from '../mutations/mutation.ts';
import { allTransports, httpOnly } from '../mutations/mutation.ts';

const link = { type: 'resource_link', uri: 'file:///reference/notes.txt', name: 'notes' };

const directory = {
  uri: 'file:///reference/notes',
  name: 'notes',
  description: 'A folder.',
  mimeType: 'inode/directory',
};

/** The resource of the slow tool shows the time as well. */
const ticking = editing(
  resultOf('resources/read'),
  withResult(({ contents }) =>
    Array.isArray(contents)
      ? {
          contents: (contents as JsonObject[]).map((one) =>
            one.uri === 'demo://work' ? { ...one, text: `${String(one.text)} at ${performance.now()}` } : one,
          ),
        }
      : {},
  ),
);

export const featureVariants: readonly Variant[] = [
  {
    id: 'work-beside-a-clock',
    solitary: true,
    transports: ['stdio', 'http'],
    watchesWork: true,
    description: 'The resource that shows the work of a tool changes by itself as well.',
    change: { outgoing: ticking },
  },
  {
    id: 'progress-in-fractions',
    transports: allTransports,
    uses: ['progress/value-fraction'],
    description: 'Progress and total are no whole numbers.',
    change: {
      outgoing: editing(
        progressNotice,
        withParams(({ progress, total }) => ({
          progress: Number(progress) + 0.5,
          ...(typeof total === 'number' ? { total: total + 0.5 } : {}),
        })),
      ),
    },
  },
  {
    id: 'listening-in-turns',
    transports: httpOnly,
    revisions: ['2025-03-26', '2025-06-18', '2025-11-25'],
    uses: ['http/get-server-close'],
    description: 'A listening stream is closed after each message; the client may open another one.',
    change: { neglects: ['keep-listening-streams'] },
  },
  {
    id: 'directories',
    transports: allTransports,
    uses: ['resources/uri-file-xdg-types'],
    description: 'A directory is among the resources.',
    change: {
      incoming(message, _session, sink) {
        if (message.method !== 'resources/read' || (message.params as JsonObject | undefined)?.uri !== directory.uri)
          return false;
        sink.finish(
          [
            {
              jsonrpc: '2.0',
              id: message.id,
              result: { contents: [{ uri: directory.uri, mimeType: directory.mimeType, text: 'notes.txt' }] },
            },
          ],
          { method: message.method },
        );
        return true;
      },
      outgoing(message, about) {
        if (!resultOf('resources/list')(about, message)) return [message];
        // The newest revision has a file among its resources.
        if (about.era === 'stateless')
          return [
            withEntries('resources', ({ uri }) =>
              String(uri).startsWith('file:') ? { mimeType: directory.mimeType } : {},
            )(message),
          ];
        return [
          withResult(({ resources, nextCursor }) =>
            nextCursor === undefined ? { resources: [...(resources as JsonObject[]), directory] } : {},
          )(message),
        ];
      },
    },
  },
  {
    id: 'linked-prompts',
    transports: allTransports,
    revisions: ['2026-07-28'],
    uses: ['prompts/content-resource-link'],
    description: 'Prompts end with a link to a resource.',
    change: {
      outgoing: editing(
        resultOf('prompts/get'),
        withResult(({ messages }) =>
          Array.isArray(messages) ? { messages: [...(messages as JsonObject[]), { role: 'user', content: link }] } : {},
        ),
      ),
    },
  },
  {
    id: 'several-contents',
    transports: allTransports,
    revisions: ['2026-07-28'],
    uses: ['resources/read-multiple-contents'],
    description: 'A resource that is read comes with another one below it.',
    change: {
      outgoing: editing(
        resultOf('resources/read'),
        withResult(({ contents }) =>
          Array.isArray(contents)
            ? {
                contents: (contents as JsonObject[]).flatMap((one) => [
                  one,
                  { ...one, uri: `${String(one.uri)}/more` },
                ]),
              }
            : {},
        ),
      ),
    },
  },
  {
    id: 'plain-structures',
    transports: allTransports,
    revisions: ['2026-07-28'],
    uses: ['tools/result-structured-any-json'],
    description: 'Tools without structured content give their text as such, and as JSON in its place.',
    change: {
      outgoing: withToolResults((result) => {
        const [first, ...rest] = Array.isArray(result.content) ? (result.content as JsonObject[]) : [];
        if (result.structuredContent !== undefined || result.isError === true || first?.type !== 'text') return {};
        return { structuredContent: first.text, content: [{ ...first, text: JSON.stringify(first.text) }, ...rest] };
      }),
    },
  },
  {
    id: 'tasks-told-to-the-model',
    transports: allTransports,
    revisions: ['2025-11-25'],
    uses: ['tasks/create-immediate-response'],
    description: 'The model learns at once that a task runs.',
    change: {
      outgoing: editing(
        (about, message) => resultOf('tools/call')(about, message) && isObject((message.result as JsonObject).task),
        withResult(({ _meta }) => ({
          _meta: {
            ...(isObject(_meta) ? _meta : {}),
            'io.modelcontextprotocol/model-immediate-response': 'The work has begun.',
          },
        })),
      ),
    },
  },
  {
    id: 'both-eras-discovered',
    transports: allTransports,
    revisions: ['2026-07-28'],
    uses: ['versioning/era-dual-server'],
    description: 'server/discover names revisions of the stateful era, too, which the server speaks.',
    change: {
      outgoing: editing(
        resultOf('server/discover'),
        withResult(({ supportedVersions }) =>
          Array.isArray(supportedVersions)
            ? { supportedVersions: [...(supportedVersions as string[]), '2025-11-25'] }
            : {},
        ),
      ),
    },
  },
];
