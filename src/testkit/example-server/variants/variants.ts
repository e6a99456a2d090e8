/** Legal but unusual behaviours, which no rule may fail. */
import { compliant } from '../../../server/session/behaviour.ts';
import { allRevisions, isStateful } from '../../../server/protocol/revisions.ts';
import type { JsonObject } from '../../../server/protocol/json-rpc.ts';
import { isObject } from '../../../server/protocol/json-rpc.ts';
import { without } from '../mutations/edits.ts';
import { contextVariants } from './context-variants.ts';
import { eraVariants } from './era-variants.ts';
import { featureVariants } from './feature-variants.ts';
import { guardedVariants } from './guarded-variants.ts';
import type { Variant } from '../mutations/mutation.ts';
import { allTransports, httpOnly, sseOnly, stdioOnly } from '../mutations/mutation.ts';
import { offeringVariants } from './offering-variants.ts';
import { permissionVariants } from './permission-variants.ts';
import { showing } from '../mutations/tasks/task-edits.ts';
import { statelessVariants } from './stateless-variants.ts';
import { extensionTaskVariants } from '../mutations/tasks/extension-tasks.ts';
import { taskVariants } from './task-variants.ts';
import { unusualQuestion } from '../mutations/features/unusual-questions.ts';

/** Adds members that no revision knows, wherever the schemas are open. */
function withExtras(message: JsonObject): JsonObject {
  const extra = { 'x-extra': { any: ['thing', 1, null] } };
  const meta = { 'com.example/extra': true };
  const grown = { ...message };
  if (isObject(message.params)) grown.params = { ...message.params, ...extra };
  if (isObject(message.result)) {
    const { result } = message;
    const ownMeta = isObject(result._meta) ? result._meta : {};
    // The result of ping must be empty, and so must acknowledgements, except for members of every result.
    const isEmpty = Object.keys(result).every((name) => name === 'resultType' || name === '_meta');
    grown.result = { ...result, ...(isEmpty ? {} : extra), _meta: { ...ownMeta, ...meta } };
    if (isObject(result.capabilities))
      grown.result = {
        ...(grown.result as JsonObject),
        capabilities: { ...result.capabilities, experimental: { extra: {} }, ...extra },
      };
  }
  if (isObject(message.error)) grown.error = { ...message.error, data: message.error.data ?? extra };
  return grown;
}

/** Tools that send requests to the client. */
const questions = [
  'elicitation/complete-emission',
  'elicitation/error-32042-permission',
  'elicitation/request-mode-omission',
  'elicitation/url-permission',
  'tasks/create-ttl-request',
];
/** Features of a server with tasks; their metadata has the only key with a hyphen. */
const tasks = [
  'meta/key-name-inner-characters',
  'tasks/status-notification-emission',
  'tasks/ttl-expiry-deletion',
  'tasks/ttl-override',
  'tasks/ttl-poll-interval',
];

const progress = ['progress/receiver-permission'];
const ofExtensions = [
  'ext-tasks/declaration-server-choice',
  'ext-tasks/notification-emission',
  'ext-tasks/update-partial',
  'extensions/declaration-permission',
  'jsonrpc/result-type-extension-values',
  'logging/request-level-threshold',
];

/** In the stateful era alone. */
const inSessions = (rules: readonly string[]): NonNullable<Variant['lacksAt']> =>
  Object.fromEntries(allRevisions.filter(isStateful).map((revision) => [revision, rules]));

const method405 = (verb: string) => (view: { verb: string }) =>
  view.verb === verb ? { status: 405, headers: { allow: 'POST' }, reason: 'verb' } : undefined;

/** Without what only a listening stream can bring: a server that declares it owes the notifications. */
function unannounced(declared: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(declared).map(([name, value]) => {
      if (!isObject(value)) return [name, value];
      const { listChanged: _changes, subscribe: _subscriptions, ...kept } = value;
      return [name, kept];
    }),
  );
}

export const variants: readonly Variant[] = [
  ...offeringVariants,
  {
    id: 'json-replies',
    solitary: true,
    transports: httpOnly,
    lacks: [
      'elicitation/complete-emission',
      'http/post-stream-response',
      'http/sse-interim-messages',
      'http/sse-server-disconnection',
      'jsonrpc/direction-request-scoped-notifications',
      'logging/request-level-threshold',
    ],
    // Progress of tasks comes on listening streams.
    lacksAt: { '2025-03-26': progress, '2025-06-18': progress, '2026-07-28': progress },
    unseen: {
      'http/resume-server-replay': 'on a listening stream repeated and new messages cannot be distinguished',
    },
    description: 'Requests are answered with JSON only, but for subscriptions.',
    change: { http: { replies: 'json' } },
  },
  {
    id: 'sse-replies',
    transports: httpOnly,
    lacks: ['http/post-json-response', 'jsonrpc/batch-emission'],
    shortOf: { 'tasks/get-sse-avoidance': 'that is a recommendation' },
    description: 'Requests are answered with event streams only.',
    change: { http: { replies: 'sse' } },
  },
  {
    id: 'no-session-ids',
    solitary: true,
    transports: httpOnly,
    uses: ['http/get-refusal-405', 'session/end-delete-405'],
    // Without a session only the answer to a call can ask.
    lacksAt: inSessions(questions),
    lacks: [
      'http/get-server-messages',
      'http/get-server-stream',
      'http/resume-event-id',
      'http/resume-server-replay',
      'http/sse-resumability',
      'http/sse-server-disconnection',
      'logging/set-level-default',
      'prompts/list-changed-permission',
      'resources/list-changed-permission',
      'resources/subscribe-permission',
      'session/id-assignment',
      'tools/list-changed-permission',
      ...ofExtensions,
      ...tasks,
    ],
    shortOf: {
      'http/sse-priming-event': 'there is no session in which a stream could be resumed',
      'cancellation/receiver-work-stop': 'a notification alone does not identify the client of a request',
      'cancellation/receiver-response-suppression': 'a notification alone does not identify the client of a request',
    },
    description:
      'No session ids are issued; each request is independent, so that there is nothing to subscribe to and no listening stream.',
    change: {
      neglects: ['issue-session-ids'],
      capabilities: () => ({ tools: {}, resources: {}, prompts: {}, completions: {} }),
    },
  },
  {
    id: 'get-405',
    solitary: true,
    transports: httpOnly,
    uses: ['http/get-refusal-405'],
    lacks: [
      'http/get-server-messages',
      'http/get-server-stream',
      'http/resume-server-replay',
      'http/sse-resumability',
      'http/sse-server-disconnection',
      'prompts/list-changed-permission',
      'resources/list-changed-permission',
      'resources/subscribe-permission',
      'tools/list-changed-permission',
    ],
    description: 'There is no listening stream, and no notification that needs one.',
    change: { capabilities: unannounced, http: { gate: method405('GET') } },
  },
  {
    id: 'delete-405',
    transports: httpOnly,
    uses: ['session/end-delete-405'],
    description: 'Clients cannot end sessions.',
    change: { http: { gate: method405('DELETE') } },
  },
  {
    id: 'no-event-ids',
    transports: httpOnly,
    shortOf: { 'http/sse-priming-event': 'resumption is optional' },
    lacks: [
      'http/resume-event-id',
      'http/resume-server-replay',
      'http/sse-resumability',
      'http/sse-server-disconnection',
    ],
    description: 'Events have no ids, so streams cannot be resumed.',
    change: { http: { eventId: () => '' } },
  },
  {
    id: 'stream-comments',
    transports: httpOnly,
    description: 'Events are mingled with comments and bare retry fields.',
    change: { http: { beforeEvents: () => ': still here\n\nretry: 500\n\n' } },
  },
  {
    id: 'unnamed-events',
    transports: sseOnly,
    description: 'Events with messages have no name, which means message.',
    change: { sse: { messageEvent: () => '' } },
  },
  {
    id: 'slow-start',
    transports: stdioOnly,
    description: 'The server takes its time before it reads.',
    change: { stdio: { startDelay: 1500 } },
  },
  {
    id: 'crlf',
    transports: stdioOnly,
    description: 'Lines end with CR and LF.',
    change: { stdio: { line: (body) => Buffer.concat([body, Buffer.from('\r\n')]) } },
  },
  {
    id: 'numeric-string-ids',
    transports: allTransports,
    description: 'The ids of the server are strings of digits: "0", "1", …',
    change: { requestId: (n) => String(n) },
  },
  {
    id: 'no-tasks',
    solitary: true,
    transports: allTransports,
    lacks: tasks,
    description: 'Nothing runs as a task, and a task parameter is ignored.',
    change: { capabilities: (declared) => without(declared, 'tasks') },
  },
  {
    id: 'bare-tasks',
    transports: allTransports,
    lacks: ['tasks/ttl-poll-interval'],
    description: 'Tasks can neither be listed nor cancelled, and have no pollInterval.',
    change: {
      capabilities: (declared) =>
        'tasks' in declared ? { ...declared, tasks: { requests: { tools: { call: {} } } } } : declared,
      outgoing: showing((task) => without(task, 'pollInterval')),
    },
  },
  {
    id: 'ids-from-zero',
    transports: allTransports,
    description: 'The ids of the server are numbers from 0.',
    change: { requestId: (n) => n },
  },
  {
    id: 'extra-members',
    transports: allTransports,
    description: 'Params, results, capabilities and errors have unknown members.',
    change: { outgoing: (message) => [withExtras(message)] },
  },
  {
    id: 'ping-before-initialized',
    transports: allTransports,
    description: 'The client is pinged during the handshake.',
    change: {
      onInitializing: (session, sink) =>
        void session.request('ping', undefined, { sink, signal: new AbortController().signal }).catch(() => {}),
    },
  },
  {
    id: 'notices-before-initialized',
    transports: allTransports,
    description: 'Log messages are sent during the handshake.',
    change: {
      onInitializing: (session, sink) =>
        session.relate(
          { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'shaking hands' } },
          sink,
        ),
    },
  },
  {
    id: 'empty-cursor',
    transports: allTransports,
    description: 'The cursor to the second and last page is the empty string.',
    change: {
      paginate(items, cursor, size, list, session) {
        if (cursor === undefined) return { items: items.slice(0, size), nextCursor: '' };
        if (cursor === '') return { items: items.slice(size) };
        return compliant.paginate(items, cursor, size, list, session);
      },
    },
  },
  {
    id: 'no-pagination',
    solitary: true,
    transports: allTransports,
    lacks: ['pagination/scope-operations'],
    description: 'Lists come whole, and cursors are ignored.',
    change: { neglects: ['paginate'] },
  },
  {
    id: 'no-capabilities',
    solitary: true,
    transports: allTransports,
    lacks: [
      'completion/server-permission',
      'http/resume-server-replay',
      'http/sse-interim-messages',
      'http/sse-server-disconnection',
      'icons/listing-permission',
      'logging/set-level-default',
      'pagination/scope-operations',
      'progress/receiver-freedom',
      'progress/receiver-permission',
      'prompts/list-changed-permission',
      'resources/list-changed-permission',
      'resources/subscribe-permission',
      'tools/list-changed-permission',
      'tools/result-embedded-resource',
      'tools/result-resource-link',
      'tools/result-structured-content',
      'elicitation/request-permission',
      'http/param-header-server-annotation',
      'jsonrpc/direction-request-scoped-notifications',
      'mrtr/result-member-choice',
      'mrtr/server-answerable-methods',
      'mrtr/server-repetition',
      'tools/list-variability',
      ...ofExtensions,
      ...questions,
      ...tasks,
    ],
    // Nothing has a stream but subscriptions, and calls that are cancelled in the stateful era.
    lacksAt: { '2026-07-28': ['http/post-stream-response'] },
    description: 'The server offers nothing at all.',
    change: { capabilities: () => ({}) },
  },
  {
    id: 'quiet',
    solitary: true,
    transports: allTransports,
    lacks: ['logging/request-level-threshold', 'logging/set-level-default'],
    description: 'The server sends nothing of its own accord.',
    change: {
      outgoing: (message, about) =>
        (about.method === 'ping' && about.kind === 'request') ||
        (about.method === 'roots/list' && about.session.running.size === 0) ||
        about.method === 'notifications/message'
          ? []
          : [message],
    },
  },
  {
    id: 'unusual-questions',
    transports: allTransports,
    // Requests in results, as in the stateless era, are sent as usual.
    lacksAt: inSessions(['elicitation/request-mode-omission']),
    description: 'The client is asked in every unusual way, and unfit answers are ignored without an error.',
    change: { outgoing: (message, about) => [unusualQuestion(message, about)] },
  },
  {
    id: 'escaped-text',
    transports: allTransports,
    description: 'Characters beyond ASCII are written as escapes.',
    change: {
      bytes: (text) =>
        Buffer.from(
          text.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
        ),
    },
  },
  ...eraVariants,
  ...statelessVariants,
  ...contextVariants,
  ...featureVariants,
  ...permissionVariants,
  ...guardedVariants,
  ...taskVariants,
  ...extensionTaskVariants,
];
