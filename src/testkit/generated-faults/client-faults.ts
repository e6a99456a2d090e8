/**
 * The same for clients: every operator at every place of what a client sends, and around it. Which requirement a place stands
 * for is written from the schemas and the sentences of rules/spec, whatever the rules look at.
 */
import type { Fault } from '../../core/model/rules/mutation.ts';
import type { Revision } from '../../core/model/rules/requirement.ts';
import { revisions } from '../../core/spec/revisions.ts';
import { requirementAt, type Catalogue } from '../../core/spec/requirements/catalogue.ts';
import { readLayout } from '../../files/package/message-files.ts';
import { generatedFile } from '../../files/package/package-root.ts';
import { loadCatalogue } from '../../files/package/load-catalogue.ts';
import type { GeneratedFault } from './generated-fault.ts';
import { mergedFaults } from './list.ts';
import { schemaFaults } from './schema-faults.ts';
import type { Spot } from './walk.ts';

let made: Promise<readonly GeneratedFault[]> | undefined;

/** In an order that never changes; made once for a process. */
export function generatedClientFaults(): Promise<readonly GeneratedFault[]> {
  return (made ??= make());
}

async function make(): Promise<readonly GeneratedFault[]> {
  const catalogue = loadCatalogue({ generated: generatedFile('requirements.json') });
  const faults: (readonly [GeneratedFault, Revision])[] = [];
  for (const revision of revisions) {
    const layout = await readLayout(revision);
    const found = [
      ...schemaFaults(layout, catalogue, { sender: 'client', requirementsAt: clientRequirementsAt }),
      ...envelopes(catalogue, revision),
      ...headers(catalogue, revision),
    ];
    for (const one of found) faults.push([one, revision]);
  }
  return mergedFaults(faults);
}

/** Requests that carry answers to questions of the server. */
const carriers = ['tools.call.request-schema', 'prompts.get.request-schema', 'resources.read.request-schema'];

/** Requirements of places wherever they are, by the begin of their names, the end, or a part of them. */
const everywhere: readonly Readonly<{ begin?: string; end?: string; part?: string; breaks: readonly string[] }>[] = [
  { end: '._meta', breaks: ['meta.value.object-type'] },
  { end: '._meta.progressToken', breaks: ['progress.token.type'] },
  {
    part: 'io.modelcontextprotocol/protocolVersion',
    breaks: ['meta.request.protocol-version', 'http.version-header.body-equality'],
  },
  {
    part: 'io.modelcontextprotocol/clientInfo',
    breaks: ['meta.client-info.inclusion', 'meta.implementation.name-and-version', 'icons.schema.members'],
  },
  {
    part: 'io.modelcontextprotocol/clientCapabilities',
    breaks: ['meta.request.client-capabilities', 'capabilities.declaration.schema'],
  },
  { part: 'io.modelcontextprotocol/logLevel', breaks: ['logging.request-level.values'] },
  ...['traceparent', 'tracestate', 'baggage'].map((name) => ({
    part: `._meta.${name}`,
    breaks: ['meta.trace-context.client-format'],
  })),
  {
    part: 'inputResponses.*(ElicitResult)',
    breaks: ['elicitation.result.schema', 'elicitation.result.content-validity', ...carriers],
  },
  { part: 'inputResponses.*(CreateMessageResult)', breaks: ['sampling.result.schema', ...carriers] },
  { part: 'inputResponses.*(ListRootsResult)', breaks: ['roots.list.result-schema', ...carriers] },
  { begin: 'params.cursor', breaks: ['pagination.cursor.request-type', 'pagination.client.cursor-opacity'] },
  { begin: 'params.clientInfo.icons', breaks: ['icons.schema.members', 'lifecycle.initialization.client-request'] },
  {
    begin: 'params.clientInfo',
    breaks: ['lifecycle.initialization.client-request', 'meta.implementation.name-and-version'],
  },
  {
    begin: 'params.capabilities',
    breaks: ['lifecycle.initialization.client-request', 'capabilities.declaration.schema'],
  },
];

/** Requirements of all other places of a message. */
const byMethod: Readonly<Record<string, readonly string[]>> = {
  initialize: ['lifecycle.initialization.client-request'],
  'tools/call': ['tools.call.request-schema', 'http.std-header.name'],
  'prompts/get': ['prompts.get.request-schema', 'http.std-header.name'],
  'resources/read': ['resources.read.request-schema', 'http.std-header.name'],
  'completion/complete': ['completion.request.schema'],
  'logging/setLevel': ['logging.set-level.request-schema'],
  'roots/list': ['roots.list.result-schema', 'roots.list.uri-scheme'],
  'sampling/createMessage': ['sampling.result.schema', 'sampling.messages.schema', 'sampling.tool-use.schema'],
  'elicitation/create': ['elicitation.result.schema', 'elicitation.result.content-validity'],
  ping: ['ping.answer.empty-result'],
  'notifications/cancelled': [
    'cancellation.notification.request-id',
    'cancellation.notification.own-request',
    'cancellation.notification.reason-type',
  ],
  'notifications/progress': [
    'progress.notification.schema',
    'progress.token.active-reference',
    'progress.token.type',
    'progress.value.increase',
  ],
  'subscriptions/listen': ['subscriptions.listen.request-filter'],
};

function clientRequirementsAt(catalogue: Catalogue, { name }: Spot, carrier: string, revision: Revision): string[] {
  const special = everywhere.find(
    ({ begin = '', end = '', part = '' }) => name.startsWith(begin) && name.endsWith(end) && name.includes(part),
  )?.breaks;
  // A place in _meta says nothing of the message around it.
  const found = special ?? (name.includes('._meta') ? [] : (byMethod[carrier] ?? []));
  return found.filter((id) => isAskedOfClients(catalogue, id, revision));
}

function isAskedOfClients(catalogue: Catalogue, id: string, revision: Revision): boolean {
  const requirement = requirementAt(catalogue, id, revision);
  return requirement !== null && requirement.role !== 'server' && !requirement.observe.includes('none');
}

interface Around {
  id: string;
  fault: Fault;
  breaks: readonly string[] | 'legal';
}

const asked = 'tools/list';

/** Faults of the frame of a message. */
const frames: readonly Around[] = [
  {
    id: 'request.jsonrpc:absent',
    fault: { on: { request: asked }, remove: '$.jsonrpc' },
    breaks: ['jsonrpc.message.form'],
  },
  {
    id: 'request.jsonrpc:1.0',
    fault: { on: { request: asked }, set: '$.jsonrpc', to: '1.0' },
    breaks: ['jsonrpc.message.form'],
  },
  {
    id: 'request.id:null',
    fault: { on: { request: asked }, set: '$.id', to: null },
    breaks: ['jsonrpc.request.null-id', 'jsonrpc.request.id-type'],
  },
  {
    id: 'request.id:boolean',
    fault: { on: { request: asked }, set: '$.id', to: true },
    breaks: ['jsonrpc.request.id-type'],
  },
  {
    id: 'request.id:object',
    fault: { on: { request: asked }, set: '$.id', to: {} },
    breaks: ['jsonrpc.request.id-type'],
  },
  {
    id: 'request.method:number',
    fault: { on: { request: asked }, set: '$.method', to: 7 },
    breaks: ['jsonrpc.request.method-type', 'jsonrpc.message.form'],
  },
  {
    id: 'request.params:array',
    fault: { on: { request: asked }, set: '$.params', to: [] },
    breaks: ['jsonrpc.request.params-type'],
  },
  {
    id: 'request.params:string',
    fault: { on: { request: asked }, set: '$.params', to: 'all' },
    breaks: ['jsonrpc.request.params-type'],
  },
  {
    id: 'request:copy',
    fault: { on: { request: asked }, copy: true },
    breaks: ['jsonrpc.request.id-session-uniqueness'],
  },
  { id: 'request.more:legal', fault: { on: { request: asked }, set: '$.extra', to: 1 }, breaks: 'legal' },
  {
    id: 'notification.id:number',
    fault: { on: { notification: 'notifications/initialized' }, set: '$.id', to: 99 },
    breaks: ['jsonrpc.notification.id-absence', 'lifecycle.initialization.initialized-notification'],
  },
  {
    id: 'notification.params:array',
    fault: { on: { notification: 'notifications/initialized' }, set: '$.params', to: [] },
    breaks: ['jsonrpc.notification.member-types'],
  },
  {
    id: 'notification:drop',
    fault: { on: { notification: 'notifications/initialized' }, drop: true },
    breaks: ['lifecycle.initialization.initialized-notification'],
  },
  {
    id: 'result.result:array',
    fault: { on: { result: 'roots/list' }, set: '$.result', to: [] },
    breaks: ['jsonrpc.result.object-type', 'roots.list.result-schema'],
  },
  {
    id: 'result.result:string',
    fault: { on: { result: 'roots/list' }, set: '$.result', to: 'none' },
    breaks: ['jsonrpc.result.object-type', 'roots.list.result-schema'],
  },
  {
    id: 'result.result:absent',
    fault: { on: { result: 'roots/list' }, remove: '$.result' },
    breaks: ['jsonrpc.response.payload-presence', 'jsonrpc.message.form'],
  },
  {
    id: 'result.id:other',
    fault: { on: { result: 'roots/list' }, set: '$.id', to: 'nobody-asked' },
    breaks: ['jsonrpc.response.result-id'],
  },
  {
    id: 'result.id:null',
    fault: { on: { result: 'roots/list' }, set: '$.id', to: null },
    breaks: ['jsonrpc.response.result-id'],
  },
  {
    id: 'result.error:also',
    fault: { on: { result: 'roots/list' }, set: '$.error', to: { code: 1, message: 'no' } },
    breaks: ['jsonrpc.response.payload-exclusivity'],
  },
  { id: 'result.more:legal', fault: { on: { result: 'roots/list' }, set: '$.result.extra', to: 1 }, breaks: 'legal' },
  {
    id: 'error.code:string',
    fault: { on: { error: 'mcpc/undefined' }, set: '$.error.code', to: '-32601' },
    breaks: ['jsonrpc.error.code-type', 'jsonrpc.error.code-and-message'],
  },
  {
    id: 'error.code:fraction',
    fault: { on: { error: 'mcpc/undefined' }, set: '$.error.code', to: 1.5 },
    breaks: ['jsonrpc.error.code-type'],
  },
  {
    id: 'error.code:absent',
    fault: { on: { error: 'mcpc/undefined' }, remove: '$.error.code' },
    breaks: ['jsonrpc.error.code-and-message'],
  },
  {
    id: 'error.code:other',
    fault: { on: { error: 'mcpc/undefined' }, set: '$.error.code', to: -32000 },
    breaks: ['errors.code.method-not-found'],
  },
  {
    id: 'error.message:absent',
    fault: { on: { error: 'mcpc/undefined' }, remove: '$.error.message' },
    breaks: ['jsonrpc.error.code-and-message'],
  },
  {
    id: 'error.message:number',
    fault: { on: { error: 'mcpc/undefined' }, set: '$.error.message', to: 7 },
    breaks: ['jsonrpc.error.code-and-message'],
  },
  { id: 'error.data:legal', fault: { on: { error: 'mcpc/undefined' }, set: '$.error.data', to: [1] }, breaks: 'legal' },
];

/** Faults of the headers of requests. */
const headed: readonly Around[] = [
  {
    id: 'header.accept:absent',
    fault: { on: { http: { method: 'POST' } }, header: { accept: null } },
    breaks: ['http.post.accept-header'],
  },
  {
    id: 'header.accept:json',
    fault: { on: { http: { method: 'POST' } }, header: { accept: 'application/json' } },
    breaks: ['http.post.accept-header'],
  },
  {
    id: 'header.accept:stream',
    fault: { on: { http: { method: 'POST' } }, header: { accept: 'text/event-stream' } },
    breaks: ['http.post.accept-header'],
  },
  {
    id: 'header.accept:legal',
    fault: { on: { http: { method: 'POST' } }, header: { accept: 'text/event-stream, application/json;q=0.9' } },
    breaks: 'legal',
  },
  {
    id: 'header.session:absent',
    fault: { on: { http: { method: 'POST', rpc: asked } }, header: { 'mcp-session-id': null } },
    breaks: ['session.id.client-echo'],
  },
  {
    id: 'header.session:other',
    fault: { on: { http: { method: 'POST', rpc: asked } }, header: { 'mcp-session-id': 'f00d-cafe' } },
    breaks: ['session.id.client-echo'],
  },
  {
    id: 'header.version:absent',
    fault: { on: { http: { method: 'POST', rpc: asked } }, header: { 'mcp-protocol-version': null } },
    breaks: ['versioning.header.client-presence', 'http.version-header.presence'],
  },
  {
    id: 'header.version:other',
    fault: { on: { http: { method: 'POST', rpc: asked } }, header: { 'mcp-protocol-version': '2025-03-26' } },
    breaks: ['versioning.header.negotiated-value', 'http.version-header.body-equality'],
  },
  {
    id: 'header.method:absent',
    fault: { on: { http: { method: 'POST', rpc: asked } }, header: { 'mcp-method': null } },
    breaks: ['http.std-header.method', 'http.post.metadata-headers'],
  },
  {
    id: 'header.method:other',
    fault: { on: { http: { method: 'POST', rpc: asked } }, header: { 'mcp-method': 'tools/call' } },
    breaks: ['http.std-header.method'],
  },
  {
    id: 'header.name:absent',
    fault: { on: { http: { method: 'POST', rpc: 'tools/call' } }, header: { 'mcp-name': null } },
    breaks: ['http.std-header.name', 'http.post.metadata-headers'],
  },
  {
    id: 'header.name:other',
    fault: { on: { http: { method: 'POST', rpc: 'tools/call' } }, header: { 'mcp-name': 'elsewhere' } },
    breaks: ['http.std-header.name'],
  },
  {
    id: 'header.agent:legal',
    fault: { on: { http: { method: 'POST' } }, header: { 'user-agent': 'field/1' } },
    breaks: 'legal',
  },
];

function envelopes(catalogue: Catalogue, revision: Revision): GeneratedFault[] {
  return frames.flatMap((one) => faultsAround(one, 'jsonrpc', ['stdio', 'http', 'sse'], catalogue, revision));
}

function headers(catalogue: Catalogue, revision: Revision): GeneratedFault[] {
  return headed.flatMap((one) => faultsAround(one, 'http', ['http'], catalogue, revision));
}

/** A revision that asks for none of the requirements has no such fault. */
function faultsAround(
  { id, fault, breaks }: Around,
  area: string,
  transports: GeneratedFault['transports'],
  catalogue: Catalogue,
  revision: Revision,
): GeneratedFault[] {
  const found = breaks === 'legal' ? breaks : breaks.filter((one) => isAskedOfClients(catalogue, one, revision));
  return found.length === 0 ? [] : [{ id, area, fault, transports, at: { [revision]: found } }];
}
