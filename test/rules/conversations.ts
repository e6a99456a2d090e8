/** Conversations in the notation of examples (docs/rules.md), each with the rules that fail in it: none where it is legal. */
import type { Revision } from '../../src/core/model/rules/requirement.ts';
import type { RuleExample } from '../../src/core/model/rules/rule.ts';
import type { TransportKind } from '../../src/core/model/trace.ts';

export interface Conversation extends Omit<RuleExample, 'verdict' | 'revision' | 'transport'> {
  name: string;
  revision: Revision;
  on: TransportKind | readonly TransportKind[];
  /** Rules of MUST requirements that fail; none when absent. */
  fails?: readonly string[];
  /** Verdicts of rules that matter here; a rule that does not hold in the revision has none. */
  decides?: Readonly<Record<string, string>>;
}

const acknowledged =
  '{"method":"notifications/subscriptions/acknowledged","params":{"notifications":{"toolsListChanged":true},"_meta":{"io.modelcontextprotocol/subscriptionId":7}}}';
const listen = '> {"id":7,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true}}}';
const ended = '{"id":7,"result":{"resultType":"complete","_meta":{"io.modelcontextprotocol/subscriptionId":7}}}';
const tornDown = '{"method":"notifications/cancelled","params":{"requestId":7,"reason":"shutting down"}}';

const subscriptions: readonly Conversation[] = [
  {
    name: 'a server ends a subscription by notifications/cancelled',
    revision: '2026-07-28',
    on: ['stdio', 'http'],
    serverCapabilities: { tools: { listChanged: true } },
    trace: [listen, '< stream', `< ${acknowledged}`, `< ${tornDown}`, '< end'],
    decides: { 'cancellation/server-other-purposes': 'pass' },
  },
  {
    name: 'a server ends a subscription by notifications/cancelled and a result',
    revision: '2026-07-28',
    on: ['stdio', 'http'],
    serverCapabilities: { tools: { listChanged: true } },
    trace: [listen, '< stream', `< ${acknowledged}`, `< ${tornDown}`, `< ${ended}`, '< end'],
    decides: { 'cancellation/server-other-purposes': 'pass' },
  },
  {
    name: 'a server ends a subscription by a result, then says that it is cancelled',
    revision: '2026-07-28',
    on: 'stdio',
    serverCapabilities: { tools: { listChanged: true } },
    trace: [listen, `< ${acknowledged}`, `< ${ended}`, `< ${tornDown}`],
    decides: { 'cancellation/server-other-purposes': 'pass' },
  },
  {
    name: 'a server cancels a call of the client',
    revision: '2026-07-28',
    on: ['stdio', 'http'],
    trace: [
      '> {"id":1,"method":"tools/call","params":{"name":"work","arguments":{}}}',
      '< {"method":"notifications/cancelled","params":{"requestId":1}}',
      '< {"id":1,"result":{"resultType":"complete","content":[]}}',
    ],
    fails: ['cancellation/server-other-purposes'],
  },
];

const legacyInitialize =
  '{"id":"legacy","method":"initialize","params":{"_meta":null,"protocolVersion":"2025-11-25","capabilities":{"roots":{}},"clientInfo":{"name":"example-client","version":"1.0.0"}}}';
const legacyResult =
  '{"id":"legacy","result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"example-server","version":"1.0.0"}}}';
const tool = '{"name":"work","inputSchema":{"type":"object"}}';

/** What a server of both eras does when it stays with the stateful one, once it was chosen. */
const statefulFromNowOn = [
  '> {"method":"notifications/initialized"}',
  '< 202',
  '< {"id":"s1","method":"ping"}',
  '> {"id":"s1","result":{}}',
  '< 202',
  '> {"id":2,"method":"server/discover"}',
  '< {"id":2,"error":{"code":-32601,"message":"Method not found"}}',
  '> {"id":3,"method":"tools/list","params":{"_meta":null}}',
  `< {"id":3,"result":{"tools":[${tool}]}}`,
];

/** Rules that the client of these conversations breaks. */
const leftOutMeta = ['meta/request-client-capabilities', 'meta/request-protocol-version'];

const eras: readonly Conversation[] = [
  {
    name: 'a server of both eras takes initialize after server/discover, and serves the stateful era alone from then on',
    revision: '2026-07-28',
    on: ['stdio'],
    trace: [`> ${legacyInitialize}`, `< ${legacyResult}`, ...statefulFromNowOn],
    decides: {
      'discover/method-implementation': 'pass',
      'jsonrpc/result-type-member': 'pass',
      'jsonrpc/direction-server-requests': 'pass',
    },
  },
  {
    name: 'the same over HTTP, where the session id tells the eras apart',
    revision: '2026-07-28',
    on: ['http'],
    trace: [
      `> POST {"mcp-method":null,"mcp-protocol-version":null} ${legacyInitialize}`,
      `< 200 header.mcp-session-id=one type=application/json body=${legacyResult.replace('{', '{"jsonrpc":"2.0",')}`,
      '> POST {"mcp-method":null,"mcp-session-id":"one","mcp-protocol-version":"2025-11-25"} {"id":3,"method":"tools/list","params":{"_meta":null}}',
      `< {"id":3,"result":{"tools":[${tool}]}}`,
    ],
    decides: { 'jsonrpc/result-type-member': 'pass' },
  },
  {
    name: 'a server of both eras binds a process to the era of its first message',
    revision: '2026-07-28',
    on: ['stdio'],
    handshake: false,
    trace: [
      `> ${legacyInitialize}`,
      `< ${legacyResult}`,
      'session',
      `> ${legacyInitialize}`,
      '< {"id":"legacy","error":{"code":-32022,"message":"Unsupported protocol version","data":{"supported":["2026-07-28"],"requested":"2025-11-25"}}}',
      '> {"id":2,"method":"server/discover","params":{"_meta":null}}',
      '< {"id":2,"error":{"code":-32600,"message":"Invalid request"}}',
    ],
    fails: leftOutMeta,
    decides: {
      'versioning/era-initialize-rejection': 'not-exercised',
      'meta/request-missing-meta-rejection': 'not-exercised',
    },
  },
  {
    name: 'a server of this era alone takes a request without _meta',
    revision: '2026-07-28',
    on: ['stdio'],
    handshake: false,
    trace: [
      `> ${legacyInitialize}`,
      '< {"id":"legacy","error":{"code":-32022,"message":"Unsupported protocol version","data":{"supported":["2026-07-28"],"requested":"2025-11-25"}}}',
      'session',
      '> {"id":2,"method":"server/discover","params":{"_meta":null}}',
      '< {"id":2,"error":{"code":-32600,"message":"Invalid request"}}',
    ],
    fails: [...leftOutMeta, 'meta/request-missing-meta-rejection'],
  },
];

const call = (id: number, more = ''): string =>
  `{"id":${id},"method":"tools/call","params":{"name":"work","arguments":{}${more}}}`;
const done = (id: number): string => `{"id":${id},"result":{"content":[{"type":"text","text":"ok"}]}}`;

const legalServers: readonly Conversation[] = [
  ...(['2025-03-26', '2025-11-25'] as const).flatMap((revision): Conversation[] => [
    {
      name: `the reply to a call that was cancelled is empty, ${revision}`,
      revision,
      on: ['http'],
      trace: [
        `> #a ${call(1)}`,
        '> {"method":"notifications/cancelled","params":{"requestId":1}}',
        '< 202',
        '< #a 204',
        '> {"id":2,"method":"ping"}',
        '< {"id":2,"result":{}}',
      ],
    },
    {
      name: `the reply to a call that was cancelled is an empty 200, ${revision}`,
      revision,
      on: ['http'],
      trace: [
        `> #a ${call(1)}`,
        '> {"method":"notifications/cancelled","params":{"requestId":1}}',
        '< 202',
        '< #a 200 type=application/json body=',
        '> {"id":2,"method":"ping"}',
        '< {"id":2,"result":{}}',
      ],
    },
    {
      name: `a session ends with 404 after a cancellation, ${revision}`,
      revision,
      on: ['http'],
      trace: [
        '> {"id":1,"method":"ping"}',
        '< {"id":1,"result":{}}',
        '> {"method":"notifications/cancelled","params":{"requestId":1}}',
        '< 202',
        '> {"id":2,"method":"ping"}',
        '< 404 body={"jsonrpc":"2.0","id":2,"error":{"code":-32001,"message":"Session not found"}}',
      ],
    },
  ]),
  {
    name: 'a server ends with the session that its client deleted, after the roots had changed',
    revision: '2025-11-25',
    on: ['http'],
    clientCapabilities: { roots: { listChanged: true } },
    trace: [
      '> {"method":"notifications/roots/list_changed"}',
      '< 202',
      '> DELETE',
      '< 200',
      '> {"id":2,"method":"ping"}',
      '< 404',
    ],
    decides: { 'roots/list-changed-server-handling': 'not-exercised' },
  },
  {
    name: 'a client gives two calls one progress token',
    revision: '2025-11-25',
    on: ['http'],
    trace: [
      `> #a ${call(1, ',"_meta":{"progressToken":"t"}')}`,
      '< #a stream',
      `> #b ${call(2, ',"_meta":{"progressToken":"t"}')}`,
      '< #b stream',
      '< #a {"method":"notifications/progress","params":{"progressToken":"t","progress":1}}',
      '< #b {"method":"notifications/progress","params":{"progressToken":"t","progress":1}}',
      `< #a ${done(1)}`,
      `< #b ${done(2)}`,
    ],
    fails: ['progress/client-token-uniqueness'],
    decides: { 'http/sse-interim-relevance': 'not-exercised', 'progress/value-increase': 'not-exercised' },
  },
  {
    name: 'a client gives two calls one progress token on one channel',
    revision: '2025-11-25',
    on: ['stdio'],
    trace: [
      `> ${call(1, ',"_meta":{"progressToken":"t"}')}`,
      `> ${call(2, ',"_meta":{"progressToken":"t"}')}`,
      '< {"method":"notifications/progress","params":{"progressToken":"t","progress":2}}',
      '< {"method":"notifications/progress","params":{"progressToken":"t","progress":1}}',
      `< ${done(2)}`,
      '< {"method":"notifications/progress","params":{"progressToken":"t","progress":2}}',
      `< ${done(1)}`,
    ],
    fails: ['progress/client-token-uniqueness'],
  },
  {
    name: 'a client pings while initialize is unanswered',
    revision: '2025-11-25',
    on: ['http'],
    handshake: false,
    trace: [
      '> #a {"id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"example-client","version":"1.0.0"}}}',
      '> #b {"id":2,"method":"ping"}',
      '< #a 200 type=application/json header.mcp-session-id=example-session-8f14e45fceea167a body={"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}}',
      '< #b {"id":2,"result":{}}',
      '> POST {"mcp-session-id":"example-session-8f14e45fceea167a"} {"method":"notifications/initialized"}',
      '< 202',
    ],
  },
  {
    name: 'a client declares no mode of elicitation, and answers a form',
    revision: '2025-11-25',
    on: ['stdio', 'http'],
    clientCapabilities: { elicitation: { strict: true } },
    trace: [
      `> ${call(1)}`,
      '< {"id":"s1","method":"elicitation/create","params":{"message":"Who?","requestedSchema":{"type":"object","properties":{"name":{"type":"string"}}}}}',
      '> {"id":"s1","result":{"action":"accept","content":{"name":"Ada"}}}',
      '< 202',
      `< ${done(1)}`,
    ],
    decides: { 'elicitation/capability-mode-minimum': 'pass' },
  },
  {
    name: 'a client asks before initialize over HTTP',
    revision: '2025-11-25',
    on: ['stdio', 'http'],
    handshake: false,
    trace: [
      '> {"id":9,"method":"tools/list"}',
      '< {"id":9,"error":{"code":-32600,"message":"Not initialized"}}',
      '> {"id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"example-client","version":"1.0.0"}}}',
      '< {"id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}}',
      '> {"method":"notifications/initialized"}',
      '< 202',
    ],
    fails: ['lifecycle/client-initialization-precedence'],
  },
];

export const conversations: readonly Conversation[] = [...subscriptions, ...eras, ...legalServers];
