/** What becomes of requirements that nothing decided: not declared, never done, or what would decide them. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { judgeTraceFile } from '../../src/check/judge.ts';
import { everything } from '../../src/check/plan.ts';
import { ofPart, runOf } from '../../src/core/model/reports/run-parts.ts';
import type { ReportVerdict } from '../../src/core/model/reports/run-report.ts';
import { renderReport } from '../../src/report/parts/render.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'mcpc-open-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const revision = '2025-11-25';

type Answered = [method: string, params: object, result: object];

interface Conversation {
  capabilities: object;
  more?: object[];
  /** Requests with their results. */
  answers?: Answered[];
  /** Requests with their errors. */
  refusals?: [method: string, params: object, code: number][];
  origin?: string;
  complete?: boolean;
  skipped?: { what: string; why: string; allow?: string }[];
}

/** A server with one tool, which is called once unless it is left out. */
async function judged({
  capabilities,
  more = [],
  answers = [],
  refusals = [],
  origin = 'live',
  complete = true,
  skipped,
}: Conversation) {
  const messages: [string, object][] = [
    [
      'client',
      {
        id: 1,
        method: 'initialize',
        params: { protocolVersion: revision, capabilities: {}, clientInfo: { name: 'c', version: '1' } },
      },
    ],
    ['server', { id: 1, result: { protocolVersion: revision, capabilities, serverInfo: { name: 's', version: '1' } } }],
    ['client', { method: 'notifications/initialized' }],
    ['client', { id: 2, method: 'tools/list' }],
    ['server', { id: 2, result: { tools: [{ name: 'a', inputSchema: { type: 'object' } }] } }],
    ...(skipped === undefined
      ? ([
          ['client', { id: 3, method: 'tools/call', params: { name: 'a', arguments: {} } }],
          ['server', { id: 3, result: { content: [] } }],
        ] as [string, object][])
      : []),
    ...answers.flatMap(([method, params, result], at): [string, object][] => [
      ['client', { id: 100 + at, method, params }],
      ['server', { id: 100 + at, result }],
    ]),
    ...refusals.flatMap(([method, params, code], at): [string, object][] => [
      ['client', { id: 200 + at, method, params }],
      ['server', { id: 200 + at, error: { code, message: 'No' } }],
    ]),
    ...more.map((message): [string, object] => ['server', message]),
  ];
  const events = messages.map(([from, message], at) => ({
    seq: at + 1,
    t: at,
    session: 's1',
    from,
    kind: 'message',
    message: { jsonrpc: '2.0', ...message },
  }));
  const file = path.join(folder, 'trace.jsonl');
  const lines = [
    { format: 'mcpc-trace', version: 1, origin, transport: 'stdio', revision, era: 'stateful' },
    ...events,
    { footer: true, events: events.length, complete, ...(skipped === undefined ? {} : { skipped }) },
  ];
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const report = ofPart(await judgeTraceFile(file, { selection: everything, toolVersion: '0' }));
  return { report, verdict: (rule: string): ReportVerdict => report.verdicts.find((one) => one.rule === rule)! };
}

describe('what is not declared', () => {
  test('does not apply', async () => {
    const { verdict } = await judged({ capabilities: { tools: {} } });
    for (const [rule, capability] of [
      ['prompts/list-result-schema', 'prompts'],
      ['logging/message-schema', 'logging'],
      ['completion/result-schema', 'completions'],
      ['tasks/status-transitions', 'tasks'],
    ]) {
      expect(verdict(rule!)).toMatchObject({
        status: 'not-applicable',
        message: `Not applicable: the server does not declare ${capability}.`,
      });
    }
    // What is declared stays open, with what would decide it.
    expect(verdict('tools/errors-invalid-arguments')).toMatchObject({
      status: 'not-exercised',
      open: 'not-reached',
      message: 'Not reached: no tool gave a result of the kind.',
      remedy: 'give arguments for one that does under "tools" in a hints file',
    });
  });

  test('may not be done: the rules that say so pass where there was occasion, by the handshake', async () => {
    const { verdict } = await judged({ capabilities: { tools: {} } });
    expect(verdict('logging/capability-declaration')).toMatchObject({
      status: 'pass',
      message: 'Not declared, and not done while 2 requests were served.',
      evidence: [{ subject: 'handshake', events: [1, 2] }],
    });
    expect(verdict('tools/list-changed-capability').status).toBe('pass');
    const declared = await judged({ capabilities: { tools: { listChanged: true }, logging: {} } });
    expect(declared.verdict('tools/list-changed-capability')).toMatchObject({
      status: 'not-applicable',
      message: 'Not applicable: the server declares tools.listChanged.',
    });
    const done = await judged({
      capabilities: { tools: {} },
      more: [{ method: 'notifications/message', params: { level: 'info', data: 'x' } }],
    });
    expect(done.verdict('logging/capability-declaration').status).toBe('fail');
  });

  test('of a run that was cut short nothing is said to have passed, nor that it was never done', async () => {
    const { verdict } = await judged({ capabilities: { tools: {} }, complete: false });
    expect(verdict('logging/capability-declaration').status).toBe('not-exercised');
    expect(verdict('sampling/request-schema').status).toBe('not-exercised');
    expect(verdict('prompts/list-result-schema').status).toBe('not-applicable');
  });
});

describe('what a server never asks', () => {
  test('does not apply where every tool was called', async () => {
    const { verdict } = await judged({ capabilities: { tools: {} } });
    expect(verdict('sampling/request-schema')).toMatchObject({
      status: 'not-applicable',
      message: 'Not applicable: no tool asked the client for sampling.',
    });
    expect(verdict('elicitation/form-params').status).toBe('not-applicable');
    expect(verdict('jsonrpc/request-id-type').status).toBe('not-applicable');
  });

  test('nor does what it never sends, though it may', async () => {
    const { verdict } = await judged({ capabilities: { tools: {} } });
    for (const [rule, why] of [
      ['progress/value-increase', 'the server sent no notifications/progress'],
      ['progress/flow-completion-stop', 'the server sent no notifications/progress'],
      ['cancellation/sender-late-response', 'the server sent no notifications/cancelled'],
      ['ping/frequency-moderation', 'the server sent no ping'],
      ['pagination/cursor-stability', 'no list had a second page'],
    ])
      expect(verdict(rule!), rule).toMatchObject({ status: 'not-applicable', message: `Not applicable: ${why}.` });
    // What it has to take from a client is another thing.
    expect(verdict('cancellation/receiver-response-suppression').status).toBe('not-exercised');
    const sent = await judged({
      capabilities: { tools: {} },
      more: [
        { method: 'notifications/progress', params: { progressToken: 'x', progress: 1 } },
        { id: 9, method: 'ping' },
      ],
    });
    expect(
      ['progress/value-increase', 'progress/flow-completion-stop', 'ping/frequency-moderation'].map(
        (rule) => sent.verdict(rule).status,
      ),
    ).not.toContain('not-applicable');
    const left = await judged({
      capabilities: { tools: {} },
      skipped: [{ what: 'tool a', why: 'it may change something', allow: '--allow-tool a' }],
    });
    expect(left.verdict('progress/value-increase')).toMatchObject({
      status: 'not-exercised',
      open: 'conditional',
      message: 'Conditional: applies only if a call reports progress.',
      remedy: 'allow the tool left out for safety: --allow-tool a',
    });
  });

  test('nor what it may leave out, once all was seen that would show it', async () => {
    const { verdict } = await judged({
      capabilities: { tools: {}, prompts: {}, resources: {} },
      more: [{ id: 9, method: 'ping' }],
    });
    for (const [rule, why] of [
      ['icons/schema-members', 'neither the server nor anything that it lists has icons'],
      ['lifecycle/initialization-instructions-type', 'the server gives no instructions'],
      ['meta/value-object-type', 'no message of the server has _meta'],
      ['resources/templates-item-schema', 'no template of resources is listed'],
    ])
      expect(verdict(rule!), rule).toMatchObject({ status: 'not-applicable', message: `Not applicable: ${why}.` });
    const left = await judged({
      capabilities: { tools: {} },
      skipped: [{ what: 'tool a', why: 'it may change something', allow: '--allow-tool a' }],
    });
    expect(left.verdict('icons/schema-members').status).toBe('not-exercised');
    const cut = await judged({ capabilities: { tools: {} }, complete: false });
    expect(cut.verdict('icons/schema-members').status).toBe('not-exercised');
    const templates = await judged({
      capabilities: { resources: {} },
      answers: [['resources/templates/list', {}, { resourceTemplates: [{ name: 'a', uriTemplate: 'a://{b}' }] }]],
    });
    expect(templates.verdict('resources/templates-mime-uniformity').status).toBe('not-exercised');
  });

  test('of prompts and resources only where each that is listed was got', async () => {
    const prompts = [{ name: 'a' }, { name: 'b' }];
    const got = (name: string): Answered => [
      'prompts/get',
      { name },
      { messages: [{ role: 'user', content: { type: 'text', text: 'x' } }] },
    ];
    const list: Answered = ['prompts/list', {}, { prompts }];
    const some = await judged({ capabilities: { tools: {}, prompts: {} }, answers: [list, got('a')] });
    expect(some.verdict('prompts/content-image')).toMatchObject({
      status: 'not-exercised',
      open: 'conditional',
      message: 'Conditional: no prompt gave an image.',
      remedy: expect.stringContaining('"prompts" in a hints file') as string,
    });
    const all = await judged({ capabilities: { tools: {}, prompts: {} }, answers: [list, got('b'), got('a')] });
    expect(all.verdict('prompts/content-image')).toMatchObject({
      status: 'not-applicable',
      message: 'Not applicable: no prompt gave an image.',
    });
    const endless = await judged({
      capabilities: { tools: {}, prompts: {} },
      answers: [['prompts/list', {}, { prompts: [...prompts, { name: 'x'.repeat(3000) }] }], got('a'), got('b')],
    });
    expect(endless.verdict('prompts/content-image').status).toBe('not-exercised');
    const read: Answered = ['resources/read', { uri: 'a://1' }, { contents: [{ uri: 'a://1', text: 'x' }] }];
    const resources = await judged({
      capabilities: { resources: {} },
      answers: [['resources/list', {}, { resources: [{ uri: 'a://1', name: '1' }] }], read],
    });
    expect(resources.verdict('resources/security-binary-encoding').status).toBe('not-applicable');
  });

  test('applies to a client on the condition that its rule names', async () => {
    const { verdict } = await judged({ capabilities: { tools: {} }, origin: 'client' });
    expect(verdict('icons/uri-unsafe-scheme')).toMatchObject({
      status: 'not-exercised',
      open: 'conditional',
      message: 'Conditional: applies only if the client loads icons.',
    });
  });

  test('stays open where a tool was left out, and says what to do', async () => {
    const { verdict, report } = await judged({
      capabilities: { tools: {} },
      skipped: [{ what: 'tool a', why: 'it may change something', allow: '--allow-tool a' }],
    });
    expect(verdict('tools/call-result-schema')).toMatchObject({
      status: 'not-exercised',
      open: 'not-reached',
      remedy: 'allow the tool left out for safety: --allow-tool a',
    });
    expect(verdict('sampling/request-schema')).toMatchObject({
      status: 'not-exercised',
      open: 'conditional',
      message: 'Conditional: applies only if a tool asks the client for sampling.',
      remedy: 'allow the tool left out for safety: --allow-tool a',
    });
    for (const format of ['terminal', 'markdown', 'html'] as const) {
      const text = renderReport(runOf(report), format, { color: false, width: 120 })
        .replaceAll('&quot;', '"')
        .replaceAll(/\s+/g, ' ');
      // What the rules depend on stands there once for all of them; a terminal has it with --verbose.
      if (format !== 'terminal')
        expect(text.split('only if a tool asks the client for sampling').length - 1).toBe(
          format === 'html'
            ? report.verdicts.filter(({ area, open }) => area === 'sampling' && open === 'conditional').length + 1
            : 1,
        );
      expect(text).toContain('allow the tool left out for safety: --allow-tool a');
    }
  });

  test('is not known of a capture', async () => {
    const { verdict } = await judged({ capabilities: { tools: {} }, origin: 'capture' });
    expect(verdict('sampling/request-schema')).toMatchObject({
      status: 'not-exercised',
      open: 'conditional',
      remedy: 'check the server itself, or record more of it',
    });
    expect(verdict('tools/name-case-sensitivity')).toMatchObject({
      open: 'not-reached',
      message: 'Not reached: nothing of the kind was recorded.',
    });
  });

  test('says that something was seen where it was, and decides nothing', async () => {
    const { report } = await judged({ capabilities: { tools: {} }, answers: [['ping', {}, {}]] });
    const { message } = report.verdicts.find(({ rule }) => rule === 'errors/code-method-not-found')!;
    expect(message).toMatch(/^Not reached: (?:the one case|none of the \d+ cases) that (?:was|were) looked at /);
    expect(report.verdicts.filter((one) => one.message.includes('did not come to it')).length).toBeGreaterThan(0);
  });

  test('says how the target answered what was asked and decides nothing', async () => {
    const read: [string, object] = ['resources/read', { uri: 'a:b' }];
    const capabilities = { tools: {}, resources: {} };
    const refused = await judged({
      capabilities,
      refusals: [
        [...read, -32603],
        [...read, -32603],
      ],
    });
    expect(refused.verdict('resources/read-result-schema')).toMatchObject({
      status: 'not-exercised',
      open: 'not-reached',
      message: 'Not reached: resources/read was answered with error -32603 (2 times), never with a result.',
    });
    const served = await judged({ capabilities, refusals: [[...read, -32603]], answers: [[...read, { contents: 1 }]] });
    expect(served.verdict('resources/read-result-schema').status).toBe('fail');
    const complete: [string, object] = ['completion/complete', { ref: { type: 'ref/prompt', name: 'p' } }];
    const unknown = await judged({ capabilities: { completions: {} }, refusals: [[...complete, -32601]] });
    expect(unknown.verdict('completion/result-schema')).toMatchObject({
      status: 'not-exercised',
      open: 'conditional',
      message:
        'Conditional: applies only if the server has completion/complete; completion/complete was answered with error -32601, never with a result.',
    });
  });

  test('counts apart: what was decided, what was not reached, and what may not apply', async () => {
    const { report } = await judged({
      capabilities: { tools: {} },
      skipped: [{ what: 'tool a', why: 'it may change something', allow: '--allow-tool a' }],
    });
    const open = (kind: ReportVerdict['open']): number => report.verdicts.filter((one) => one.open === kind).length;
    expect(report).toMatchObject({ notReached: open('not-reached'), conditional: open('conditional') });
    expect(report.decided + open('not-reached') + open('conditional')).toBe(report.applicable);
    expect(open('not-reached')).toBeGreaterThan(0);
    expect(open('conditional')).toBeGreaterThan(20);
    // No tool was called.
    expect(report).toMatchObject({
      score: 100,
      grade: 'B',
      gradeLimits: expect.arrayContaining([{ grade: 'B', why: 'no tool was called' }]) as unknown,
    });
  });

  test('counts what is no tool apart from tools', async () => {
    const call = (name: string): Answered => ['tools/call', { name, arguments: {} }, { content: [] }];
    const { report } = await judged({
      capabilities: { tools: {} },
      answers: [call('a'), call('mcpc-no-such-tool'), call('A')],
    });
    expect(report.calls).toMatchObject({
      called: [{ tool: 'a', times: 2 }],
      notCalled: [],
      unlisted: [
        { tool: 'mcpc-no-such-tool', times: 1 },
        { tool: 'A', times: 1 },
      ],
    });
    expect(renderReport(runOf(report), 'terminal', { color: false })).toContain('1 of 1 tool called, 2 calls.');
  });

  test('is judged where it asks', async () => {
    const { verdict } = await judged({
      capabilities: { tools: {} },
      more: [{ id: 's1', method: 'sampling/createMessage', params: { messages: 'none', maxTokens: 1 } }],
    });
    expect(verdict('sampling/request-schema').status).not.toBe('not-applicable');
    expect(verdict('elicitation/form-params').status).toBe('not-applicable');
  });
});
