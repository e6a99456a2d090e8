/** Mutations of ping, progress, pagination and the error codes. */
import { compliant } from '../../../../server/session/behaviour.ts';
import type { JsonObject } from '../../../../server/protocol/json-rpc.ts';
import { errorCode, idKey, isObject } from '../../../../server/protocol/json-rpc.ts';
import { makeCursor } from '../../../../server/protocol/pagination.ts';
import { allRevisions } from '../../../../server/protocol/revisions.ts';
import { editing, errorFor, progressNotice, refuse, requestNamed, resultOf, withError, withParams } from '../edits.ts';
import type { Mutation } from '../mutation.ts';
import { mutation } from '../mutation.ts';

const pingMutations: readonly Mutation[] = [
  mutation({
    rule: 'ping/answer-promptness',
    description: 'ping is an unknown method.',
    alsoBreaks: [
      'ping/answer-empty-result',
      'ping/request-params-absence',
      'jsonrpc/base-lifecycle-support',
      'cancellation/race-tolerance',
    ],
    change: {
      incoming: (message, _session, sink) =>
        message.method === 'ping' && refuse(message, sink, errorCode.methodNotFound, 'Method not found'),
    },
  }),
  mutation({
    rule: 'ping/request-params-absence',
    description: 'A ping with params is refused.',
    alsoBreaks: ['ping/answer-promptness'],
    change: {
      incoming: (message, _session, sink) =>
        message.method === 'ping' &&
        message.params !== undefined &&
        refuse(message, sink, errorCode.invalidParams, 'ping has no parameters'),
    },
  }),
  mutation({
    rule: 'ping/frequency-moderation',
    description: 'The client is pinged twenty times a second for ten seconds.',
    advisory: true,
    change: {
      onInitialized: (session) => {
        let left = 200;
        const timer = setInterval(() => {
          left -= 1;
          if (left === 0 || session.phase === 'closed') clearInterval(timer);
          else session.request('ping').catch(() => {});
        }, 50);
      },
    },
  }),
];

const progressMutations: readonly Mutation[] = [
  mutation({
    rule: 'progress/token-uniqueness',
    description: 'Two pings of the server, sent together, have the same progress token.',
    change: {
      outgoing: editing(requestNamed('ping'), (message) => ({
        ...message,
        params: { _meta: { progressToken: 'shared' } },
      })),
      onInitialized: (session) => void session.request('ping').catch(() => {}),
    },
  }),
  mutation({
    rule: 'progress/token-active-reference',
    revisions: allRevisions,
    description: 'The result of a tool is preceded by progress with an unknown token.',
    change: {
      outgoing: editing(resultOf('tools/call'), (message) => [
        { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 'never-given', progress: 1 } },
        message,
      ]),
    },
  }),
  ...(['token-running-operation', 'flow-completion-stop'] as const).map((slug) =>
    mutation({
      rule: `progress/${slug}`,
      revisions: allRevisions,
      description: 'Progress is reported once more after the response.',
      alsoBreaks: [
        'progress/token-running-operation',
        'progress/flow-completion-stop',
        'progress/token-active-reference',
        'http/sse-close-after-response',
      ],
      change: {
        incoming: (message, { memo }) => {
          const meta = isObject(message.params) ? message.params._meta : undefined;
          if (isObject(meta) && 'id' in message) memo.set(`token of ${idKey(message.id)}`, meta.progressToken);
          return false;
        },
        outgoing: (message, about) => {
          const { memo } = about.session;
          if (about.method === 'notifications/progress')
            memo.set(`progress ${idKey((message.params as JsonObject).progressToken)}`, message);
          if (about.kind !== 'result' || about.method !== 'tools/call') return [message];
          const last = memo.get(`progress ${idKey(memo.get(`token of ${idKey(message.id)}`))}`);
          return isObject(last)
            ? [message, withParams((params) => ({ progress: Number(params.progress) + 1 }))(last)]
            : [message];
        },
      },
    }),
  ),
  mutation({
    rule: 'progress/value-increase',
    revisions: allRevisions,
    description: 'Progress goes backwards.',
    change: {
      outgoing: editing(
        progressNotice,
        withParams((params) => ({ progress: 100 - Number(params.progress) })),
      ),
    },
  }),
  mutation({
    rule: 'progress/flow-rate-limit',
    description: 'Each step of progress is reported in a hundred small ones.',
    // The first step of a task may come before its announcement.
    alsoBreaks: ['tasks/create-result-promptness'],
    advisory: true,
    change: {
      outgoing: editing(progressNotice, (message) =>
        Array.from({ length: 100 }, (_, index) =>
          withParams((params) => ({ progress: Number(params.progress) - 1 + (index + 1) / 100 }))(message),
        ),
      ),
    },
  }),
];

const paginationMutations: readonly Mutation[] = [
  mutation({
    rule: 'pagination/cursor-stability',
    revisions: allRevisions,
    description: 'The same cursor gives other items on every second use.',
    // A walk that meets the wrong page finds entries twice.
    alsoBreaks: [
      'pagination/cursor-continuation',
      'tools/name-uniqueness',
      'prompts/list-name-uniqueness',
      'resources/uri-uniqueness',
      'tools/list-changed-emission',
      'prompts/list-changed-emission',
      'resources/list-changed-emission',
    ],
    change: {
      paginate: (items, cursor, size, list, session) => {
        const page = compliant.paginate(items, cursor, size, list, session);
        if (cursor === undefined) return page;
        // The session of a stateless request does not outlive it, and never leaves the phase new.
        const notes = session.phase === 'new' ? session.host.scratch : session.memo;
        const uses = Number(notes.get(`cursor ${String(cursor)}`) ?? 0) + 1;
        notes.set(`cursor ${String(cursor)}`, uses);
        return uses % 2 === 0 ? { ...page, items: [...items].slice(0, 1) } : page;
      },
    },
  }),
  mutation({
    rule: 'pagination/cursor-refusal',
    revisions: allRevisions,
    description: 'No cursor is known any more when it comes back.',
    change: {
      paginate: (items, cursor, size, list, session) =>
        compliant.paginate(items, cursor === undefined ? undefined : 'of nobody', size, list, session),
    },
  }),
  mutation({
    rule: 'pagination/cursor-invalid-handling',
    description: 'An invalid cursor is never answered.',
    // Over HTTP the reply has event ids: when it ends without an answer, that may still come by resumption.
    transports: ['stdio'],
    alsoBreaks: ['pagination/cursor-invalid-code'],
    change: { outgoing: editing(errorFor('cursor'), () => []) },
  }),
  mutation({
    rule: 'pagination/cursor-invalid-code',
    description: 'An invalid cursor is an internal error.',
    alsoBreaks: ['tasks/errors-invalid-cursor'],
    change: { outgoing: editing(errorFor('cursor'), withError({ code: errorCode.internal })) },
  }),
  mutation({
    rule: 'pagination/cursor-next-type',
    description: 'The last page has a null cursor.',
    alsoBreaks: [
      'tools/list-result-schema',
      'prompts/list-result-schema',
      'resources/list-result-schema',
      'resources/templates-result-schema',
    ],
    change: {
      paginate: (items, cursor, size, list, session) => ({
        nextCursor: null,
        ...compliant.paginate(items, cursor, size, list, session),
      }),
    },
  }),
  mutation({
    rule: 'pagination/cursor-continuation',
    description: 'The first page of tools comes again and again.',
    alsoBreaks: ['tools/name-uniqueness'],
    change: {
      paginate: (items, cursor, size, list, session) => {
        const page = compliant.paginate(items, cursor, size, list, session);
        return list === 'tools' ? { items: items.slice(0, size), nextCursor: makeCursor(list, size) } : page;
      },
    },
  }),
];

const errorMutations: readonly Mutation[] = [
  mutation({
    rule: 'errors/code-method-not-found',
    revisions: allRevisions,
    description: 'An unknown method is answered with a result.',
    alsoBreaks: ['http/post-unknown-method-404', 'jsonrpc/result-type-member', 'meta/server-info-inclusion'],
    change: {
      outgoing: editing(errorFor('unknown-method'), (message) => ({ jsonrpc: '2.0', id: message.id, result: {} })),
    },
  }),
  mutation({
    rule: 'errors/code-invalid-params',
    description: 'A prompt or resource is returned though none was named.',
    change: { neglects: ['check-required-params'] },
  }),
  mutation({
    rule: 'errors/code-parse-error',
    description: 'Input that is no JSON ends the process, or is accepted over HTTP.',
    change: {
      neglects: ['survive-bad-json'],
      http: { reply: (reply) => (reply.reason === 'parse' ? { ...reply, status: 202, body: undefined } : reply) },
    },
  }),
];

export const utilityMutations: readonly Mutation[] = [
  ...pingMutations,
  ...progressMutations,
  ...paginationMutations,
  ...errorMutations,
];
