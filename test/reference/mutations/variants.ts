/** Legal but unusual behaviours, which no rule may fail. */
import { compliant } from '../core/behaviour.ts';
import type { JsonObject } from '../core/json-rpc.ts';
import { isObject } from '../core/json-rpc.ts';
import { without } from './edits.ts';
import { contextVariants } from './context-variants.ts';
import { eraVariants } from './era-variants.ts';
import { featureVariants } from './feature-variants.ts';
import { guardedVariants } from './guarded-variants.ts';
import type { Variant } from './mutation.ts';
import { allTransports, httpOnly, sseOnly, stdioOnly } from './mutation.ts';
import { offeringVariants } from './offering-variants.ts';
import { permissionVariants } from './permission-variants.ts';
import { showing } from './task-edits.ts';
import { statelessVariants } from './stateless-variants.ts';
import { extensionTaskVariants } from './extension-tasks.ts';
import { taskVariants } from './task-variants.ts';
import { unusualQuestion } from './unusual-questions.ts';

/** Adds members that no revision knows, wherever the schemas are open. */
function withExtras(message: JsonObject): JsonObject {
  const extra = { 'x-extra': { any: ['thing', 1, null] } };
  const meta = { 'com.example/extra': true };
  const grown = { ...message };
  if (isObject(message.params)) grown.params = { ...message.params, ...extra };
  if (isObject(message.result)) {
    const { result } = message;
    const ownMeta = isObject(result._meta) ? result._meta : {};
    // The result of ping is to be empty, and so are acknowledgements, what every result has aside.
    const isEmpty = Object.keys(result).every((name) => name === 'resultType' || name === '_meta');
    grown.result = { ...result, ...(isEmpty ? {} : extra), _meta: { ...ownMeta, ...meta } };
    if (isObject(result.capabilities)) grown.result = { ...(grown.result as JsonObject), capabilities: { ...result.capabilities, experimental: { extra: {} }, ...extra } };
  }
  if (isObject(message.error)) grown.error = { ...message.error, data: message.error.data ?? extra };
  return grown;
}

const method405 = (verb: string) => (view: { verb: string }) => (view.verb === verb ? { status: 405, headers: { allow: 'POST' }, reason: 'verb' } : undefined);

export const variants: readonly Variant[] = [
  ...offeringVariants,
  { id: 'json-replies', solitary: true, transports: httpOnly, description: 'Requests are answered with JSON only, but for subscriptions.', change: { http: { replies: 'json' } } },
  {
    id: 'sse-replies',
    transports: httpOnly,
    shortOf: { 'tasks/get-sse-avoidance': 'that is a recommendation' },
    description: 'Requests are answered with event streams only.',
    change: { http: { replies: 'sse' } },
  },
  {
    id: 'no-session-ids',
    solitary: true,
    transports: httpOnly,
    shortOf: {
      'http/sse-priming-event': 'there is no session in which a stream could be resumed',
      'cancellation/receiver-work-stop': 'a notification on its own does not tell whose request is meant',
      'cancellation/receiver-response-suppression': 'a notification on its own does not tell whose request is meant',
    },
    description: 'No session ids are issued; each request stands alone, so that there is nothing to subscribe to and no listening stream.',
    change: { neglects: ['issue-session-ids'], capabilities: () => ({ tools: {}, resources: {}, prompts: {}, completions: {} }) },
  },
  { id: 'get-405', solitary: true, transports: httpOnly, uses: ['http/get-refusal-405'], description: 'There is no listening stream.', change: { http: { gate: method405('GET') } } },
  { id: 'delete-405', transports: httpOnly, uses: ['session/end-delete-405'], description: 'Clients cannot end sessions.', change: { http: { gate: method405('DELETE') } } },
  { id: 'no-event-ids', transports: httpOnly, shortOf: { 'http/sse-priming-event': 'resumption is optional' }, description: 'Events have no ids, so streams cannot be resumed.', change: { http: { eventId: () => '' } } },
  { id: 'stream-comments', transports: httpOnly, description: 'Events are mingled with comments and bare retry fields.', change: { http: { beforeEvents: ': still here\n\nretry: 500\n\n' } } },
  { id: 'unnamed-events', transports: sseOnly, description: 'Events with messages have no name, which means message.', change: { sse: { messageEvent: () => '' } } },
  { id: 'slow-start', transports: stdioOnly, description: 'The server takes its time before it reads.', change: { stdio: { startDelay: 1500 } } },
  { id: 'crlf', transports: stdioOnly, description: 'Lines end with CR and LF.', change: { stdio: { line: (body) => Buffer.concat([body, Buffer.from('\r\n')]) } } },
  { id: 'numeric-string-ids', transports: allTransports, description: 'The ids of the server are strings of digits: "0", "1", …', change: { requestId: (n) => String(n) } },
  {
    id: 'no-tasks',
    solitary: true,
    transports: allTransports,
    description: 'Nothing runs as a task, and a task parameter is ignored.',
    change: { capabilities: (declared) => without(declared, 'tasks') },
  },
  {
    id: 'bare-tasks',
    transports: allTransports,
    description: 'Tasks can neither be listed nor cancelled, and tell no pollInterval.',
    change: {
      capabilities: (declared) => ('tasks' in declared ? { ...declared, tasks: { requests: { tools: { call: {} } } } } : declared),
      outgoing: showing((task) => without(task, 'pollInterval')),
    },
  },
  { id: 'ids-from-zero', transports: allTransports, description: 'The ids of the server are numbers from 0.', change: { requestId: (n) => n } },
  { id: 'extra-members', transports: allTransports, description: 'Params, results, capabilities and errors have members that nobody knows.', change: { outgoing: (message) => [withExtras(message)] } },
  {
    id: 'ping-before-initialized',
    transports: allTransports,
    description: 'The client is pinged during the handshake.',
    change: { onInitializing: (session, sink) => void session.request('ping', undefined, { sink, signal: new AbortController().signal }).catch(() => {}) },
  },
  {
    id: 'notices-before-initialized',
    transports: allTransports,
    description: 'Log messages are sent during the handshake.',
    change: {
      onInitializing: (session, sink) =>
        session.relate({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'shaking hands' } }, sink),
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
  { id: 'no-pagination', solitary: true, transports: allTransports, description: 'Lists come whole, and cursors are ignored.', change: { neglects: ['paginate'] } },
  { id: 'no-capabilities', solitary: true, transports: allTransports, description: 'The server offers nothing at all.', change: { capabilities: () => ({}) } },
  {
    id: 'quiet',
    solitary: true,
    transports: allTransports,
    description: 'The server sends nothing of its own accord.',
    change: { outgoing: (message, about) => (about.method === 'ping' && about.kind === 'request') || (about.method === 'roots/list' && about.session.running.size === 0) || about.method === 'notifications/message' ? [] : [message] },
  },
  {
    id: 'unusual-questions',
    transports: allTransports,
    description: 'The client is asked in every way that is seldom seen, and unfit answers are left aside without an error.',
    change: { outgoing: (message, about) => [unusualQuestion(message, about)] },
  },
  {
    id: 'escaped-text',
    transports: allTransports,
    description: 'Characters beyond ASCII are written as escapes.',
    change: { bytes: (text) => Buffer.from(text.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)) },
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
