/** Mutations of cancellation, in both directions. */
import type { BehaviourChange } from '../../../../server/session/behaviour.ts';
import type { JsonObject } from '../../../../server/protocol/json-rpc.ts';
import { errorCode, idKey, isObject } from '../../../../server/protocol/json-rpc.ts';
import type { Host } from '../../../../server/session/host.ts';
import type { ReplySink } from '../../../../server/protocol/reply-sink.ts';
import type { Session } from '../../../../server/session/session.ts';
import { editing, requestNamed, resultOf } from '../edits.ts';
import { statefulRevisions, statelessRevision } from '../../../../server/protocol/revisions.ts';
import type { Mutation } from '../mutation.ts';
import { from, httpOnly, mutation } from '../mutation.ts';

type IncomingSeam = NonNullable<BehaviourChange['incoming']>;

/** Ends the process on stdio; elsewhere ends the session, which is what a crash looks like there. */
function crash(session: Session): void {
  if (session.transport === 'stdio') session.host.exit(1);
  session.close();
}

interface Reply {
  id: unknown;
  sink: ReplySink;
}

function repliesOf({ scratch }: Host): Reply[] {
  const known = scratch.get('replies') as Reply[] | undefined;
  if (known) return known;
  const fresh: Reply[] = [];
  scratch.set('replies', fresh);
  return fresh;
}

/** The reply to the request that the same client sent next. */
function nextReply(own: ReplySink, host: Host): ReplySink {
  const replies = repliesOf(host);
  const id = replies.find(({ sink }) => sink === own)?.id;
  return replies.find((one) => one.id === Number(id) + 1)?.sink ?? own;
}

const cancelledUnknown: IncomingSeam = (message, session, sink) => {
  if (message.method !== 'notifications/cancelled') return false;
  const requestId = isObject(message.params) ? message.params.requestId : undefined;
  if (session.running.has(idKey(requestId))) return false;
  sink.finish([
    { jsonrpc: '2.0', id: null, error: { code: errorCode.invalidParams, message: 'There is no such request' } },
  ]);
  return true;
};

/** Remembers the server's ping, and cancels it in one way or another. */
function cancellingPing(
  when: 'at once' | 'long after its answer',
  params: (id: unknown) => JsonObject,
): BehaviourChange {
  const cancel = (session: Session): void => {
    const id = session.memo.get('ping');
    if (id === undefined) return;
    session.memo.delete('ping');
    session.memo.set('cancelled ping', id);
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
      if ('result' in message && message.id === session.memo.get('ping')) session.memo.set('requests since', 0);
      else if ('method' in message && 'id' in message && session.memo.has('requests since')) {
        const since = Number(session.memo.get('requests since'));
        session.memo.set('requests since', since + 1);
        // By the third request the server has answered one that the client sent after its own answer.
        if (since === 2) cancel(session);
      }
      return false;
    },
  };
}

export const cancellationMutations: readonly Mutation[] = [
  mutation({
    rule: 'cancellation/notification-own-request',
    description: 'The server cancels a request that it never sent.',
    alsoBreaks: ['cancellation/notification-in-progress-request', 'cancellation/notification-in-flight-schema'],
    // Ahead of a tool result: there the order of messages is plain on every transport.
    change: {
      outgoing: editing(resultOf('tools/call'), (message) => [
        { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'never-sent' } },
        message,
      ]),
    },
  }),
  mutation({
    rule: 'cancellation/notification-in-progress-request',
    transports: ['stdio', 'sse'],
    description: 'The server cancels its ping after the answer to it.',
    alsoBreaks: ['cancellation/notification-in-flight-schema'],
    change: cancellingPing('long after its answer', (requestId) => ({ requestId })),
  }),
  mutation({
    rule: 'cancellation/notification-in-flight-schema',
    transports: ['stdio', 'sse'],
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
    rule: 'cancellation/sender-late-response',
    // Elsewhere an error that names no request of the client cannot be laid to one of its messages.
    transports: httpOnly,
    revisions: from('2025-03-26'),
    description: 'The answer to a ping that the server cancelled is answered with an error.',
    alsoBreaks: ['jsonrpc/response-error-id', 'http/post-notification-202', 'http/post-notification-rejection'],
    change: {
      ...cancellingPing('at once', (requestId) => ({ requestId })),
      incoming: (message, session, sink) => {
        const late = 'result' in message && message.id === session.memo.get('cancelled ping');
        if (late)
          sink.finish([
            {
              jsonrpc: '2.0',
              id: message.id,
              error: { code: errorCode.invalidRequest, message: 'There is no such request' },
            },
          ]);
        return late;
      },
    },
  }),
  mutation({
    rule: 'cancellation/receiver-work-stop',
    description: 'Cancelled work goes on, silently but for its progress.',
    alsoBreaks: [
      'cancellation/receiver-work-stop-seen',
      'cancellation/receiver-stdio-message-silence',
      'subscriptions/teardown-client-cancellation',
    ],
    change: { neglects: ['stop-cancelled-work'] },
  }),
  mutation({
    rule: 'cancellation/receiver-work-stop-seen',
    revisions: [...statefulRevisions, statelessRevision],
    transports: ['stdio', 'http'],
    description: 'Cancelled work goes on, which shows in a resource.',
    alsoBreaks: [
      'cancellation/receiver-work-stop',
      'cancellation/receiver-stdio-message-silence',
      'subscriptions/teardown-client-cancellation',
    ],
    change: { neglects: ['stop-cancelled-work', 'stop-abandoned-work'] },
  }),
  mutation({
    rule: 'cancellation/receiver-response-suppression',
    description: 'A cancelled request is answered with an error, somewhat later.',
    alsoBreaks: ['cancellation/receiver-stdio-message-silence'],
    change: { neglects: ['silence-cancelled-requests'] },
  }),
  mutation({
    rule: 'cancellation/receiver-stdio-message-silence',
    transports: ['stdio'],
    revisions: [statelessRevision],
    description: 'Cancelled work continues and reports progress.',
    alsoBreaks: [
      'cancellation/receiver-work-stop',
      'cancellation/receiver-work-stop-seen',
      'subscriptions/teardown-client-cancellation',
    ],
    change: { neglects: ['stop-cancelled-work'] },
  }),
  mutation({
    rule: 'cancellation/receiver-http-message-silence',
    transports: ['http'],
    revisions: [statelessRevision],
    description: 'Work with a closed reply continues, and reports progress on the reply to the next request.',
    // The reply to the next request may be one of another connection of the check, whose requests carried no such token.
    alsoBreaks: [
      'cancellation/receiver-work-stop-seen',
      'http/sse-interim-relevance',
      'progress/flow-http-stream',
      'progress/token-active-reference',
    ],
    change: {
      neglects: ['stop-abandoned-work'],
      incoming({ id }, { host }, sink) {
        repliesOf(host).push({ id, sink });
        return false;
      },
      route: ({ method }, own, { host }) =>
        method === 'notifications/progress' && own.lost?.() === true ? nextReply(own, host) : own,
    },
  }),
  mutation({
    rule: 'cancellation/receiver-invalid-notices',
    description: 'A cancellation of an unknown request is answered with an error.',
    alsoBreaks: [
      'jsonrpc/notification-response-absence',
      'http/post-notification-202',
      'http/post-notification-rejection',
      'cancellation/race-tolerance',
      'jsonrpc/response-error-id',
    ],
    change: { incoming: cancelledUnknown },
  }),
  mutation({
    rule: 'cancellation/race-tolerance',
    description: 'A cancellation of a ping that was answered already is fatal.',
    // Over HTTP it is the session that ends, which a server may do at any time.
    transports: ['stdio', 'sse'],
    alsoBreaks: ['cancellation/receiver-invalid-notices', 'ping/answer-promptness'],
    change: {
      incoming: (message, session) => {
        if (message.method === 'ping') session.memo.set(`ping ${idKey(message.id)}`, true);
        const late =
          message.method === 'notifications/cancelled' &&
          isObject(message.params) &&
          session.memo.has(`ping ${idKey(message.params.requestId)}`);
        if (late) crash(session);
        return false;
      },
    },
  }),
];
