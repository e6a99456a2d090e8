/** Mutations of _meta, of icons and of the JSON Schemas of tools. */
import type { JsonObject } from '../core/json-rpc.ts';
import { isObject } from '../core/json-rpc.ts';
import type { Revision } from '../core/revisions.ts';
import { statelessRevision } from '../core/revisions.ts';
import type { Session } from '../core/session.ts';
import { editing, resultOf, sampleMethod, withEntry, withResult, without } from './edits.ts';
import type { Mutation } from './mutation.ts';
import { from, mutation, stdioOnly } from './mutation.ts';

type Given = Parameters<typeof mutation>[0];

const sinceKeys: Revision[] = [...from('2025-06-18'), statelessRevision];
const newest: Revision[] = ['2025-11-25', statelessRevision];

/** A mutation of the tool echo as it is listed. */
function onEcho(rule: string, description: string, change: JsonObject, rest: Partial<Given> = {}): Mutation {
  return mutation({ rule, revisions: newest, description, change: { outgoing: editing(resultOf('tools/list'), withEntry('tools', 'name', 'echo', () => change)) }, ...rest });
}

function keyed(slug: string, description: string, key: string, rest: Partial<Given> = {}): Mutation {
  return onEcho(`meta/key-${slug}`, description, { _meta: { [key]: true } }, { revisions: sinceKeys, ...rest });
}

/** Ends the process on a request whose _meta holds something unexpected. */
function stumbles(message: JsonObject, session: Session): boolean {
  const meta = isObject(message.params) && isObject(message.params._meta) ? message.params._meta : {};
  const odd = Object.entries(meta).some(([key, value]) => key.includes('mcp') && Array.isArray(value));
  if (odd) session.host.exit(1);
  return odd;
}

export const metaMutations: readonly Mutation[] = [
  keyed('prefix-form', 'A prefix of a _meta key has an empty label.', 'com..example/category'),
  keyed('prefix-form@labels', 'A label of a prefix begins with a digit.', '2nd.example/category', { id: 'meta/key-prefix-form@labels', rule: 'meta/key-prefix-form' }),
  keyed('name-ends', 'A _meta key begins with an underscore.', '_category'),
  keyed('prefix-reverse-dns', 'The prefix of a _meta key is a domain in its usual order.', 'example.com/category', { revisions: ['2025-11-25'] }),
  keyed('prefix-reservation', 'A _meta key of the server stands under a reserved prefix.', 'tools.mcp.example/category'),
  mutation({
    rule: 'meta/value-object-type',
    description: 'The _meta of a result is a text.',
    alsoBreaks: ['prompts/list-result-schema', 'prompts/list-item-schema'],
    change: { outgoing: editing(resultOf(sampleMethod), withResult(() => ({ _meta: 'none' }))) },
  }),
  mutation({
    rule: 'meta/implementation-name-and-version',
    description: 'The server does not tell its version.',
    alsoBreaks: ['lifecycle/initialization-server-result'],
    change: {
      outgoing: editing(resultOf('initialize'), withResult(({ serverInfo }) => (isObject(serverInfo) ? { serverInfo: without(serverInfo, 'version') } : {}))),
    },
  }),
  mutation({
    rule: 'meta/key-value-assumptions',
    revisions: from('2025-06-18'),
    transports: stdioOnly,
    description: 'The process dies of a list under a reserved _meta key.',
    alsoBreaks: ['*'],
    change: { incoming: stumbles },
  }),
  onEcho('icons/schema-members', 'The sizes of an icon are a text.', { icons: [{ src: 'https://example.com/echo.png', sizes: '48x48' }] }, { alsoBreaks: ['tools/list-item-schema'] }),
  onEcho('schema/validation-schema-validity', 'A property of an input schema is of a type that JSON Schema does not have.', {
    inputSchema: { type: 'object', properties: { text: { type: 'string' }, more: { type: 'any' } }, required: ['text'] },
  }),
  onEcho('schema/validation-schema-validity', 'A schema without $schema is written in an earlier draft.', {
    inputSchema: { type: 'object', properties: { text: { type: 'string' }, pair: { type: 'array', items: [{ type: 'string' }, { type: 'string' }] } }, required: ['text'] },
  }, { id: 'schema/validation-schema-validity@default' }),
  onEcho('schema/dialect-draft-2020-12-preference', 'A schema is written in draft-04.', {
    inputSchema: { $schema: 'http://json-schema.org/draft-04/schema#', type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  }),
];
