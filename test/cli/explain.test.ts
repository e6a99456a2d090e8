/** `rules explain` and `--evaluator engine`: a verdict taken apart, and judged by json-rules-engine alone, on the command line. */
import { describe, expect, test } from 'vitest';
import type { Explanation } from '../../src/check/judge/explain.ts';
import { parseReport } from '../support/read-report.ts';
import { errorOf, Workspace } from './harness.ts';

const space = new Workspace();
const revision = '2025-11-25';

type Line = Record<string, unknown>;

/** A trace in which pings are answered with the results. @param before events that belong to no connection */
function traceWith(results: readonly unknown[], before: readonly Line[] = []): string {
  const message = (from: string, text: Line): Line => ({
    session: 's1',
    from,
    kind: 'message',
    message: { jsonrpc: '2.0', ...text },
  });
  const events = [
    ...before,
    message('client', {
      id: 1,
      method: 'initialize',
      params: { protocolVersion: revision, capabilities: {}, clientInfo: { name: 'c', version: '1' } },
    }),
    message('server', {
      id: 1,
      result: { protocolVersion: revision, capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } },
    }),
    message('client', { method: 'notifications/initialized' }),
    ...results.flatMap((result, at) => [
      message('client', { id: at + 2, method: 'ping' }),
      message('server', { id: at + 2, ...(result as Line) }),
    ]),
  ];
  const lines = [
    { format: 'mcpc-trace', version: 1, origin: 'live', transport: 'stdio', revision, era: 'stateful' },
    ...events.map((event, at) => ({ seq: at + 1, t: at, ...event })),
    { footer: true, events: events.length, complete: true },
  ];
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

describe('explain', () => {
  test('requirement, clause, exchanges, fix and what exercises it; with a report what was found there; with a trace as rules explain', async () => {
    space.write('bad.jsonl', traceWith([{ result: 'pong' }]));
    const { code, stdout } = await space.run(['explain', 'ping/answer-empty-result', '--no-color']);
    expect(code).toBe(0);
    for (const text of [
      'A ping is answered with an empty result',
      'https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/ping',
      'A good exchange\n  → {"id":1,"method":"ping"}\n  ← {"id":1,"result":{}}',
      'A bad exchange\n',
      'Fix\n  Answer ping with',
      'Exercised by\n  Open the session as a correct client does\n  Request ping',
    ])
      expect(stdout).toContain(text);
    space.write('run.json', (await space.call(['judge', 'bad.jsonl', '--json'])).stdout);
    const found = await space.call(['explain', 'ping/answer-empty-result', '--run', 'run.json', '--no-color']);
    expect(found.stdout).toContain('The result of ping is not an object: result is "pong".');
    expect(found.stdout).toMatch(/#4 → [^]*#5 ←/);
    const traced = await space.call(['explain', 'ping/answer-empty-result', '--trace', 'bad.jsonl', '--no-color']);
    expect(traced.stdout).toBe(
      (await space.call(['rules', 'explain', 'ping/answer-empty-result', 'bad.jsonl', '--no-color'])).stdout,
    );
    expect(errorOf(await space.call(['explain', 'ping/answer-empty-resul'])).fix).toContain(
      'Did you mean ping/answer-empty-result?',
    );
  });

  test('steps within steps, what they break on purpose, and no more lines than can be read', async () => {
    const nested = await space.call(['explain', 'cancellation/race-tolerance', '--no-color']);
    expect(nested.stdout).toContain('  20 times\n    Request ping {"wait":false}, called "quick"\n');
    const deviating = await space.call(['explain', 'http/security-origin-validation', '--no-color']);
    expect(deviating.stdout).toContain('  On a connection of its own\n    Open the session as a correct client does\n');
    expect(deviating.stdout).toContain('; on purpose it comes from the page of a foreign');
    const passive = await space.call(['explain', 'tools/name-uniqueness', '--no-color']);
    expect(passive.stdout.split('Exercised by\n')[1]!.trim().split('\n').length).toBeLessThanOrEqual(30);
  });

  test('--spec judges a trace in which no revision was negotiated, and no other; without a trace it is refused', async () => {
    const message = (from: string, text: Line): Line => ({
      session: 's1',
      from,
      kind: 'message',
      message: { jsonrpc: '2.0', ...text },
    });
    const events = [message('client', { id: 1, method: 'ping' }), message('server', { id: 1, result: 'pong' })];
    const lines = [
      { format: 'mcpc-trace', version: 1, origin: 'live', transport: 'stdio' },
      ...events.map((event, at) => ({ seq: at + 1, t: at, ...event })),
      { footer: true, events: 2, complete: true },
    ];
    space.write('bare.jsonl', lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    space.write('agreed.jsonl', traceWith([{ result: 'pong' }]));
    const bare = ['explain', 'ping/answer-empty-result', '--trace', 'bare.jsonl', '--no-color'];
    expect((await space.call(bare)).code).toBe(2);
    expect((await space.call([...bare, '--spec', '2025-03-26'])).stdout).toContain('by revision 2025-03-26 on stdio');
    expect(
      (
        await space.call([
          'explain',
          'ping/answer-empty-result',
          '--trace',
          'agreed.jsonl',
          '--spec',
          '2025-03-26',
          '--no-color',
        ])
      ).stdout,
    ).toContain(`by revision ${revision} on stdio`);
    expect(errorOf(await space.call(['explain', 'ping/answer-empty-result', '--spec', '2025-03-26'])).fix).toContain(
      '--trace',
    );
  });
});

describe('rules explain', () => {
  space.write(
    'pings.jsonl',
    traceWith([{ result: {} }, { error: { code: -32603, message: 'no' } }, { result: 'pong' }]),
  );

  test('lists subjects, leaves with their values, and why', async () => {
    const { code, stdout } = await space.call([
      'rules',
      'explain',
      'ping/answer-empty-result',
      'pings.jsonl',
      '--no-color',
    ]);
    expect(code).toBe(0);
    expect(stdout).toContain('ping/answer-empty-result');
    expect(stdout).toContain('fail: 2 selected, 2 judged, 1 failed, by revision 2025-11-25 on stdio');
    expect(stdout).toContain(
      'selects {"exchange":{"from":"client","method":"ping","outcome":["result"],"soundness":"sound"}}',
    );
    expect(stdout).toContain('events 4, 5 on s1: pass\n  expect holds\n    ✓ subject.result hasType "object": {}');
    expect(stdout).toContain(
      'events 8, 9 on s1: fail\n  expect does not hold\n    ✗ subject.result hasType "object": "pong"',
    );
  });

  test('says the same as JSON, by requirement as well, and tells failures beyond the limit', async () => {
    const { code, stdout } = await space.call([
      'rules',
      'explain',
      'ping.answer.empty-result',
      'pings.jsonl',
      '--json',
      '--limit',
      '1',
    ]);
    expect(code).toBe(0);
    const { status, subjects, more } = JSON.parse(stdout) as Explanation;
    expect({ status, more }).toEqual({ status: 'fail', more: 0 });
    expect(subjects.map(({ outcome, events }) => [outcome, events])).toEqual([
      ['pass', [4, 5]],
      ['fail', [8, 9]],
    ]);
    expect(subjects[1]!.conditions).toEqual([
      {
        name: 'expect',
        holds: false,
        leaves: [{ fact: 'subject.result', operator: 'hasType', option: 'object', actual: 'pong', holds: false }],
      },
    ]);
  });

  test('tells why nothing was judged', async () => {
    const aside = await space.call(['rules', 'explain', 'progress/value-increase', 'pings.jsonl', '--no-color']);
    expect(aside.stdout).toContain('not judged, "when" does not hold');
    expect(aside.stdout).toMatch(/✗ subject\.progressCount atLeast 1: 0/);
    const none = await space.call(['rules', 'explain', 'tools/name-uniqueness', 'pings.jsonl']);
    expect(none.stdout).toContain('not-exercised: 0 selected');
    expect(none.stdout).toContain('Nothing in the trace is what "given" selects.');
  });

  test('what a capture did not record is no value', async () => {
    const whole = traceWith([{ result: {} }])
      .split('\n')
      .flatMap((line) =>
        line.includes('"message"') ? [`${JSON.stringify((JSON.parse(line) as { message: unknown }).message)}\n`] : [],
      );
    space.write('lines.jsonl', whole.join(''));
    const promptness = await space.call([
      'rules',
      'explain',
      'ping/answer-promptness',
      'lines.jsonl',
      '--transport',
      'stdio',
    ]);
    expect(promptness.stdout).toMatch(
      /The trace does not record subject\..*, which "given" selects by: subjects without it are left out\./,
    );
    space.write(
      'house.md',
      '# House\n\nRevision: all\n\n- **MUST** server `acme.ping.fast` Pings are answered within a second. [-] {observe: server-passive}\n',
    );
    const given = { exchange: { from: 'client', method: 'ping' } };
    const examples = ['pass', 'fail', 'not-exercised'].map((verdict) => ({
      verdict,
      trace: ['> {"id":1,"method":"ping"}', '< {"id":1,"result":{}}'],
    }));
    space.write(
      'acme/fast.json',
      JSON.stringify({
        title: 'Pings are answered fast',
        requirement: ['acme.ping.fast'],
        role: 'server',
        given,
        expect: { fact: 'subject.elapsedMs', operator: 'atMost', value: 1000 },
        message: 'The answer took too long.',
        fix: 'Answer pings at once.',
        examples,
      }),
    );
    const { code, stdout } = await space.call([
      'rules',
      'explain',
      'acme/fast',
      'lines.jsonl',
      '--transport',
      'stdio',
      '--rules',
      'acme/fast.json',
      '--requirements',
      'house.md',
    ]);
    expect(code).toBe(0);
    expect(stdout).toContain('not judged, a fact that it asks for was not recorded');
    expect(stdout).toContain('✗ subject.elapsedMs atMost 1000: not recorded');
  });

  test('a wrong name is told with the nearest one', async () => {
    const outcome = await space.call(['rules', 'explain', 'ping/answer-empty-resul', 'pings.jsonl']);
    expect(outcome.code).toBe(2);
    expect(errorOf(outcome).fix).toContain('ping/answer-empty-result');
  });
});

describe('--evaluator engine', () => {
  test('gives the report of the fast path', async () => {
    space.write('both.jsonl', traceWith([{ result: {} }, { result: 'pong' }]));
    const [fast, engine] = await Promise.all([
      space.call(['judge', 'both.jsonl', '--json']),
      space.call(['judge', 'both.jsonl', '--json', '--evaluator', 'engine']),
    ]);
    expect([fast.code, engine.code]).toEqual([1, 1]);
    const report = parseReport(engine.stdout, 'engine');
    expect(report.verdicts).toEqual(parseReport(fast.stdout, 'fast').verdicts);
    expect(report.verdicts.find(({ rule }) => rule === 'ping/answer-empty-result')?.status).toBe('fail');
  });

  test('says of a long trace how long it may take before it starts, and how far it is', async () => {
    const idle = Array.from({ length: 25_000 }, () => ({
      session: 's1',
      from: 'harness',
      kind: 'listening',
      detail: [],
    }));
    space.write('long.jsonl', traceWith([{ result: {} }], idle));
    const { code, stderr } = await space.call(['judge', 'long.jsonl', '--evaluator', 'engine']);
    expect(code).toBe(0);
    expect(stderr).toMatch(
      /json-rules-engine judges each of 250\d\d events by itself \(--evaluator engine\), which may take about \d+ s\./,
    );
    expect([...stderr.matchAll(/(\d+) of 250\d\d events judged, about \d+ s to go\./g)]).toHaveLength(9);
    const fast = await space.call(['judge', 'long.jsonl']);
    expect(fast.stderr).not.toContain('may take');
  });
});
