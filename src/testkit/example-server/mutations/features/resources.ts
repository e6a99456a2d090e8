/** Mutations of resources, their templates and subscriptions, and of logging. */
import type { JsonObject } from '../../../../server/protocol/json-rpc.ts';
import { errorCode, isObject } from '../../../../server/protocol/json-rpc.ts';
import { allRevisions, statelessRevision } from '../../../../server/protocol/revisions.ts';
import { declaring, editing, errorFor, resultOf, withError, withResult } from '../edits.ts';
import type { Mutation } from '../mutation.ts';
import { from, mutation, stdioOnly } from '../mutation.ts';

type Given = Parameters<typeof mutation>[0];

function resources(slug: string, description: string, change: Given['change'], rest: Partial<Given> = {}): Mutation {
  return mutation({ rule: `resources/${slug}`, revisions: allRevisions, description, change, ...rest });
}

const onRead = (edit: (message: JsonObject) => JsonObject) => ({ outgoing: editing(resultOf('resources/read'), edit) });
const contents = (change: (one: JsonObject) => JsonObject): ((message: JsonObject) => JsonObject) =>
  withResult(({ contents: found }) => (Array.isArray(found) ? { contents: found.map(change) } : {}));

/** Refuses where there would be a result. */
const failing = (method: string, code: number) =>
  editing(resultOf(method), (message) => ({ jsonrpc: '2.0', id: message.id, error: { code, message: 'Not today' } }));

const resourceMutations: readonly Mutation[] = [
  resources(
    'read-result-schema',
    'The contents of a resource are no list.',
    onRead(
      withResult((result) => ('contents' in result ? { contents: { uri: 'demo://greeting', text: 'Hello' } } : {})),
    ),
  ),
  resources(
    'read-not-found-32002',
    'An unknown resource is an internal error.',
    { outgoing: editing(errorFor('unknown-resource'), withError({ code: errorCode.internal })) },
    { revisions: from('2024-11-05') },
  ),
  resources(
    'read-not-found-32602',
    'An unknown resource is an internal error.',
    { outgoing: editing(errorFor('unknown-resource'), withError({ code: errorCode.internal })) },
    {
      revisions: [statelessRevision],
      transports: ['stdio', 'http'],
    },
  ),
  resources(
    'subscribe-result',
    'Subscriptions are declared but unknown.',
    {
      incoming(message, _session, sink) {
        if (message.method !== 'resources/subscribe') return false;
        sink.finish(
          [{ jsonrpc: '2.0', id: message.id, error: { code: errorCode.methodNotFound, message: 'Method not found' } }],
          { method: 'resources/subscribe' },
        );
        return true;
      },
    },
    { revisions: from('2024-11-05') },
  ),
  resources(
    'updated-capability',
    'Changes of resources are announced although subscriptions are not declared.',
    {
      outgoing: declaring((declared) => ({ ...declared, resources: { listChanged: true } })),
      onInitialized: (session) => session.notify('notifications/resources/updated', { uri: 'demo://counter' }),
    },
    { revisions: from('2024-11-05'), alsoBreaks: ['resources/updated-subscribers'] },
  ),
  resources(
    'updated-schema',
    'The notice of a changed resource does not say which.',
    { onInitialized: (session) => session.notify('notifications/resources/updated', { changed: true }) },
    { revisions: from('2024-11-05'), alsoBreaks: ['resources/updated-subscribers'] },
  ),
];

const watching: readonly Mutation[] = [
  resources(
    'unsubscribe-effect',
    'Subscriptions are never ended.',
    {
      incoming(message, _session, sink) {
        if (message.method !== 'resources/unsubscribe') return false;
        sink.finish([{ jsonrpc: '2.0', id: message.id, result: {} }], { method: 'resources/unsubscribe' });
        return true;
      },
    },
    { revisions: from('2025-03-26') },
  ),
  resources(
    'updated-subscribers',
    'Every client is notified of a change, subscribed or not.',
    { onInitialized: (session) => session.notify('notifications/resources/updated', { uri: 'demo://counter' }) },
    { revisions: from('2024-11-05') },
  ),
  resources(
    'read-text-condition',
    'An image is sent as text.',
    onRead(contents(({ blob, ...one }) => (blob === undefined ? one : { ...one, text: '\ufffdPNG\r\n\u0000\u0000' }))),
    {
      revisions: from('2024-11-05'),
    },
  ),
  resources(
    'security-uri-validation',
    'Paths are followed out of the tree of resources.',
    {
      incoming(message, _session, sink) {
        const uri = isObject(message.params) ? String(message.params.uri) : '';
        if (message.method !== 'resources/read' || !uri.endsWith('/../etc/hosts')) return false;
        sink.finish(
          [{ jsonrpc: '2.0', id: message.id, result: { contents: [{ uri, text: '127.0.0.1\tlocalhost\n' }] } }],
          { method: 'resources/read' },
        );
        return true;
      },
    },
    { revisions: from('2024-11-05'), alsoBreaks: ['resources/security-path-traversal'] },
  ),
];

const availability: readonly Mutation[] = (['tools', 'prompts', 'resources'] as const).map((list) =>
  mutation({
    rule: `${list}/list-availability`,
    revisions: [statelessRevision],
    transports: ['stdio', 'http'],
    description: `The list of ${list} is refused.`,
    alsoBreaks: list === 'tools' ? ['versioning/stateless-handshake-independence'] : [],
    change: { outgoing: failing(`${list}/list`, errorCode.invalidRequest) },
  }),
);

const logging: readonly Mutation[] = [
  mutation({
    rule: 'logging/set-level-acceptance',
    description: 'The level notice is refused.',
    change: {
      incoming(message, _session, sink) {
        const refused =
          message.method === 'logging/setLevel' && isObject(message.params) && message.params.level === 'notice';
        if (refused)
          sink.finish(
            [{ jsonrpc: '2.0', id: message.id, error: { code: errorCode.invalidParams, message: 'No such level' } }],
            { method: 'logging/setLevel' },
          );
        return refused;
      },
    },
  }),
];

const framing: readonly Mutation[] = [
  mutation({
    rule: 'stdio/framing-newline-delimiter-input',
    revisions: allRevisions,
    transports: stdioOnly,
    description: 'Of several lines that arrive together only the first is read.',
    // Whatever happens to be written together with something else is lost.
    alsoBreaks: ['*'],
    change: { neglects: ['read-every-line'] },
  }),
];

export const offeringMutations: readonly Mutation[] = [
  ...resourceMutations,
  ...watching,
  ...availability,
  ...logging,
  ...framing,
];
