/** Mutations of the stateless era (2026-07-28). */
import type { BehaviourChange, Duty } from '../../../../server/session/behaviour.ts';
import type { TransportKind } from '../../../../server/session/host.ts';
import type { JsonObject } from '../../../../server/protocol/json-rpc.ts';
import { errorCode } from '../../../../server/protocol/json-rpc.ts';
import type { ReplySink } from '../../../../server/protocol/reply-sink.ts';
import { statelessRevision } from '../../../../server/protocol/revisions.ts';
import { editing, errorFor, resultOf, sampleMethod, withError, withResult, without } from '../edits.ts';
import { replying } from '../wire/http.ts';
import type { Mutation } from '../mutation.ts';
import { httpOnly, mutation, stdioOnly } from '../mutation.ts';

type Given = Parameters<typeof mutation>[0];

const bothTransports: readonly TransportKind[] = ['stdio', 'http'];
const headerReasons = ['header-mcp-protocol-version', 'header-mcp-method', 'header-mcp-name'] as const;

function stateless(given: Given): Mutation {
  return mutation({ transports: bothTransports, revisions: [statelessRevision], ...given });
}

/** A mutation that only leaves duties out. */
function omission(rule: string, description: string, neglects: readonly Duty[], rest: Partial<Given> = {}): Mutation {
  return stateless({ rule, description, change: { neglects }, ...rest });
}

const overHttp = { transports: httpOnly };
/** Rules about servers that speak nothing but this era. */
const thisEraOnly = { transports: httpOnly, serve: [statelessRevision] } as const;

function withoutResultMember(method: string, member: string) {
  return editing(
    (about, message) => about.era === 'stateless' && resultOf(method)(about, message),
    (message) => ({ ...message, result: without(message.result as JsonObject, member) }),
  );
}

/** Sends a request of the server ahead of each tool result. */
const requestBeforeResult = editing(
  (about) => about.era === 'stateless' && about.kind === 'result' && about.method === 'tools/call',
  (message) => [{ jsonrpc: '2.0', id: 'from-server', method: 'roots/list' }, message],
);

/** Sends progress on the reply of the newest other request that sent any; each request is a session of its own here. */
const progressOnOtherReply: NonNullable<BehaviourChange['route']> = (message, own, { host: { scratch } }) => {
  if (message.method !== 'notifications/progress') return own;
  const last = scratch.get('last reply') as ReplySink | undefined;
  const other = last === own ? (scratch.get('reply before') as ReplySink | undefined) : last;
  if (last !== own) scratch.set('reply before', last).set('last reply', own);
  return other ?? own;
};

const discovery: readonly Mutation[] = [
  stateless({
    rule: 'discover/method-implementation',
    description: 'server/discover is an unknown method.',
    alsoBreaks: ['*'],
    change: {
      incoming(message, _session, sink) {
        if (message.method !== 'server/discover') return false;
        const error = { code: errorCode.methodNotFound, message: 'Method not found' };
        sink.finish([{ jsonrpc: '2.0', id: message.id, error }], { status: 404, reason: 'unknown-method' });
        return true;
      },
    },
  }),
  stateless({
    rule: 'discover/result-members',
    description: 'The discovery result has no cacheScope.',
    alsoBreaks: ['caching/hints-discover'],
    change: { outgoing: withoutResultMember('server/discover', 'cacheScope') },
  }),
  stateless({
    rule: 'discover/result-supported-versions',
    description: 'One of the supported versions is a number.',
    alsoBreaks: ['discover/result-members'],
    change: {
      outgoing: editing(
        resultOf('server/discover'),
        withResult(() => ({ supportedVersions: [statelessRevision, 20_260_728] })),
      ),
    },
  }),
  stateless({
    rule: 'discover/result-instructions-type',
    description: 'The instructions are a list.',
    change: {
      outgoing: editing(
        resultOf('server/discover'),
        withResult(() => ({ instructions: ['use', 'it'] })),
      ),
    },
  }),
];

const messages: readonly Mutation[] = [
  stateless({
    rule: 'jsonrpc/result-type-member',
    description: `The result of ${sampleMethod} has no resultType.`,
    change: { outgoing: withoutResultMember(sampleMethod, 'resultType') },
  }),
  stateless({
    rule: 'jsonrpc/result-type-value-set',
    description: `The resultType of ${sampleMethod} is undefined.`,
    alsoBreaks: ['extensions/mismatch-fallback'],
    change: {
      outgoing: editing(
        (about, message) => about.era === 'stateless' && resultOf(sampleMethod)(about, message),
        withResult(() => ({ resultType: 'finished' })),
      ),
    },
  }),
  ...[
    'jsonrpc/direction-server-requests',
    'http/sse-server-requests',
    'stdio/stdout-server-requests',
    'mrtr/server-exclusive-pattern',
  ].map((rule) =>
    stateless({
      rule,
      transports: rule.startsWith('http') ? httpOnly : rule.startsWith('stdio') ? stdioOnly : bothTransports,
      description: 'The server asks for the roots by a request ahead of each tool result.',
      alsoBreaks: [
        'jsonrpc/direction-server-requests',
        'http/sse-server-requests',
        'stdio/stdout-server-requests',
        'mrtr/server-exclusive-pattern',
        'http/sse-message-per-event',
      ],
      change: { outgoing: requestBeforeResult },
    }),
  ),
  omission('meta/request-missing-meta-rejection', 'Requests without _meta are served.', ['check-meta']),
  omission('meta/request-missing-version-rejection', 'Requests whose _meta names no version are served.', [
    'check-meta-version',
  ]),
  omission('meta/request-missing-capabilities-rejection', 'Requests whose _meta names no capabilities are served.', [
    'check-meta-capabilities',
  ]),
  omission(
    'meta/client-info-server-insistence',
    'Requests whose _meta has no clientInfo are refused.',
    ['accept-missing-client-info'],
    {
      alsoBreaks: ['discover/method-implementation'],
    },
  ),
  stateless({
    rule: 'meta/request-rejection-http-400',
    ...overHttp,
    description: 'A request without the _meta that it needs is refused with 200.',
    change: { http: { reply: replying(['meta'], (reply) => ({ ...reply, status: 200 })) } },
  }),
  stateless({
    rule: 'meta/server-info-inclusion',
    description: 'Results do not name the server.',
    // Nor the subscription that one of them ends.
    alsoBreaks: ['subscriptions/listen-result-schema'],
    change: {
      outgoing: editing(
        (about) => about.era === 'stateless' && about.kind === 'result',
        (message) => ({ ...message, result: without(message.result as JsonObject, '_meta') }),
      ),
    },
  }),
  omission('logging/request-level-invalid-level', 'A log level that does not exist is taken for none.', [
    'check-log-level',
  ]),
  stateless({
    rule: 'logging/request-level-response-order',
    transports: httpOnly,
    description: 'Each result of a tool that came on an event stream has a log message behind it.',
    alsoBreaks: ['logging/request-level-opt-in'],
    change: {
      outgoing: editing(
        (about) => about.era === 'stateless' && about.kind === 'result' && about.method === 'tools/call',
        (message) => [
          message,
          { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'done' } },
        ],
      ),
    },
  }),
  stateless({
    rule: 'progress/flow-http-stream',
    transports: httpOnly,
    description: 'Progress of one request is sent on the reply to another that is running.',
    // The other reply may be one of another connection of the check, whose requests carried no such token.
    alsoBreaks: ['http/sse-interim-relevance', 'progress/token-active-reference'],
    change: { route: progressOnOtherReply },
  }),
  omission('logging/request-level-opt-in', 'Log messages are sent to requests that asked for none.', [
    'log-only-on-request',
  ]),
];

const headers: readonly Mutation[] = [
  omission(
    'http/version-header-mismatch-rejection',
    'A version header unlike the body is accepted.',
    ['match-version-header'],
    overHttp,
  ),
  omission(
    'http/version-header-absence-rejection',
    'A request without the version header is served.',
    ['require-version-header'],
    thisEraOnly,
  ),
  omission(
    'http/validation-missing-method-header',
    'A request without Mcp-Method is served.',
    ['require-method-header'],
    overHttp,
  ),
  omission(
    'http/validation-body-mismatch',
    'Headers unlike the body are accepted.',
    ['match-method-header', 'match-name-header'],
    {
      ...overHttp,
      alsoBreaks: ['http/header-value-case-sensitivity', 'http/validation-status-400', 'http/validation-code-32020'],
    },
  ),
  omission(
    'http/validation-missing-name-header',
    'A call without Mcp-Name is served.',
    ['require-name-header'],
    overHttp,
  ),
  omission(
    'http/header-value-case-sensitivity',
    'Mcp-Method is compared without regard to case.',
    ['match-header-case'],
    {
      ...overHttp,
      alsoBreaks: ['http/validation-body-mismatch'],
    },
  ),
  omission(
    'http/param-header-comparison-decoding',
    'An encoded Mcp-Name is compared as it is.',
    ['decode-name-header'],
    {
      ...overHttp,
      alsoBreaks: ['errors/reserved-range-meanings'],
    },
  ),
  stateless({
    rule: 'http/validation-status-400',
    ...overHttp,
    description: 'Bad headers are refused with 200.',
    alsoBreaks: [
      'http/version-header-mismatch-rejection',
      'http/validation-body-mismatch',
      'http/validation-missing-method-header',
      'http/validation-missing-name-header',
      'http/header-value-case-sensitivity',
    ],
    change: { http: { reply: replying(headerReasons, (reply) => ({ ...reply, status: 200 })) } },
  }),
  stateless({
    rule: 'http/validation-code-32020',
    ...overHttp,
    description: 'Bad headers are refused with another code.',
    alsoBreaks: [
      'http/version-header-mismatch-rejection',
      'http/validation-body-mismatch',
      'http/validation-missing-method-header',
      'http/validation-missing-name-header',
      'http/header-value-case-sensitivity',
      'http/param-header-rejection-400',
    ],
    change: {
      outgoing: editing(
        (about) => about.kind === 'error' && about.reason.startsWith('header-'),
        withError({ code: errorCode.invalidRequest }),
      ),
    },
  }),
  omission(
    'http/sse-buffering-header',
    'Streams do not ask proxies to leave them unbuffered.',
    ['send-buffering-header'],
    overHttp,
  ),
  stateless({
    rule: 'http/removed-session-id',
    ...thisEraOnly,
    description: 'Replies carry a session id.',
    change: {
      http: { reply: (reply) => ({ ...reply, headers: { ...reply.headers, 'mcp-session-id': 'left-over' } }) },
    },
  }),
  ...(['GET', 'DELETE'] as const).map((verb) =>
    stateless({
      rule: `http/removed-${verb.toLowerCase()}-405`,
      ...thisEraOnly,
      description: `${verb} is answered with 404.`,
      change: { http: { gate: (view) => (view.verb === verb ? { status: 404, reason: 'verb' } : undefined) } },
    }),
  ),
];

const eras: readonly Mutation[] = [
  stateless({
    rule: 'http/removed-last-event-id',
    ...thisEraOnly,
    description: 'A request with Last-Event-ID is refused.',
    change: {
      http: {
        gate: ({ headers: given }) =>
          given['last-event-id'] === undefined ? undefined : { status: 400, reason: 'unknown-event' },
      },
    },
  }),
  stateless({
    rule: 'http/endpoint-post-path',
    ...thisEraOnly,
    description: 'The endpoint takes no POST.',
    alsoBreaks: ['*'],
    change: { http: { gate: ({ verb }) => (verb === 'POST' ? { status: 405, reason: 'verb' } : undefined) } },
  }),
  stateless({
    rule: 'versioning/era-initialize-rejection',
    serve: [statelessRevision],
    description: 'initialize is answered with the revision that has none.',
    change: {
      incoming(message, session, sink) {
        if (message.method !== 'initialize') return false;
        const result = { protocolVersion: statelessRevision, capabilities: {}, serverInfo: session.host.serverInfo };
        sink.finish([{ jsonrpc: '2.0', id: message.id, result }], { method: 'initialize' });
        return true;
      },
    },
  }),
  stateless({
    rule: 'versioning/era-initialize-error-versions',
    serve: [statelessRevision],
    description: 'The refusal of initialize does not say which versions are spoken.',
    change: {
      outgoing: editing(
        (about) => about.kind === 'error' && about.method === 'initialize',
        (message) => ({ ...message, error: { code: errorCode.methodNotFound, message: 'Method not found' } }),
      ),
    },
  }),
];

const versions: readonly Mutation[] = [
  stateless({
    rule: 'versioning/unsupported-error-code',
    description: 'An unsupported version is refused with another code.',
    alsoBreaks: [
      'versioning/unsupported-http-400',
      'versioning/unsupported-method-coverage',
      'versioning/unsupported-list-agreement',
    ],
    change: { outgoing: editing(errorFor('version-unsupported'), withError({ code: errorCode.invalidRequest })) },
  }),
  stateless({
    rule: 'versioning/unsupported-http-400',
    ...overHttp,
    description: 'An unsupported version is refused with 200.',
    change: { http: { reply: replying(['version-unsupported'], (reply) => ({ ...reply, status: 200 })) } },
  }),
  stateless({
    rule: 'versioning/unsupported-error-data',
    description: 'The refusal of a version does not repeat it.',
    change: {
      outgoing: editing(errorFor('version-unsupported'), withError({ data: { supported: [statelessRevision] } })),
    },
  }),
  omission('versioning/unsupported-method-coverage', 'Only server/discover looks at the version.', [
    'check-version-everywhere',
  ]),
  ...['versioning/stateless-handshake-independence', 'versioning/era-dual-selection'].map((rule) =>
    omission(
      rule,
      'Requests are refused until server/discover was called in the process.',
      ['serve-without-handshake'],
      { transports: ['stdio'], alsoBreaks: ['*'] },
    ),
  ),
];

const errors: readonly Mutation[] = [
  stateless({
    rule: 'http/post-unknown-method-404',
    ...overHttp,
    description: 'An unknown method is refused with 200.',
    alsoBreaks: ['http/post-removed-method-404'],
    change: { http: { reply: replying(['unknown-method'], (reply) => ({ ...reply, status: 200 })) } },
  }),
  stateless({
    rule: 'http/post-removed-method-404',
    ...thisEraOnly,
    description: 'ping is refused as an invalid request.',
    change: {
      incoming(message, _session, sink) {
        if (message.method !== 'ping') return false;
        sink.finish(
          [{ jsonrpc: '2.0', id: message.id, error: { code: errorCode.invalidRequest, message: 'ping is gone' } }],
          { status: 400, reason: 'removed' },
        );
        return true;
      },
    },
  }),
  stateless({
    rule: 'errors/retired-code-resource-not-found',
    description: 'An unknown resource is refused with the code of older revisions.',
    alsoBreaks: ['resources/read-not-found-32602'],
    change: {
      outgoing: editing(
        (about, message) => about.era === 'stateless' && errorFor('unknown-resource')(about, message),
        withError({ code: errorCode.resourceNotFound }),
      ),
    },
  }),
  ...(
    [
      ['errors/reserved-range-undefined-codes', -32_050, 'an undefined reserved code'],
      ['errors/legacy-range-use', -32_001, 'a code of the range that shall not be used'],
      ['errors/custom-code-range', -32_300, 'a code of its own inside the JSON-RPC range'],
      ['errors/reserved-range-meanings', -32_022, 'the code for versions'],
      ['errors/retired-code-url-elicitation', -32_042, 'the code of older revisions for questions by address'],
    ] as const
  ).map(([rule, code, what]) =>
    stateless({
      rule,
      description: `An unknown tool is refused with ${what}.`,
      alsoBreaks: [
        'tools/errors-unknown-tool',
        'errors/custom-code-range',
        'errors/reserved-range-undefined-codes',
        'versioning/unsupported-error-data',
        'versioning/unsupported-http-400',
      ],
      change: {
        outgoing: editing(
          (about, message) => about.era === 'stateless' && errorFor('unknown-tool')(about, message),
          withError({ code }),
        ),
      },
    }),
  ),
  stateless({
    rule: 'capabilities/client-missing-error',
    description: 'A missing client capability is an invalid request.',
    alsoBreaks: ['capabilities/client-missing-error-data', 'capabilities/client-missing-error-400'],
    change: { outgoing: editing(errorFor('capability-missing'), withError({ code: errorCode.invalidRequest })) },
  }),
  stateless({
    rule: 'capabilities/client-missing-error-data',
    description: 'The error for a missing client capability does not name it.',
    change: {
      outgoing: editing(errorFor('capability-missing'), (message) => ({
        ...message,
        error: without(message.error as JsonObject, 'data'),
      })),
    },
  }),
  stateless({
    rule: 'capabilities/client-missing-error-400',
    ...overHttp,
    description: 'A missing client capability is refused with 200.',
    change: { http: { reply: replying(['capability-missing'], (reply) => ({ ...reply, status: 200 })) } },
  }),
  stateless({
    rule: 'stdio/shutdown-server-exit-on-eof',
    transports: stdioOnly,
    description: 'The process stays when stdin closes.',
    change: { neglects: ['exit-with-stdin'] },
  }),
];

export const statelessMutations: readonly Mutation[] = [
  ...discovery,
  ...messages,
  ...headers,
  ...eras,
  ...versions,
  ...errors,
];
