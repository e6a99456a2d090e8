/** Faults of Streamable HTTP and its headers. */
import { randomUUID } from 'node:crypto';
import { isObject, type JsonObject } from '../../../src/server/protocol/json-rpc.ts';
import type { ReplySink } from '../../../src/server/protocol/reply-sink.ts';
import {
  both,
  headersOf,
  hearing,
  modernOnly,
  ofEntry,
  overHttp,
  refuseWith,
  serverMeta,
  type CatalogueFault,
  type Heard,
} from './fault.ts';

/** The landmark in the arguments of find-places, with the headers of the request. */
function landmarkOf({ params, sink }: Heard): { landmark: unknown; headers: ReturnType<typeof headersOf> } {
  const near = isObject(params.arguments) ? params.arguments.near : undefined;
  return { landmark: isObject(near) ? near.landmark : undefined, headers: headersOf(sink) };
}

/** An edit of the inner properties of the schema of find-places. */
function ofInnerSchema(edit: (properties: JsonObject) => JsonObject): CatalogueFault['change'] {
  return ofEntry('tools/list', 'tools', 'name', 'find-places', (tool) => {
    const schema = tool.inputSchema as { properties: { near: { properties: JsonObject } } };
    const near = { ...schema.properties.near, properties: edit(schema.properties.near.properties) };
    return { ...tool, inputSchema: { ...schema, properties: { ...schema.properties, near } } };
  });
}

export const httpFaults: readonly CatalogueFault[] = [
  {
    id: 'set-level-still-served',
    violates: ['http.post.removed-method-404', 'errors.code.method-not-found'],
    description: 'logging/setLevel, which this revision has removed, is answered with an empty result.',
    transports: both,
    change: {
      incoming: hearing('logging/setLevel', ({ message, sink }) => {
        sink.finish([{ jsonrpc: '2.0', id: message.id, result: { resultType: 'complete', _meta: serverMeta } }], {
          method: 'logging/setLevel',
        });
        return true;
      }),
    },
  },
  {
    id: 'older-version-in-header',
    violates: ['http.version-header.mismatch-rejection'],
    description: 'A header with an older version beside a body of this one is taken.',
    transports: overHttp,
    change: {
      incoming: (message, session, sink) => {
        const headers = headersOf(sink);
        if (session.host.stateful.some((older) => older === headers['mcp-protocol-version']) && isModern(message))
          headers['mcp-protocol-version'] = '2026-07-28';
        return false;
      },
    },
  },
  {
    id: 'reads-without-name',
    violates: ['http.validation.missing-name-header'],
    description: 'resources/read is served without Mcp-Name; tools/call and prompts/get demand it.',
    transports: overHttp,
    change: {
      incoming: hearing(
        'resources/read',
        ({ params, sink }) => void (headersOf(sink)['mcp-name'] ??= String(params.uri)),
      ),
    },
  },
  {
    id: 'name-in-any-case',
    violates: ['http.header-value.case-sensitivity', 'http.validation.body-mismatch'],
    description: 'Mcp-Name is compared with the name of the tool without regard to case.',
    transports: overHttp,
    change: {
      incoming: hearing('tools/call', ({ params, sink }) => {
        const headers = headersOf(sink);
        if (String(headers['mcp-name']).toLowerCase() === String(params.name).toLowerCase())
          headers['mcp-name'] = String(params.name);
      }),
    },
  },
  {
    id: 'encoded-uri-refused',
    violates: ['http.param-header.comparison-decoding'],
    description: 'Mcp-Name in Base64 is decoded for tools and prompts, and not for resources.',
    transports: overHttp,
    change: {
      incoming: hearing(
        'resources/read',
        (request) =>
          String(headersOf(request.sink)['mcp-name']).startsWith('=?base64?') &&
          refuseWith(request, -32020, 'Mcp-Name is unlike the body', 400),
      ),
    },
  },
  {
    id: 'header-for-null',
    violates: ['http.param-header.null-expectation'],
    description: 'An argument that is null has to have its header; one that is absent need not.',
    transports: overHttp,
    change: {
      incoming: hearing('tools/call', (request) => {
        const given = isObject(request.params.arguments) ? request.params.arguments : {};
        return (
          request.params.name === 'find-places' &&
          Object.values(given).includes(null) &&
          refuseWith(request, -32020, 'A header is missing', 400)
        );
      }),
    },
  },
  {
    id: 'nested-header-not-demanded',
    violates: ['http.param-header.missing-rejection'],
    description: 'The header of a nested parameter may be left out; those of the others may not.',
    transports: overHttp,
    change: {
      incoming: hearing('tools/call', (request) => {
        const { landmark, headers } = landmarkOf(request);
        if (typeof landmark === 'string')
          headers['mcp-param-landmark'] ??= `=?base64?${Buffer.from(landmark).toString('base64')}?=`;
      }),
    },
  },
  {
    id: 'boolean-header-unread',
    violates: ['http.param-header.value-match', 'http.validation.body-mismatch', 'http.param-header.rejection-400'],
    description: 'The header of a boolean parameter has to be there, and its value is not compared.',
    transports: overHttp,
    change: {
      incoming: hearing('tools/call', ({ params, sink }) => {
        const headers = headersOf(sink);
        const given = isObject(params.arguments) ? params.arguments : {};
        if (headers['mcp-param-open'] !== undefined && typeof given.open === 'boolean')
          headers['mcp-param-open'] = String(given.open);
      }),
    },
  },
  {
    id: 'annotation-twice-in-depth',
    violates: ['http.param-header.annotation-uniqueness'],
    description: 'A nested parameter has the header of an outer one, in another letter case.',
    transports: both,
    change: ofInnerSchema((properties) => ({ ...properties, landmark: { type: 'string', 'x-mcp-header': 'REGION' } })),
  },
  {
    id: 'annotation-of-a-number',
    violates: ['http.param-header.annotation-types'],
    description: 'A nested parameter of type number has a header.',
    transports: both,
    change: ofInnerSchema((properties) => ({ ...properties, radius: { type: 'number', 'x-mcp-header': 'Radius' } })),
  },
  {
    id: 'annotation-in-a-list',
    violates: ['http.param-header.annotation-placement'],
    description: 'The items of a nested list have a header.',
    transports: both,
    change: ofInnerSchema((properties) => ({
      ...properties,
      tags: { type: 'array', items: { type: 'string', 'x-mcp-header': 'Tag' } },
    })),
  },
  {
    id: 'notification-with-204',
    violates: ['http.post.notification-202'],
    description: 'Notifications that are accepted get status 204.',
    transports: overHttp,
    change: {
      http: {
        reply: (reply) =>
          reply.reason === 'accepted' && reply.posted === 'notification' ? { ...reply, status: 204 } : reply,
      },
    },
  },
  {
    id: 'errors-as-text',
    violates: ['http.post.response-type'],
    description: 'Errors for unknown methods are sent as text/plain.',
    transports: overHttp,
    change: {
      http: {
        head: (head, { message }) =>
          isObject(message) && isObject(message.error) && message.error.code === -32601
            ? { ...head, headers: { ...head.headers, 'content-type': 'text/plain' } }
            : head,
      },
    },
  },
  {
    id: 'buffered-subscriptions',
    violates: ['http.sse.buffering-header'],
    description: 'Streams of subscriptions lack X-Accel-Buffering; those of other requests have it.',
    transports: overHttp,
    change: {
      http: {
        head: (head, { method }) =>
          method === 'subscriptions/listen'
            ? {
                ...head,
                headers: Object.fromEntries(
                  Object.entries(head.headers).filter(([name]) => name !== 'x-accel-buffering'),
                ),
              }
            : head,
      },
    },
  },
  {
    id: 'get-with-406',
    violates: ['http.removed.get-405'],
    description: 'A server of this revision alone answers GET with 406.',
    transports: overHttp,
    serve: modernOnly,
    change: {
      http: {
        gate: ({ verb, path }) =>
          verb === 'GET' && path === '/mcp'
            ? {
                status: 406,
                reason: 'verb',
                body: { jsonrpc: '2.0', error: { code: -32600, message: 'Not acceptable' } },
              }
            : undefined,
      },
    },
  },
  {
    id: 'session-id-on-discovery',
    violates: ['http.removed.session-id'],
    description: 'A server of this revision alone gives out an Mcp-Session-Id with the result of server/discover.',
    transports: overHttp,
    serve: modernOnly,
    change: {
      http: {
        head: (head, { method }) =>
          method === 'server/discover'
            ? { ...head, headers: { ...head.headers, 'mcp-session-id': randomUUID() } }
            : head,
      },
    },
  },
  {
    id: 'opaque-origin-accepted',
    violates: ['http.security.origin-validation', 'http.security.origin-403'],
    description: 'The Origin null, which sandboxed pages of anybody send, is accepted.',
    transports: overHttp,
    change: {
      http: { hear: ({ headers }) => (headers.origin === 'null' ? { ...headers, origin: undefined } : headers) },
    },
  },
  {
    id: 'progress-on-the-latest-stream',
    violates: ['http.sse.interim-relevance', 'progress.flow.http-stream'],
    alsoBreaks: ['progress.token.active-reference', 'progress.value.increase'],
    description: 'With several calls running, the progress of all goes to the reply of the one that came last.',
    transports: overHttp,
    change: {
      incoming: hearing('tools/call', ({ session, sink }) => void session.host.scratch.set('latest', sink)),
      route(message, own, session) {
        const latest = session.host.scratch.get('latest') as (ReplySink & { finished?: boolean }) | undefined;
        return message.method === 'notifications/progress' &&
          latest !== undefined &&
          latest.finished !== true &&
          latest.lost?.() !== true
          ? latest
          : own;
      },
    },
  },
];

function isModern({ params }: JsonObject): boolean {
  return (
    isObject(params) &&
    isObject(params._meta) &&
    params._meta['io.modelcontextprotocol/protocolVersion'] === '2026-07-28'
  );
}
