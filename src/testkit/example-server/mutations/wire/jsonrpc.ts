/** Mutations of the message format. */
import { errorCode, isObject } from '../../../../server/protocol/json-rpc.ts';
import { allRevisions } from '../../../../server/protocol/revisions.ts';
import { editing, errorFor, foreignId, requestNamed, resultOf, sampleMethod, withError } from '../edits.ts';
import type { Mutation } from '../mutation.ts';
import { from, mutation } from '../mutation.ts';

const knownNotifications = new Set([
  'notifications/initialized',
  'notifications/cancelled',
  'notifications/progress',
  'notifications/roots/list_changed',
]);

export const jsonrpcMutations: readonly Mutation[] = [
  mutation({
    rule: 'jsonrpc/base-lifecycle-support',
    revisions: from('2025-03-26'),
    description: 'A client that asks for the oldest revision gets no answer to initialize.',
    // Nothing came on stdout, and nothing on the event stream that was opened for the answer.
    alsoBreaks: ['stdio/stream-server-io', 'http/sse-response-delivery'],
    change: {
      incoming: (message, session, sink) => {
        const ignored =
          message.method === 'initialize' &&
          isObject(message.params) &&
          message.params.protocolVersion === '2024-11-05';
        if (ignored && session.transport === 'http') sink.finish([], { reason: 'ignored' });
        return ignored;
      },
    },
  }),
  mutation({
    rule: 'errors/code-invalid-request',
    revisions: allRevisions,
    description: 'A method that is no string is taken for a fault of the params.',
    change: {
      outgoing: editing(
        (about, message) => about.kind === 'error' && message.id === 'mcpc-odd',
        withError({ code: errorCode.invalidParams }),
      ),
    },
  }),
  mutation({
    rule: 'errors/invalid-request-answer',
    revisions: allRevisions,
    transports: ['stdio', 'sse'],
    description: 'A request whose method is no string is left open.',
    change: {
      outgoing: editing(
        (about, message) => about.kind === 'error' && message.id === 'mcpc-odd',
        () => [],
      ),
    },
  }),
  mutation({
    id: 'errors/invalid-request-answer@http',
    rule: 'errors/invalid-request-answer',
    transports: ['http'],
    // In 2025-11-25 it is refused by the status of the reply.
    revisions: allRevisions.filter((one) => one !== '2025-11-25'),
    description: 'A request whose method is no string is left open.',
    change: {
      outgoing: editing(
        (about, message) => about.kind === 'error' && message.id === 'mcpc-odd',
        () => [],
      ),
    },
  }),
  mutation({
    rule: 'jsonrpc/request-id-type',
    description: 'The ping of the server has a fractional id.',
    change: {
      outgoing: editing(requestNamed('ping'), (message, { session }) => {
        const count = Number(session.memo.get('pings') ?? 0);
        session.memo.set('pings', count + 1);
        return { ...message, id: count + 0.5 };
      }),
    },
  }),
  mutation({
    rule: 'jsonrpc/response-result-id',
    revisions: allRevisions,
    description: `The answer to ${sampleMethod} is preceded by one with an unused id.`,
    alsoBreaks: ['http/sse-message-per-event'],
    change: {
      outgoing: editing(resultOf(sampleMethod), (message) => [{ ...message, id: foreignId(message.id) }, message]),
    },
  }),
  mutation({
    rule: 'jsonrpc/response-error-id',
    revisions: allRevisions,
    description: 'The error for an unknown method is preceded by one with an unused id.',
    // Two messages in a reply make it a stream, and that has the status 200.
    alsoBreaks: ['http/post-unknown-method-404', 'http/sse-message-per-event'],
    change: {
      outgoing: editing(errorFor('unknown-method'), (message) => [{ ...message, id: foreignId(message.id) }, message]),
    },
  }),
  mutation({
    rule: 'jsonrpc/error-message-brevity',
    description: 'The error for an unknown method is a story of many lines.',
    advisory: true,
    change: {
      outgoing: editing(errorFor('unknown-method'), (message) => ({
        ...message,
        error: {
          code: errorCode.methodNotFound,
          message: 'This method is not known here. Let me tell you more about that.\n'.repeat(40),
        },
      })),
    },
  }),
  mutation({
    rule: 'jsonrpc/notification-response-absence',
    revisions: from('2025-03-26'),
    description: 'An unknown notification is answered with an error.',
    alsoBreaks: ['http/post-notification-202', 'http/post-notification-rejection', 'jsonrpc/response-error-id'],
    change: {
      incoming: (message, _session, sink) => {
        const unknown = !('id' in message) && !knownNotifications.has(String(message.method));
        if (unknown)
          sink.finish([
            { jsonrpc: '2.0', id: null, error: { code: errorCode.methodNotFound, message: 'Method not found' } },
          ]);
        return unknown;
      },
    },
  }),
  mutation({
    rule: 'jsonrpc/batch-reception',
    revisions: ['2025-03-26'],
    description: 'Batches are refused.',
    change: { neglects: ['accept-batches'] },
  }),
  mutation({
    rule: 'jsonrpc/encoding-utf8',
    revisions: [...from('2025-03-26'), '2026-07-28'],
    description: 'The instructions of the server are written in Latin-1.',
    // Ids that are no Latin-1 lose bytes as well, and some of what is left is no JSON.
    alsoBreaks: ['http/post-response-type', 'stdio/stdout-purity'],
    change: {
      bytes: (text) =>
        text.includes('"instructions":"A reference')
          ? Buffer.from(text.replace('"A reference', '"A r\u00e9f\u00e9rence'), 'latin1')
          : Buffer.from(text),
    },
  }),
];
