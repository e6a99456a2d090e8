/** Mutations of resources, their templates and subscriptions, and of logging. */
import type { JsonObject } from '../core/json-rpc.ts';
import { errorCode, isObject } from '../core/json-rpc.ts';
import { allRevisions, statelessRevision } from '../core/revisions.ts';
import { declaring, editing, errorFor, readyNotice, resultOf, withEntry, withError, withParams, withResult, without } from './edits.ts';
import type { Mutation } from './mutation.ts';
import { from, mutation, stdioOnly } from './mutation.ts';

type Given = Parameters<typeof mutation>[0];

function resources(slug: string, description: string, change: Given['change'], rest: Partial<Given> = {}): Mutation {
  return mutation({ rule: `resources/${slug}`, revisions: allRevisions, description, change, ...rest });
}

const onList = (edit: (message: JsonObject) => JsonObject) => ({ outgoing: editing(resultOf('resources/list'), edit) });
const onRead = (edit: (message: JsonObject) => JsonObject) => ({ outgoing: editing(resultOf('resources/read'), edit) });
const onTemplates = (edit: (message: JsonObject) => JsonObject) => ({ outgoing: editing(resultOf('resources/templates/list'), edit) });
const greeting = (change: JsonObject): ((message: JsonObject) => JsonObject) => withEntry('resources', 'name', 'greeting', () => change);
const contents = (change: (one: JsonObject) => JsonObject): ((message: JsonObject) => JsonObject) =>
  withResult(({ contents: found }) => (Array.isArray(found) ? { contents: found.map(change) } : {}));

/** Refuses where there would be a result. */
const failing = (method: string, code: number) => editing(resultOf(method), (message) => ({ jsonrpc: '2.0', id: message.id, error: { code, message: 'Not today' } }));

const resourceMutations: readonly Mutation[] = [
  resources('annotations-last-modified', 'A resource was last modified yesterday.', onList(greeting({ annotations: { lastModified: 'yesterday' } })), {
    revisions: [...from('2025-06-18'), statelessRevision],
    alsoBreaks: ['resources/list-item-schema', 'resources/annotations-schema'],
  }),
  resources('annotations-schema', 'The audience of a resource is a text.', onList(greeting({ annotations: { audience: 'user' } })), { alsoBreaks: ['resources/list-item-schema'] }),
  resources('list-item-schema', 'The description of a resource is a list.', onList(greeting({ description: ['A', 'text'] }))),
  resources('list-result-schema', 'The list of resources is an object.', onList(withResult(() => ({ resources: {} })))),
  resources('uri-custom-scheme-syntax', 'The URI of a resource has no scheme.', onList(greeting({ uri: 'greeting' })), {
    revisions: [...from('2025-06-18'), statelessRevision],
    alsoBreaks: ['resources/list-item-schema'],
  }),
  resources('uri-uniqueness', 'Two resources have one URI.', onList(greeting({ uri: 'demo://counter' })), { revisions: from('2024-11-05') }),
  resources('read-content-schema', 'The text of a resource is a number.', onRead(contents((one) => ('text' in one ? { ...one, text: 42 } : one)))),
  resources('read-result-schema', 'The contents of a resource are no list.', onRead(withResult((result) => ('contents' in result ? { contents: { uri: 'demo://greeting', text: 'Hello' } } : {})))),
  resources('security-binary-encoding', 'Binary contents are written as hexadecimal bytes.', onRead(contents((one) => ('blob' in one ? { ...one, blob: '89:50:4e:47' } : one))), {
    alsoBreaks: ['resources/read-content-schema'],
  }),
  resources('templates-item-schema', 'A template has no URI template.', onTemplates((message) =>
    withResult(({ resourceTemplates }) => (Array.isArray(resourceTemplates) ? { resourceTemplates: resourceTemplates.map((one: JsonObject) => without(one, 'uriTemplate')) } : {}))(message),
  )),
  resources('templates-result-schema', 'The list of templates is an object.', onTemplates(withResult(() => ({ resourceTemplates: {} })))),
  resources('read-not-found-32002', 'An unknown resource is an internal error.', { outgoing: editing(errorFor('unknown-resource'), withError({ code: errorCode.internal })) }, { revisions: from('2024-11-05') }),
  resources('read-not-found-32602', 'An unknown resource is an internal error.', { outgoing: editing(errorFor('unknown-resource'), withError({ code: errorCode.internal })) }, {
    revisions: [statelessRevision],
    transports: ['stdio', 'http'],
  }),
  resources(
    'subscribe-result',
    'Subscriptions are declared but unknown.',
    {
      incoming(message, _session, sink) {
        if (message.method !== 'resources/subscribe') return false;
        sink.finish([{ jsonrpc: '2.0', id: message.id, error: { code: errorCode.methodNotFound, message: 'Method not found' } }], { method: 'resources/subscribe' });
        return true;
      },
    },
    { revisions: from('2024-11-05') },
  ),
  resources('capability-declaration', 'Resources are served but not declared.', { outgoing: declaring((declared) => without(declared, 'resources')) }, {
    alsoBreaks: ['capabilities/server-advertisement', 'resources/list-changed-capability', 'resources/updated-capability', 'tools/result-embedded-resource-capability'],
  }),
  resources('list-changed-capability', 'Changes of the list of resources are announced but not declared.', { outgoing: declaring((declared) => ({ ...declared, resources: { subscribe: true } })) }, {
    revisions: from('2025-03-26'),
  }),
  resources(
    'updated-capability',
    'Changes of resources are told though subscriptions are not declared.',
    { outgoing: declaring((declared) => ({ ...declared, resources: { listChanged: true } })), onInitialized: (session) => session.notify('notifications/resources/updated', { uri: 'demo://counter' }) },
    { revisions: from('2024-11-05'), alsoBreaks: ['resources/updated-subscribers'] },
  ),
  resources(
    'updated-schema',
    'The notice of a changed resource does not say which.',
    { onInitialized: (session) => session.notify('notifications/resources/updated', { changed: true }) },
    { revisions: from('2024-11-05'), alsoBreaks: ['resources/updated-subscribers'] },
  ),
];

/** Never sends the notification. */
const silent = (method: string): Given['change'] => ({ outgoing: (message) => (message.method === method ? [] : [message]) });

const watching: readonly Mutation[] = [
  resources('list-changed-emission', 'Changes of the list of resources are declared, and never told.', silent('notifications/resources/list_changed'), { revisions: from('2025-03-26') }),
  resources('subscribe-change-notification', 'Subscribers never hear of a change.', silent('notifications/resources/updated'), { revisions: from('2025-03-26') }),
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
    'Every client hears of a change, subscribed or not.',
    { onInitialized: (session) => session.notify('notifications/resources/updated', { uri: 'demo://counter' }) },
    { revisions: from('2024-11-05') },
  ),
  resources('templates-mime-uniformity', 'A template of notes promises images.', onTemplates(withEntry('resourceTemplates', 'name', 'note', () => ({ mimeType: 'image/png' })))),
  resources('read-text-condition', 'An image is sent as text.', onRead(contents(({ blob, ...one }) => (blob === undefined ? one : { ...one, text: '\ufffdPNG\r\n\u0000\u0000' }))), {
    revisions: from('2024-11-05'),
  }),
  resources(
    'security-uri-validation',
    'Paths are followed out of the tree of resources.',
    {
      incoming(message, _session, sink) {
        const uri = isObject(message.params) ? String(message.params.uri) : '';
        if (message.method !== 'resources/read' || !uri.endsWith('/../etc/hosts')) return false;
        sink.finish([{ jsonrpc: '2.0', id: message.id, result: { contents: [{ uri, text: '127.0.0.1\tlocalhost\n' }] } }], { method: 'resources/read' });
        return true;
      },
    },
    { revisions: from('2024-11-05') },
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
    rule: 'logging/capability-declaration',
    description: 'Log messages are sent though logging is not declared.',
    alsoBreaks: ['capabilities/server-advertisement'],
    change: { outgoing: declaring((declared) => without(declared, 'logging')) },
  }),
  mutation({
    rule: 'logging/message-schema',
    description: 'The log message of a new session is loud.',
    change: { outgoing: editing(readyNotice, withParams(() => ({ level: 'loud' }))) },
  }),
  mutation({
    rule: 'logging/set-level-acceptance',
    description: 'The level notice is refused.',
    change: {
      incoming(message, _session, sink) {
        const refused = message.method === 'logging/setLevel' && isObject(message.params) && message.params.level === 'notice';
        if (refused) sink.finish([{ jsonrpc: '2.0', id: message.id, error: { code: errorCode.invalidParams, message: 'No such level' } }], { method: 'logging/setLevel' });
        return refused;
      },
    },
  }),
  mutation({
    rule: 'logging/set-level-invalid-level',
    description: 'An unknown log level is an internal error.',
    change: { outgoing: editing((about) => about.kind === 'error' && about.method === 'logging/setLevel', withError({ code: errorCode.internal })) },
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

export const offeringMutations: readonly Mutation[] = [...resourceMutations, ...watching, ...availability, ...logging, ...framing];
