/** Mutations of ping, cancellation, progress, pagination and the error codes. */
import type { BehaviourChange } from '../core/behaviour.ts';
import { compliant } from '../core/behaviour.ts';
import { errorCode, idKey, isObject } from '../core/json-rpc.ts';
import type { JsonObject } from '../core/json-rpc.ts';
import { makeCursor } from '../core/pagination.ts';
import type { ReplySink } from '../core/reply-sink.ts';
import { allRevisions } from '../core/revisions.ts';
import type { Session } from '../core/session.ts';
import { editing, errorFor, progressNotice, requestNamed, resultOf, withError, withParams, withResult } from './edits.ts';
import type { Mutation } from './mutation.ts';
import { mutation } from './mutation.ts';

type IncomingSeam = NonNullable<BehaviourChange['incoming']>;

/** Ends the process on stdio; elsewhere ends the session, which is what a crash looks like there. */
function crash(session: Session): void {
  if (session.transport === 'stdio') process.exit(1);
  session.close();
}

/** Answers a request with an error of its own making. */
function refuse(message: JsonObject, sink: ReplySink, code: number, text: string): true {
  sink.finish([{ jsonrpc: '2.0', id: message.id, error: { code, message: text } }], { method: String(message.method) });
  return true;
}

const cancelledUnknown: IncomingSeam = (message, session, sink) => {
  if (message.method !== 'notifications/cancelled') return false;
  const requestId = isObject(message.params) ? message.params.requestId : undefined;
  if (session.running.has(idKey(requestId))) return false;
  sink.finish([{ jsonrpc: '2.0', id: null, error: { code: errorCode.invalidParams, message: 'There is no such request' } }]);
  return true;
};

const pingMutations: readonly Mutation[] = [
  mutation({
    rule: 'ping/answer-promptness',
    description: 'ping is an unknown method.',
    alsoBreaks: ['ping/answer-empty-result', 'ping/request-params-absence', 'jsonrpc/base-lifecycle-support', 'cancellation/race-tolerance'],
    change: { incoming: (message, _session, sink) => message.method === 'ping' && refuse(message, sink, errorCode.methodNotFound, 'Method not found') },
  }),
  mutation({
    rule: 'ping/answer-empty-result',
    description: 'The result of ping has a member.',
    change: { outgoing: editing(resultOf('ping'), withResult(() => ({ pong: true }))) },
  }),
  mutation({
    rule: 'ping/request-params-absence',
    description: 'A ping with params is refused.',
    alsoBreaks: ['ping/answer-promptness'],
    change: {
      incoming: (message, _session, sink) =>
        message.method === 'ping' && message.params !== undefined && refuse(message, sink, errorCode.invalidParams, 'ping has no parameters'),
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

/** Remembers the server's ping, and cancels it in one way or another. */
function cancellingPing(when: 'at once' | 'long after its answer', params: (id: unknown) => JsonObject): BehaviourChange {
  const cancel = (session: Session): void => {
    const id = session.memo.get('ping');
    if (id === undefined) return;
    session.memo.delete('ping');
    session.notify('notifications/cancelled', params(id));
  };
  return {
    outgoing: editing(requestNamed('ping'), (message, about) => {
      about.session.memo.set('ping', message.id);
      return message;
    }),
    onInitialized: (session) => {
      if (when === 'at once') cancel(session);
    },
    incoming: (message, session) => {
      if (when === 'at once') return false;
      if ('result' in message && message.id === session.memo.get('ping')) session.memo.set('answered', true);
      else if ('method' in message && session.memo.get('answered') === true) cancel(session);
      return false;
    },
  };
}

const cancellationMutations: readonly Mutation[] = [
  mutation({
    rule: 'cancellation/notification-own-request',
    description: 'The server cancels a request that it never sent.',
    alsoBreaks: ['cancellation/notification-in-progress-request', 'cancellation/notification-in-flight-schema'],
    change: { onInitialized: (session) => session.notify('notifications/cancelled', { requestId: 'never-sent' }) },
  }),
  mutation({
    rule: 'cancellation/notification-in-progress-request',
    description: 'The server cancels its ping after the answer to it.',
    alsoBreaks: ['cancellation/notification-in-flight-schema'],
    change: cancellingPing('long after its answer', (requestId) => ({ requestId })),
  }),
  mutation({
    rule: 'cancellation/notification-in-flight-schema',
    description: 'The server cancels its ping after the answer to it.',
    alsoBreaks: ['cancellation/notification-in-progress-request'],
    change: cancellingPing('long after its answer', (requestId) => ({ requestId })),
  }),
  mutation({
    rule: 'cancellation/notification-request-id',
    description: 'A cancellation of the server names no request.',
    alsoBreaks: ['cancellation/notification-own-request'],
    change: { onInitialized: (session) => session.notify('notifications/cancelled', { reason: 'unknown' }) },
  }),
  mutation({
    rule: 'cancellation/notification-reason-type',
    description: 'A cancellation of the server gives a number for its reason.',
    change: cancellingPing('at once', (requestId) => ({ requestId, reason: 7 })),
  }),
  mutation({
    rule: 'cancellation/receiver-work-stop',
    description: 'Cancelled work goes on, silently but for its progress.',
    change: { neglects: ['stop-cancelled-work'] },
  }),
  mutation({
    rule: 'cancellation/receiver-response-suppression',
    description: 'A cancelled request is answered with an error, somewhat later.',
    change: { neglects: ['silence-cancelled-requests'] },
  }),
  mutation({
    rule: 'cancellation/receiver-invalid-notices',
    description: 'A cancellation of an unknown request is answered with an error.',
    alsoBreaks: ['jsonrpc/notification-response-absence', 'http/post-notification-202', 'http/post-notification-rejection', 'cancellation/race-tolerance', 'jsonrpc/response-error-id'],
    change: { incoming: cancelledUnknown },
  }),
  mutation({
    rule: 'cancellation/race-tolerance',
    description: 'A cancellation of a ping that was answered already is fatal.',
    alsoBreaks: ['cancellation/receiver-invalid-notices'],
    change: {
      incoming: (message, session) => {
        if (message.method === 'ping') session.memo.set(`ping ${idKey(message.id)}`, true);
        const late = message.method === 'notifications/cancelled' && isObject(message.params) && session.memo.has(`ping ${idKey(message.params.requestId)}`);
        if (late) crash(session);
        return false;
      },
    },
  }),
];

const progressMutations: readonly Mutation[] = [
  mutation({
    rule: 'progress/token-type',
    description: 'The ping of the server has an object for its progress token.',
    change: { outgoing: editing(requestNamed('ping'), (message) => ({ ...message, params: { _meta: { progressToken: { number: 1 } } } })) },
  }),
  mutation({
    rule: 'progress/token-uniqueness',
    description: 'Two pings of the server, sent together, have the same progress token.',
    change: {
      outgoing: editing(requestNamed('ping'), (message) => ({ ...message, params: { _meta: { progressToken: 'shared' } } })),
      onInitialized: (session) => void session.request('ping').catch(() => {}),
    },
  }),
  mutation({
    rule: 'progress/token-active-reference',
    revisions: allRevisions,
    description: 'The result of a tool is preceded by progress under a token that nobody gave.',
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
      alsoBreaks: ['progress/token-running-operation', 'progress/flow-completion-stop', 'progress/token-active-reference', 'http/sse-close-after-response'],
      change: {
        outgoing: (message, about) => {
          const { memo } = about.session;
          if (about.method === 'notifications/progress') memo.set('progress', message);
          if (about.kind !== 'result' || about.method !== 'tools/call' || !memo.has('progress')) return [message];
          const last = memo.get('progress') as JsonObject;
          memo.delete('progress');
          return [message, withParams((params) => ({ progress: Number(params.progress) + 1 }))(last)];
        },
      },
    }),
  ),
  mutation({
    rule: 'progress/value-increase',
    revisions: allRevisions,
    description: 'Progress goes backwards.',
    change: { outgoing: editing(progressNotice, withParams((params) => ({ progress: 100 - Number(params.progress) }))) },
  }),
  mutation({
    rule: 'progress/flow-rate-limit',
    revisions: allRevisions,
    description: 'Each step of progress is reported in a hundred small ones.',
    advisory: true,
    change: {
      outgoing: editing(progressNotice, (message) =>
        Array.from({ length: 100 }, (_, index) => withParams((params) => ({ progress: Number(params.progress) - 1 + (index + 1) / 100 }))(message)),
      ),
    },
  }),
  mutation({
    rule: 'progress/notification-schema',
    revisions: allRevisions,
    description: 'The total of progress is a string.',
    change: { outgoing: editing(progressNotice, withParams((params) => ({ total: String(params.total) }))) },
  }),
];

const paginationMutations: readonly Mutation[] = [
  mutation({
    rule: 'pagination/cursor-stability',
    revisions: allRevisions,
    description: 'The same cursor gives other items on every second use.',
    alsoBreaks: ['pagination/cursor-continuation'],
    change: {
      paginate: (items, cursor, size, list, session) => {
        const page = compliant.paginate(items, cursor, size, list, session);
        if (cursor === undefined) return page;
        const uses = Number(session.host.scratch.get(`cursor ${String(cursor)}`) ?? 0) + 1;
        session.host.scratch.set(`cursor ${String(cursor)}`, uses);
        return uses % 2 === 0 ? { ...page, items: [...items].slice(0, 1) } : page;
      },
    },
  }),
  mutation({
    rule: 'pagination/cursor-invalid-handling',
    description: 'An invalid cursor is never answered.',
    alsoBreaks: ['pagination/cursor-invalid-code'],
    change: { outgoing: editing(errorFor('cursor'), () => []) },
  }),
  mutation({
    rule: 'pagination/cursor-invalid-code',
    description: 'An invalid cursor is an internal error.',
    change: { outgoing: editing(errorFor('cursor'), withError({ code: errorCode.internal })) },
  }),
  mutation({
    rule: 'pagination/cursor-next-type',
    description: 'The last page has a null cursor.',
    alsoBreaks: ['tools/list-result-schema', 'prompts/list-result-schema', 'resources/list-result-schema', 'resources/templates-result-schema'],
    change: { paginate: (items, cursor, size, list, session) => ({ nextCursor: null, ...compliant.paginate(items, cursor, size, list, session) }) },
  }),
  mutation({
    rule: 'pagination/cursor-continuation',
    description: 'The first page of tools comes again and again.',
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
    change: { outgoing: editing(errorFor('unknown-method'), (message) => ({ jsonrpc: '2.0', id: message.id, result: {} })) },
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
  ...cancellationMutations,
  ...progressMutations,
  ...paginationMutations,
  ...errorMutations,
];
