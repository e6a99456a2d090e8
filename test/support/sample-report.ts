/**
 * One hand-made report with every status and severity, and with text that tries to break out of each format:
 * markup, script ends, CDATA ends, terminal sequences, bidirectional marks, emoji, NUL, lone surrogates.
 */
import type { PartReport } from '../../src/core/model/reports/run-parts.ts';
import type { EvidenceCase, ReportFeature, ReportVerdict } from '../../src/core/model/reports/run-report.ts';

export const hostile =
  '<script>alert(1)</script> ]]> \u001b[31mred\u001b[0m \u009b2J \u202egnp.exe \u0000 \ud800 👩‍🔬 100% "quoted" \'single\' `tick` {{target}} a|b';

const spec = 'https://modelcontextprotocol.io/specification/2025-11-25';

/** A case with these events. */
export function seen(...events: number[]): EvidenceCase {
  return { subject: 'exchange', events, seen: '' };
}

function verdict(rule: string, more: Partial<ReportVerdict>): ReportVerdict {
  const area = rule.split('/')[0]!;
  return {
    rule,
    role: 'server',
    title: `Title of ${rule}`,
    requirements: [rule.replace('/', '.')],
    statement: `The server does what ${rule} names.`,
    area,
    level: 'MUST',
    severity: 'error',
    ref: `basic/${area}#section`,
    link: `${spec}/basic/${area}#section`,
    status: 'pass',
    message: 'Seen as required.',
    expected: null,
    actual: null,
    fix: null,
    advice: [],
    judged: 1,
    failed: 0,
    evidence: [],
    moreCases: 0,
    ...more,
  };
}

/** What is permitted, and was not seen. */
function feature(rule: string, more: Partial<ReportFeature>): ReportFeature {
  const area = rule.split('/')[0]!;
  return {
    requirement: rule.replace('/', '.'),
    rule,
    role: 'server',
    title: `Title of ${rule}`,
    area,
    ref: `server/${area}#section`,
    link: `${spec}/server/${area}#section`,
    status: 'not-seen',
    uses: 0,
    evidence: null,
    ...more,
  };
}

const verdicts: ReportVerdict[] = [
  verdict('jsonrpc/response-id-echoed', {
    title: 'A response carries the id of its request',
    evidence: [seen(6, 7)],
    judged: 14,
  }),
  verdict('lifecycle/initialize-first', { title: 'Initialization is the first interaction', evidence: [seen(2, 3)] }),
  verdict('lifecycle/protocol-version-echoed', {
    title: 'A supported protocol version is echoed',
    statement: 'When the server supports the requested protocol version, it answers initialize with the same version.',
    status: 'fail',
    message: 'The server answered 1999-01-01 to a request for 2025-11-25.',
    expected: '"protocolVersion": "2025-11-25"',
    actual: '"protocolVersion": "1999-01-01"',
    fix: 'Answer with the requested version when you support it, else with the newest that you do.',
    advice: ['The version 1999-01-01 was never published.'],
    failed: 1,
    evidence: [seen(2, 3)],
  }),
  verdict('ping/answer-empty-result', {
    title: 'A ping is answered with an empty result',
    statement: 'A ping is answered at once, and its result is an empty object.',
    status: 'fail',
    message: `The result carries ${hostile}`,
    expected: 'An empty object, or one with only "_meta"',
    actual: `{"pong":"${hostile}"}`,
    fix: 'Answer ping with {}.',
    judged: 5,
    failed: 2,
    evidence: [seen(6, 7, 99)],
  }),
  verdict('stdio/stdout-messages-only', {
    title: 'Nothing but messages is written to stdout',
    level: 'MUST NOT',
    status: 'fail',
    message: 'The server printed a banner.',
    expected: 'Only JSON-RPC messages',
    actual: 'Server listening …\nReady.',
    fix: 'Write logs to stderr.',
    failed: 1,
    evidence: [seen(4)],
    known: true,
  }),
  verdict('cancellation/cancelled-request-unanswered', {
    title: 'A cancelled request is not answered',
    level: 'SHOULD NOT',
    severity: 'warning',
    status: 'fail',
    message: 'A reply came after the cancellation.',
    expected: 'No reply',
    actual: 'A reply after 12 ms',
    fix: 'Drop the reply of a request that was cancelled.',
    failed: 1,
    evidence: [seen(8, 9, 10)],
  }),
  verdict('tools/description-given', {
    title: 'A tool carries a description',
    level: 'MAY',
    severity: 'info',
    status: 'fail',
    message: 'Two tools have no description.',
    expected: 'A description',
    actual: 'none',
    fix: 'Describe each tool.',
    failed: 2,
    judged: 3,
    link: 'javascript:alert(1)',
  }),
  verdict('progress/value-increases', {
    title: 'Progress grows with every notification',
    status: 'not-exercised',
    open: 'conditional',
    message: 'Conditional: applies only if a call reports progress.',
    remedy: 'name a tool that does under "progress" in a hints file',
  }),
  verdict('pagination/cursor-opaque', {
    title: 'An invalid cursor is refused',
    level: 'SHOULD',
    severity: 'warning',
    status: 'not-exercised',
    open: 'not-reached',
    message: `Not reached: ${hostile}.`,
    remedy: `allow the tool: ${hostile}`,
  }),
  verdict('resources/list-answered', { status: 'not-applicable', message: 'The server does not declare resources.' }),
  verdict('session/id-visible-ascii', {
    status: 'not-applicable',
    message: 'The transport is not Streamable HTTP.',
    link: null,
  }),
  verdict('tools/list-answered', {
    title: 'A listing of tools is answered',
    evidence: [seen(11)],
    advice: ['The listing has 214 tools; clients may cut it.'],
  }),
  verdict('tools/unknown-name-refused', {
    title: 'A call of an unknown tool is refused',
    level: 'SHOULD',
    severity: 'warning',
  }),
  verdict('errors/code-is-integer', {
    title: 'An error code is an integer',
    status: 'error',
    message: 'The rule failed to evaluate: operator "isInteger" threw.',
  }),
];

/** A fresh copy, so that a test may change it: a run with its one part. */
export function sampleReport(): PartReport {
  return structuredClone({
    format: 'mcpc-run-report',
    version: 2,
    tool: { name: 'mcpc', version: '0.1.0' },
    target: {
      name: 'example-server',
      command: ['node', 'dist/server.js', '--banner', hostile],
      serverInfo: { name: 'example', title: `Example ${hostile}`, version: '1.2.0' },
      capabilities: ['tools', 'logging'],
    },
    transport: 'stdio',
    spoken: [
      {
        revision: '2026-07-28',
        era: 'stateless',
        evidence: [
          { by: 'server/discover', events: [12, 13] },
          { by: 'error', events: [14, 15] },
        ],
      },
      { revision: '2025-11-25', era: 'stateful', evidence: [{ by: 'initialize', events: [2, 3] }] },
    ],
    unspoken: [{ revision: '2024-11-05', era: 'stateful', why: `initialize is answered with ${hostile}`, events: [] }],
    revision: '2025-11-25',
    era: 'stateful',
    ruleSet: { digest: 'sha256:3fa9c1d20b7e4a55', rules: 14 },
    startedAt: '2026-11-21T22:39:04.123Z',
    durationMs: 1234.5,
    compliant: false,
    score: 53.1,
    grade: 'D',
    counts: { fail: 5, error: 1, 'not-exercised': 2, pass: 4, 'not-applicable': 2 },
    decided: 9,
    applicable: 12,
    conditional: 1,
    notReached: 1,
    areas: [
      { area: 'cancellation', score: 0, pass: 0, fail: 1, notExercised: 0, notApplicable: 0, error: 0 },
      { area: 'errors', score: null, pass: 0, fail: 0, notExercised: 0, notApplicable: 0, error: 1 },
      { area: 'jsonrpc', score: 100, pass: 1, fail: 0, notExercised: 0, notApplicable: 0, error: 0 },
      { area: 'lifecycle', score: 50, pass: 1, fail: 1, notExercised: 0, notApplicable: 0, error: 0 },
      { area: 'pagination', score: null, pass: 0, fail: 0, notExercised: 1, notApplicable: 0, error: 0 },
      { area: 'ping', score: 0, pass: 0, fail: 1, notExercised: 0, notApplicable: 0, error: 0 },
      { area: 'progress', score: null, pass: 0, fail: 0, notExercised: 1, notApplicable: 0, error: 0 },
      { area: 'resources', score: null, pass: 0, fail: 0, notExercised: 0, notApplicable: 1, error: 0 },
      { area: 'session', score: null, pass: 0, fail: 0, notExercised: 0, notApplicable: 1, error: 0 },
      { area: 'stdio', score: 0, pass: 0, fail: 1, notExercised: 0, notApplicable: 0, error: 0 },
      { area: 'tools', score: 100, pass: 2, fail: 1, notExercised: 0, notApplicable: 0, error: 0 },
    ],
    levels: [
      { level: 'MUST', pass: 3, fail: 2, notExercised: 1, notApplicable: 2, error: 1 },
      { level: 'MUST NOT', pass: 0, fail: 1, notExercised: 0, notApplicable: 0, error: 0 },
      { level: 'SHOULD', pass: 1, fail: 0, notExercised: 1, notApplicable: 0, error: 0 },
      { level: 'SHOULD NOT', pass: 0, fail: 1, notExercised: 0, notApplicable: 0, error: 0 },
      { level: 'MAY', pass: 0, fail: 1, notExercised: 0, notApplicable: 0, error: 0 },
    ],
    verdicts,
    features: [
      feature('tools/result-resource-link', {
        title: `A tool result links to a resource ${hostile}`,
        status: 'used',
        uses: 2,
        evidence: seen(8, 10),
      }),
      feature('tools/result-embedded-resource', { link: null }),
      feature('progress/receiver-permission', { status: 'used', uses: 1, evidence: seen(99) }),
    ],
    wire: [
      {
        seq: 2,
        t: 31.4,
        session: 's1',
        from: 'client',
        kind: 'message',
        label: 'initialize (request 1)',
        body: '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"mcpc","version":"0.1.0"}}}',
      },
      {
        seq: 3,
        t: 58.2,
        session: 's1',
        from: 'server',
        kind: 'message',
        label: 'result of request 1',
        body: '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"1999-01-01","capabilities":{"tools":{}},"serverInfo":{"name":"example","version":"1.2.0"}}}',
      },
      {
        seq: 4,
        t: 58.9,
        session: 's1',
        from: 'server',
        kind: 'unparsable',
        label: 'line that is no JSON',
        body: 'Server listening …\r\nReady.',
      },
      {
        seq: 6,
        t: 60,
        session: 's1',
        from: 'client',
        kind: 'message',
        label: 'ping (request 2)',
        body: '{"jsonrpc":"2.0","id":2,"method":"ping"}',
      },
      {
        seq: 7,
        t: 61.7,
        session: 's1',
        from: 'server',
        kind: 'message',
        label: `result of request 2 ${hostile}`,
        body: `{"jsonrpc":"2.0","id":2,"result":{"pong":"${hostile}"}}`,
      },
      {
        seq: 8,
        t: 70,
        session: 's2',
        from: 'client',
        kind: 'message',
        label: 'tools/call (request 3)',
        body: '{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"slow","arguments":{}}}',
        deviation: 'cancelled at once',
      },
      {
        seq: 9,
        t: 70.4,
        session: 's2',
        from: 'client',
        kind: 'message',
        label: 'notifications/cancelled',
        body: '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3}}',
      },
      {
        seq: 10,
        t: 82.4,
        session: 's2',
        from: 'server',
        kind: 'message',
        label: 'result of request 3',
        body: '{"jsonrpc":"2.0","id":3,"result":{"content":[]}}',
      },
      {
        seq: 11,
        t: 5090,
        session: 's2',
        from: 'harness',
        kind: 'timeout',
        label: 'waited 5.00 s for an answer',
        body: '',
      },
    ],
    trace: 'traces/run.trace.jsonl',
    incomplete: null,
    skipped: [
      {
        what: `tool delete-everything ${hostile}`,
        why: 'its annotations say that it is destructive',
        allow: '--allow-tool delete-everything, --allow-destructive, or "call: allowed" in a file of hints',
      },
      {
        what: 'tool create_note',
        why: 'its name says that it changes something ("create"), and no annotation says otherwise',
        allow: '--allow-tool create_note, --allow-destructive, or "call: allowed" in a file of hints',
      },
      {
        what: 'tool send_note',
        why: 'its name says that it changes something ("send"), and no annotation says otherwise',
        allow: '--allow-tool send_note, --allow-destructive, or "call: allowed" in a file of hints',
      },
      { what: 'tool hang', why: 'it did not answer in time' },
    ],
    calls: {
      called: [
        {
          tool: `get_note ${hostile}`,
          times: 12,
          arguments: [
            { value: '{"id":"text"}', times: 9 },
            { value: `{"id":"${hostile}"}`, times: 1 },
          ],
          more: 2,
        },
        { tool: 'slow', times: 1, arguments: [{ value: '{}', times: 1 }] },
      ],
      notCalled: [
        {
          tool: `delete-everything ${hostile}`,
          why: 'its annotations say that it is destructive',
          allow: '--allow-tool delete-everything, --allow-destructive, or "call: allowed" in a file of hints',
        },
        {
          tool: 'create_note',
          why: 'its name says that it changes something ("create"), and no annotation says otherwise',
          allow: '--allow-tool create_note, --allow-destructive, or "call: allowed" in a file of hints',
        },
        {
          tool: 'send_note',
          why: 'its name says that it changes something ("send"), and no annotation says otherwise',
          allow: '--allow-tool send_note, --allow-destructive, or "call: allowed" in a file of hints',
        },
        { tool: 'count_notes', why: 'no rule had a use for it' },
      ],
    },
    baseline: {
      file: 'mcpc-baseline.json',
      known: ['stdio/stdout-messages-only'],
      fresh: ['lifecycle/protocol-version-echoed', 'ping/answer-empty-result'],
      stale: ['tools/list-answered'],
    },
  } satisfies PartReport);
}
