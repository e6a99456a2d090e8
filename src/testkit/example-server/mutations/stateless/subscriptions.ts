/** Mutations of subscriptions (2026-07-28: basic/patterns/subscriptions). */
import type { Duty } from '../../../../server/session/behaviour.ts';
import type { JsonObject } from '../../../../server/protocol/json-rpc.ts';
import { isObject } from '../../../../server/protocol/json-rpc.ts';
import type { ReplySink } from '../../../../server/protocol/reply-sink.ts';
import type { Session } from '../../../../server/session/session.ts';
import { statelessRevision } from '../../../../server/protocol/revisions.ts';
import { metaKey } from '../../../../server/dispatch/stateless-meta.ts';
import { editing, withParams } from '../edits.ts';
import type { Mutation } from '../mutation.ts';
import { httpOnly, mutation, stdioOnly } from '../mutation.ts';

type Given = Parameters<typeof mutation>[0];
type About = Parameters<Parameters<typeof editing>[0]>[0];

const acknowledgement = 'notifications/subscriptions/acknowledged';
const toolsChanged = 'notifications/tools/list_changed';

function subscription(given: Given): Mutation {
  return mutation({ transports: ['stdio', 'http'], revisions: [statelessRevision], ...given });
}

function omission(rule: string, description: string, neglects: readonly Duty[], rest: Partial<Given> = {}): Mutation {
  return subscription({ rule, description, change: { neglects }, ...rest });
}

const notified =
  (method: string) =>
  (about: About): boolean =>
    about.kind === 'notification' && about.method === method;

/** The tag of the subscription that a message belongs to. */
function tagOf(message: JsonObject): JsonObject {
  const params = isObject(message.params) ? message.params : {};
  return { _meta: params._meta };
}

/** The id of the request that the subscription of a message began with. */
function idOf(message: JsonObject): unknown {
  const { _meta: meta } = tagOf(message);
  return isObject(meta) ? meta[metaKey.subscriptionId] : undefined;
}

/** The reply, which ends behind the next message. */
function endingBehind(own: ReplySink): ReplySink {
  return {
    related(message) {
      own.related(message);
      own.finish([]);
    },
    finish: () => {},
  };
}

/** Ends a cancelled subscription by its result, which is no longer awaited. */
function answeringCancelled(message: JsonObject, session: Session): boolean {
  const open = (id: unknown): string => `listening ${JSON.stringify(id)}`;
  if (message.method === 'subscriptions/listen') session.host.scratch.set(open(message.id), true);
  const id = isObject(message.params) ? message.params.requestId : undefined;
  if (message.method !== 'notifications/cancelled' || !session.host.scratch.delete(open(id))) return false;
  setImmediate(() =>
    session.deliver({
      jsonrpc: '2.0',
      id,
      result: {
        resultType: 'complete',
        _meta: { [metaKey.subscriptionId]: id, [metaKey.serverInfo]: session.host.serverInfo },
      },
    }),
  );
  return false;
}

export const subscriptionMutations: readonly Mutation[] = [
  subscription({
    rule: 'subscriptions/acknowledgement-first-message',
    description: 'A change is announced before each acknowledgement.',
    alsoBreaks: [
      'subscriptions/acknowledgement-prior-silence',
      'subscriptions/filter-type-adherence',
      'subscriptions/filter-empty',
      'subscriptions/concurrency-server-separation',
    ],
    change: {
      outgoing: editing(notified(acknowledgement), (message) => [
        { jsonrpc: '2.0', method: toolsChanged, params: tagOf(message) },
        message,
      ]),
    },
  }),
  subscription({
    id: 'subscriptions/acknowledgement-first-message@never',
    rule: 'subscriptions/acknowledgement-first-message',
    description: 'Subscriptions are never acknowledged, and bring nothing.',
    change: {
      outgoing: editing(
        (about, message) => about.kind === 'notification' && idOf(message) !== undefined,
        () => [],
      ),
    },
  }),
  subscription({
    rule: 'subscriptions/acknowledgement-prior-silence',
    description: 'A change of tools is announced before each acknowledgement.',
    alsoBreaks: [
      'subscriptions/acknowledgement-first-message',
      'subscriptions/filter-type-adherence',
      'subscriptions/filter-empty',
      'subscriptions/concurrency-server-separation',
    ],
    change: {
      outgoing: editing(notified(acknowledgement), (message) => [
        { jsonrpc: '2.0', method: toolsChanged, params: tagOf(message) },
        message,
      ]),
    },
  }),
  subscription({
    rule: 'subscriptions/acknowledgement-granted-subset',
    description: 'Changes of prompts are granted to every client.',
    change: {
      outgoing: editing(
        notified(acknowledgement),
        withParams(({ notifications }) => ({
          notifications: { ...(notifications as JsonObject), promptsListChanged: true },
        })),
      ),
    },
  }),
  omission(
    'subscriptions/acknowledgement-granted-subset',
    'Whatever is asked for is granted, known or not.',
    ['grant-known-types-alone'],
    { id: 'subscriptions/acknowledgement-granted-subset@unknown' },
  ),
  omission(
    'subscriptions/acknowledgement-granted-subset',
    'A subscription that gets changes of tools gets none of prompts, although both were granted.',
    ['tell-each-granted-type'],
    { id: 'subscriptions/acknowledgement-granted-subset@untold' },
  ),
  omission('subscriptions/filter-type-adherence', 'Every subscription gets every change.', ['heed-filters'], {
    alsoBreaks: [
      'subscriptions/filter-empty',
      'subscriptions/filter-resource-uris',
      'subscriptions/concurrency-server-separation',
    ],
  }),
  omission('subscriptions/filter-empty', 'A subscription with an empty filter gets every change.', ['heed-filters'], {
    alsoBreaks: [
      'subscriptions/filter-type-adherence',
      'subscriptions/filter-resource-uris',
      'subscriptions/concurrency-server-separation',
    ],
  }),
  omission(
    'subscriptions/concurrency-server-separation',
    'Parallel subscriptions all get the same.',
    ['heed-filters'],
    {
      alsoBreaks: [
        'subscriptions/filter-type-adherence',
        'subscriptions/filter-resource-uris',
        'subscriptions/filter-empty',
      ],
    },
  ),
  subscription({
    rule: 'subscriptions/filter-resource-uris',
    description: 'Updates name the wrong resource.',
    alsoBreaks: ['subscriptions/concurrency-server-separation'],
    change: {
      outgoing: editing(
        notified('notifications/resources/updated'),
        withParams(() => ({ uri: 'demo://another' })),
      ),
    },
  }),
  subscription({
    rule: 'subscriptions/filter-request-scoped-exclusion',
    description: 'Each change of tools comes with a log message on the same subscription.',
    alsoBreaks: ['logging/request-level-opt-in', 'logging/request-level-stream'],
    change: {
      outgoing: editing(notified(toolsChanged), (message) => [
        {
          jsonrpc: '2.0',
          method: 'notifications/message',
          params: { level: 'info', data: 'tools changed', ...tagOf(message) },
        },
        message,
      ]),
    },
  }),
  subscription({
    rule: 'logging/request-level-stream',
    transports: httpOnly,
    description: 'Each change of tools comes with a log message on the same subscription.',
    alsoBreaks: ['logging/request-level-opt-in', 'subscriptions/filter-request-scoped-exclusion'],
    change: {
      outgoing: editing(notified(toolsChanged), (message) => [
        {
          jsonrpc: '2.0',
          method: 'notifications/message',
          params: { level: 'info', data: 'tools changed', ...tagOf(message) },
        },
        message,
      ]),
    },
  }),
  subscription({
    rule: 'subscriptions/event-schemas',
    description: 'An acknowledgement grants true.',
    alsoBreaks: ['subscriptions/acknowledgement-granted-subset'],
    change: {
      outgoing: editing(
        notified(acknowledgement),
        withParams(() => ({ notifications: true })),
      ),
    },
  }),
  subscription({
    rule: 'subscriptions/listen-http-stream',
    transports: httpOnly,
    description: 'Subscriptions are answered at once, as JSON.',
    alsoBreaks: ['*'],
    change: {
      incoming(message, _session, sink) {
        if (message.method !== 'subscriptions/listen') return false;
        sink.finish(
          [
            {
              jsonrpc: '2.0',
              id: message.id,
              result: { resultType: 'complete', _meta: { [metaKey.subscriptionId]: message.id } },
            },
          ],
          { method: 'subscriptions/listen' },
        );
        return true;
      },
    },
  }),
  subscription({
    rule: 'subscriptions/listen-result-schema',
    description: 'The first change is followed by a result that names no subscription.',
    alsoBreaks: ['jsonrpc/response-result-id', 'meta/server-info-inclusion', 'subscriptions/listen-result-timing'],
    change: {
      outgoing: editing(notified(toolsChanged), (message) => [
        message,
        { jsonrpc: '2.0', id: idOf(message), result: { resultType: 'complete' } },
      ]),
    },
  }),
  subscription({
    rule: 'subscriptions/teardown-server-result',
    transports: httpOnly,
    description: 'The stream of a subscription ends behind the first change of tools, without a word.',
    change: { route: ({ method }, own) => (method === toolsChanged ? endingBehind(own) : own) },
  }),
  subscription({
    rule: 'subscriptions/listen-result-timing',
    description: 'Each change comes behind a result that ends the subscription.',
    alsoBreaks: ['jsonrpc/response-result-id', 'meta/server-info-inclusion'],
    change: {
      outgoing: editing(notified(toolsChanged), (message) => [
        { jsonrpc: '2.0', id: idOf(message), result: { resultType: 'complete', ...tagOf(message) } },
        message,
      ]),
    },
  }),
  omission(
    'subscriptions/teardown-shutdown-result',
    'A server that is asked to end leaves its subscriptions without a word.',
    ['leave-subscriptions'],
    { transports: httpOnly, served: true },
  ),
  omission('subscriptions/teardown-client-cancellation', 'A cancelled subscription goes on.', ['end-subscriptions'], {
    transports: stdioOnly,
  }),
  subscription({
    id: 'subscriptions/teardown-client-cancellation@result',
    rule: 'subscriptions/teardown-client-cancellation',
    transports: stdioOnly,
    description: 'A subscription that is cancelled is answered with its result.',
    alsoBreaks: ['cancellation/receiver-response-suppression', 'cancellation/receiver-stdio-message-silence'],
    change: { incoming: answeringCancelled },
  }),
];
