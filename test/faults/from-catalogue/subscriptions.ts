/** Faults of subscriptions. */
import type { BehaviourChange } from '../../../src/server/session/behaviour.ts';
import { isObject, type JsonObject } from '../../../src/server/protocol/json-rpc.ts';
import type { ReplySink } from '../../../src/server/protocol/reply-sink.ts';
import type { Session } from '../../../src/server/session/session.ts';
import {
  both,
  hearing,
  ofNotices,
  onStdio,
  overHttp,
  serverMeta,
  subscriptionKey,
  type CatalogueFault,
} from './fault.ts';

const acknowledged = 'notifications/subscriptions/acknowledged';
const events = [
  'notifications/tools/list_changed',
  'notifications/prompts/list_changed',
  'notifications/resources/list_changed',
  'notifications/resources/updated',
];

const idIn = ({ _meta: meta }: JsonObject): unknown => (isObject(meta) ? meta[subscriptionKey] : undefined);

/** Listens to another filter than was asked for, and acknowledges the one asked for, or what is made of it. */
function listeningTo(
  change: (filter: JsonObject) => void,
  acknowledge: (asked: JsonObject, granted: JsonObject) => JsonObject = (filter) => filter,
): BehaviourChange {
  const key = (id: unknown): string => `filter ${typeof id} ${String(id)}`;
  return {
    incoming: hearing('subscriptions/listen', (request) => {
      if (!isObject(request.params.notifications)) return;
      request.session.memo.set(key(request.message.id), structuredClone(request.params.notifications));
      change(request.params.notifications);
    }),
    outgoing: ofNotices(acknowledged, (params, message, { session }) => {
      const asked = session.memo.get(key(idIn(params)));
      return isObject(asked)
        ? { ...message, params: { ...params, notifications: acknowledge(asked, params.notifications as JsonObject) } }
        : undefined;
    }),
  };
}

/** An edit of the notices of changes. */
function ofEvents(
  edit: (params: JsonObject, session: Session) => JsonObject,
): NonNullable<BehaviourChange['outgoing']> {
  return (message, about) => {
    if (about.era !== 'stateless' || !events.includes(String(message.method)) || !isObject(message.params))
      return [message];
    return [{ ...message, params: edit(message.params, about.session) }];
  };
}

const known = (filter: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(filter).filter(([name]) =>
      /^(?:tools|prompts|resources)ListChanged$|^resourceSubscriptions$/.test(name),
    ),
  );

export const subscriptionFaults: readonly CatalogueFault[] = [
  {
    id: 'subscription-id-as-text',
    violates: ['subscriptions.identifier.value'],
    alsoBreaks: [
      'subscriptions.concurrency.server-separation',
      'subscriptions.identifier.presence',
      'subscriptions.acknowledgement.first-message',
    ],
    description:
      'Notices of changes carry the id of their subscription as a string, also where it is a number; the acknowledgement carries it as it is.',
    transports: both,
    change: { outgoing: ofEvents((params) => ({ ...params, _meta: { [subscriptionKey]: String(idIn(params)) } })) },
  },
  {
    id: 'updates-of-a-whole-scheme',
    violates: ['subscriptions.filter.resource-uris'],
    // They come under the id of a subscription that did not ask for them.
    alsoBreaks: ['subscriptions.concurrency.server-separation'],
    description: 'Who subscribes to one resource is told of the changes of another one of the same scheme.',
    transports: both,
    change: listeningTo(
      ({ resourceSubscriptions: uris }) =>
        void (
          Array.isArray(uris) &&
          uris.length > 0 &&
          !uris.includes('demo://counter') &&
          uris.push('demo://counter')
        ),
      known,
    ),
  },
  {
    id: 'resources-beside-prompts',
    violates: ['subscriptions.filter.type-adherence'],
    // It comes under the id of a subscription that did not ask for it.
    alsoBreaks: ['subscriptions.concurrency.server-separation'],
    description: 'Who asks for changes of the list of prompts is told of those of the list of resources, too.',
    transports: both,
    change: listeningTo(
      (filter) => void (filter.promptsListChanged === true && (filter.resourcesListChanged = true)),
      known,
    ),
  },
  {
    id: 'filter-acknowledged-as-asked',
    violates: ['subscriptions.acknowledgement.granted-subset'],
    description:
      'The acknowledgement repeats the filter as it was asked for, with types that the server does not know.',
    transports: both,
    change: listeningTo(() => {}),
  },
  {
    id: 'no-acknowledgement-for-uris',
    violates: ['subscriptions.acknowledgement.first-message'],
    alsoBreaks: ['subscriptions.acknowledgement.prior-silence', 'subscriptions.listen.http-stream'],
    description: 'A subscription to resources alone is not acknowledged; its notices come.',
    transports: both,
    change: {
      outgoing: ofNotices(acknowledged, ({ notifications }) =>
        isObject(notifications) && Object.keys(notifications).join() === 'resourceSubscriptions' ? [] : undefined,
      ),
    },
  },
  {
    id: 'result-for-the-cancelled',
    violates: [
      'subscriptions.teardown.client-cancellation',
      'cancellation.receiver.stdio-message-silence',
      'cancellation.receiver.response-suppression',
    ],
    description: 'A subscription that the client cancels is answered with its result all the same.',
    transports: onStdio,
    change: {
      incoming(message, session) {
        if (message.method === 'subscriptions/listen')
          session.host.scratch.set(`open ${JSON.stringify(message.id)}`, true);
        const id = isObject(message.params) ? message.params.requestId : undefined;
        if (message.method === 'notifications/cancelled' && session.host.scratch.delete(`open ${JSON.stringify(id)}`)) {
          setImmediate(() =>
            session.deliver({
              jsonrpc: '2.0',
              id,
              result: { resultType: 'complete', _meta: { ...serverMeta, [subscriptionKey]: id } },
            }),
          );
        }
        return false;
      },
    },
  },
  {
    id: 'update-without-uri',
    violates: ['subscriptions.event.schemas'],
    alsoBreaks: [
      'subscriptions.filter.resource-uris',
      'resources.updated.stream-delivery',
      'subscriptions.concurrency.server-separation',
    ],
    description: 'Notices of a changed resource name it in a member resource in place of uri.',
    transports: both,
    change: {
      outgoing: ofNotices('notifications/resources/updated', ({ uri, ...rest }, message) => ({
        ...message,
        params: { ...rest, resource: uri },
      })),
    },
  },
  {
    id: 'result-right-after-acknowledgement',
    violates: ['subscriptions.listen.result-timing'],
    description: 'The listen request is answered as soon as it is acknowledged, and notices follow.',
    transports: onStdio,
    change: {
      outgoing(message, about) {
        if (about.kind === 'result' && about.method === 'subscriptions/listen') return [];
        if (message.method !== acknowledged || !isObject(message.params)) return [message];
        const id = idIn(message.params);
        return [
          message,
          { jsonrpc: '2.0', id, result: { resultType: 'complete', _meta: { ...serverMeta, [subscriptionKey]: id } } },
        ];
      },
    },
  },
  {
    id: 'id-of-the-latest-subscription',
    violates: ['subscriptions.concurrency.server-separation', 'subscriptions.identifier.value'],
    alsoBreaks: [
      'subscriptions.filter.type-adherence',
      'subscriptions.filter.resource-uris',
      'subscriptions.filter.empty',
      'subscriptions.acknowledgement.prior-silence',
      'resources.updated.stream-delivery',
      'tools.list-changed.emission',
      'prompts.list-changed.emission',
      'resources.list-changed.emission',
    ],
    description: 'With several subscriptions open on a connection, all notices carry the id of the one opened last.',
    transports: onStdio,
    change: {
      incoming: hearing('subscriptions/listen', ({ session, message }) => void session.memo.set('latest', message.id)),
      outgoing: ofEvents((params, session) => ({
        ...params,
        _meta: { [subscriptionKey]: session.memo.get('latest') },
      })),
    },
  },
  {
    id: 'progress-on-listening-streams',
    violates: ['subscriptions.filter.request-scoped-exclusion', 'progress.flow.http-stream'],
    // It is the progress of calls of other clients, too, and comes to who listens for a task.
    alsoBreaks: [
      'subscriptions.filter.type-adherence',
      'progress.token.active-reference',
      'ext-tasks.notification.other-messages',
    ],
    description: 'The progress of a call is sent on every open subscription as well.',
    transports: overHttp,
    change: {
      incoming: hearing('subscriptions/listen', ({ session, message, sink }) => {
        const { scratch } = session.host;
        scratch.set('open', new Map([...((scratch.get('open') ?? []) as Map<unknown, ReplySink>), [message.id, sink]]));
      }),
      outgoing: ofNotices('notifications/progress', (params, message, { session }) => {
        for (const [id, sink] of (session.host.scratch.get('open') ?? []) as Map<unknown, ReplySink>)
          sink.related({ ...message, params: { ...params, _meta: { [subscriptionKey]: id } } });
        return message;
      }),
    },
  },
  {
    id: 'second-type-forgotten',
    violates: ['prompts.list-changed.emission', 'subscriptions.acknowledgement.granted-subset'],
    description: 'Of a filter with tools and prompts both are acknowledged, and only changes of the tools are told.',
    transports: both,
    change: listeningTo((filter) => void (filter.toolsListChanged === true && delete filter.promptsListChanged), known),
  },
  {
    id: 'silent-end',
    violates: ['subscriptions.teardown.server-result', 'cancellation.server.subscription-teardown'],
    description: 'When stdin is closed, open subscriptions end without a result and without notifications/cancelled.',
    transports: onStdio,
    change: {
      outgoing: (message, about) =>
        about.era === 'stateless' &&
        (message.method === 'notifications/cancelled' ||
          (about.kind === 'result' && about.method === 'subscriptions/listen'))
          ? []
          : [message],
    },
  },
];
