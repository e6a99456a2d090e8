/** Faults of messages as such: JSON-RPC, _meta, error codes. */
import { isObject } from '../../../src/server/protocol/json-rpc.ts';
import { without } from '../../../src/testkit/example-server/mutations/edits.ts';
import {
  both,
  capabilitiesKey,
  hearing,
  modernOnly,
  ofEntry,
  ofErrors,
  ofQuestions,
  ofResults,
  onStdio,
  overHttp,
  refuseWith,
  versionKey,
  type CatalogueFault,
} from './fault.ts';

export const messageFaults: readonly CatalogueFault[] = [
  {
    id: 'error-without-id',
    violates: ['jsonrpc.response.error-id'],
    description:
      'The error for an unknown tool carries the id null, since it is made where the request is not known any more.',
    transports: both,
    change: {
      outgoing: (message, about) => [
        about.era === 'stateless' && about.reason === 'unknown-tool' ? { ...message, id: null } : message,
      ],
    },
  },
  {
    id: 'string-id-as-number',
    violates: ['jsonrpc.response.result-id'],
    description: 'An id that is a string of digits comes back as a number.',
    transports: both,
    change: {
      outgoing: (message, about) => [
        about.kind === 'result' &&
        about.era === 'stateless' &&
        typeof message.id === 'string' &&
        /^\d+$/.test(message.id)
          ? { ...message, id: Number(message.id) }
          : message,
      ],
    },
  },
  {
    id: 'completion-without-result-type',
    violates: ['jsonrpc.result.type-member'],
    description: 'The result of completion/complete has no resultType; all others have it.',
    transports: both,
    change: ofResults('completion/complete', (result) => without(result, 'resultType')),
  },
  {
    id: 'partial-result-type',
    violates: ['jsonrpc.result.type-value-set'],
    // A type that no extension of both sides defines.
    alsoBreaks: ['extensions.mismatch.fallback'],
    description: 'Pages of prompts/list that are not the last one say resultType "partial".',
    transports: both,
    change: ofResults('prompts/list', (result) =>
      result.nextCursor === undefined ? undefined : { ...result, resultType: 'partial' },
    ),
  },
  {
    id: 'answered-notification',
    violates: ['jsonrpc.notification.response-absence'],
    description: 'A notification that the server does not know is answered with an error without id.',
    transports: onStdio,
    change: {
      incoming(message, _session, sink) {
        const method = String(message.method);
        if (message.id !== undefined || ['notifications/cancelled', 'notifications/initialized'].includes(method))
          return false;
        sink.finish(
          [{ jsonrpc: '2.0', id: null, error: { code: -32601, message: `Unknown notification ${method}` } }],
          { method },
        );
        return true;
      },
    },
  },
  {
    id: 'latin-1-bytes',
    violates: ['jsonrpc.encoding.utf8'],
    // What is no UTF-8 is no JSON.
    alsoBreaks: [
      'http.post.response-type',
      'stdio.stdout.purity',
      'jsonrpc.message.form',
      'http.sse.message-per-event',
    ],
    description: 'Messages are written as Latin-1, which shows as soon as one has an umlaut: the greeting.',
    transports: both,
    change: {
      ...ofResults('resources/read', (result, { uri }) =>
        uri === 'demo://greeting'
          ? { ...result, contents: [{ uri, mimeType: 'text/plain', text: 'Schöne Grüße.' }] }
          : undefined,
      ),
      bytes: (text) => Buffer.from(text, 'latin1'),
    },
  },
  {
    id: 'invented-reserved-code',
    violates: ['errors.reserved-range.undefined-codes'],
    description: 'An unknown tool is refused with -32050, a code of the reserved range that means nothing.',
    transports: both,
    change: { outgoing: ofErrors('unknown-tool', (error) => ({ ...error, code: -32050 })) },
  },
  {
    id: 'retired-code-for-templates',
    violates: ['resources.read.not-found-32602', 'errors.retired-code.resource-not-found'],
    description:
      'Where nothing is behind a URI of the scheme demo:, the error has the retired code -32002; other unknown URIs get -32602.',
    transports: both,
    change: {
      outgoing: ofErrors('unknown-resource', (error) =>
        isObject(error.data) && String(error.data.uri).startsWith('demo:') ? { ...error, code: -32002 } : undefined,
      ),
    },
  },
  {
    id: 'version-code-for-cursors',
    violates: ['errors.reserved-range.meanings'],
    alsoBreaks: ['pagination.cursor.invalid-code', 'versioning.unsupported.error-data'],
    description: 'A cursor that is none is refused with -32022, as if it were of another version.',
    transports: both,
    change: { outgoing: ofErrors('cursor', (error) => ({ ...error, code: -32022 })) },
  },
  {
    id: 'internal-error-for-no-request',
    violates: ['errors.code.invalid-request'],
    description: 'What is JSON and no request of JSON-RPC ends in an internal error (-32603).',
    transports: both,
    change: {
      outgoing: (message, about) => [
        about.kind === 'error' && about.reason === 'invalid'
          ? { ...message, error: { code: -32603, message: 'Internal error' } }
          : message,
      ],
    },
  },
  {
    id: 'internal-error-for-no-json',
    violates: ['errors.code.parse-error'],
    description: 'What is no JSON ends in an internal error (-32603); over HTTP with status 500.',
    transports: both,
    change: {
      outgoing: (message, about) => [
        about.kind === 'error' && about.reason === 'parse'
          ? { ...message, error: { code: -32603, message: 'Internal error' } }
          : message,
      ],
      http: {
        reply: (reply) =>
          reply.reason === 'parse'
            ? {
                ...reply,
                status: 500,
                body: { jsonrpc: '2.0', id: null, error: { code: -32603, message: 'Internal error' } },
              }
            : reply,
      },
    },
  },
  {
    id: 'questions-without-server-info',
    violates: ['meta.server-info.inclusion'],
    description: 'Results that ask for input do not name the server in _meta; complete results do.',
    transports: both,
    change: ofQuestions((result) => without(result, '_meta')),
  },
  {
    id: 'server-info-without-version',
    violates: ['meta.implementation.name-and-version'],
    description: 'The serverInfo in results of prompts/get has a name and no version.',
    transports: both,
    change: ofResults('prompts/get', (result) => ({
      ...result,
      _meta: { ...(result._meta as object), 'io.modelcontextprotocol/serverInfo': { name: 'mcpc-reference' } },
    })),
  },
  {
    id: 'label-beginning-with-a-digit',
    violates: ['meta.key.prefix-labels'],
    description: 'The _meta of the contents of a resource has a key with the prefix com.4paws/.',
    transports: both,
    change: ofResults('resources/read', (result) => ({
      ...result,
      contents: (result.contents as object[]).map((one) => ({ ...one, _meta: { 'com.4paws/kind': 'demo' } })),
    })),
  },
  {
    id: 'reserved-prefix-in-a-prompt',
    violates: ['meta.key.prefix-reservation'],
    description: 'A prompt of the list has a key of its own under com.mcp.tools/, a prefix that MCP keeps.',
    transports: both,
    change: ofEntry('prompts/list', 'prompts', 'name', 'review', (prompt) => ({
      ...prompt,
      _meta: { 'com.mcp.tools/category': 'review' },
    })),
  },
  {
    id: 'calls-without-capabilities',
    violates: ['meta.request.missing-capabilities-rejection'],
    description: 'tools/call is served without clientCapabilities in _meta; every other method demands them.',
    transports: both,
    change: { incoming: hearing('tools/call', ({ meta }) => void (meta[capabilitiesKey] ??= {})) },
  },
  {
    id: 'completion-without-version',
    violates: ['meta.request.missing-version-rejection'],
    description: 'completion/complete is served without a version in _meta.',
    transports: both,
    serve: modernOnly,
    change: {
      incoming: hearing(
        'completion/complete',
        ({ params, meta }) => void (isObject(params._meta) && (meta[versionKey] ??= '2026-07-28')),
      ),
    },
  },
  {
    id: 'missing-capabilities-with-200',
    violates: ['meta.request.rejection-http-400'],
    description: 'The refusal of a request without clientCapabilities comes with HTTP status 200.',
    transports: overHttp,
    change: {
      http: {
        reply: (reply) =>
          reply.reason === 'meta' && JSON.stringify(reply.body).includes('clientCapabilities')
            ? { ...reply, status: 200 }
            : reply,
      },
    },
  },
  {
    id: 'trace-in-capitals',
    violates: ['meta.trace-context.server-format'],
    description: 'The traceparent of an answer is written in capital hexadecimal digits.',
    transports: both,
    change: {
      outgoing(message, about) {
        const result = message.result;
        const meta = isObject(result) && isObject(result._meta) ? result._meta : {};
        if (about.era !== 'stateless' || typeof meta.traceparent !== 'string') return [message];
        return [
          {
            ...message,
            result: { ...(result as object), _meta: { ...meta, traceparent: meta.traceparent.toUpperCase() } },
          },
        ];
      },
    },
  },
  {
    id: 'calls-demand-client-info',
    violates: ['meta.client-info.server-insistence'],
    description: 'tools/call is refused where the client does not tell its name.',
    transports: both,
    change: {
      incoming: hearing(
        'tools/call',
        (request) =>
          isObject(request.params._meta) &&
          request.meta['io.modelcontextprotocol/clientInfo'] === undefined &&
          refuseWith(request, -32602, 'clientInfo is missing'),
      ),
    },
  },
  {
    id: 'descriptions-by-client',
    violates: ['meta.client-info.behaviour-influence'],
    description: 'The description of a tool addresses the client by its name, so that the list depends on clientInfo.',
    transports: both,
    change: ofResults('tools/list', (result, { _meta: meta }) => {
      const info = isObject(meta) ? meta['io.modelcontextprotocol/clientInfo'] : undefined;
      const client = isObject(info) ? String(info.name) : 'client';
      return {
        ...result,
        tools: (result.tools as { name: string; description: string }[]).map((tool) =>
          tool.name === 'about' ? { ...tool, description: `${tool.description} Made for ${client}.` } : tool,
        ),
      };
    }),
  },
];
