/** The contract of the import formats, rule by rule: ids, correlation, kinds, and the lines of an episode. */
import { describe, expect, test } from 'vitest';
import { answer, call, envelope, failure, imported, refusal, rows } from './harness.ts';

const noDiscovery = {
  visible: false,
  source_kind: 'unknown',
  resource_metadata_visible: false,
  authorization_servers_visible: false,
  scope_challenge_visible: false,
};

describe('lines of an episode', () => {
  test('a call and its answer, line by line', async () => {
    const { lines } = await imported(
      rows({ ...call('c1'), timestamp_ms: 1000 }, { ...answer('c1'), timestamp_ms: 1001 }),
      'jsonrpc',
    );
    expect(lines).toEqual([
      {
        type: 'episode_start',
        episode_id: 'session',
        timestamp: 1000,
        input: { prompt: '<mcp:session>' },
        meta: { source: 'mcp_import', episode_id: 'session', mcp: { authorization_discovery: noDiscovery } },
      },
      {
        type: 'step',
        episode_id: 'session',
        step_id: 'step_000',
        idx: 0,
        timestamp: 1000,
        kind: 'tool',
        name: 'Calculator',
        content: null,
        content_sha256: null,
        truncations: [],
        meta: { jsonrpc_id: 'c1' },
      },
      {
        type: 'tool_call',
        episode_id: 'session',
        step_id: 'step_000',
        timestamp: 1001,
        tool_name: 'Calculator',
        call_index: 0,
        args: { a: 1, b: 2 },
        args_sha256: null,
        result: { sum: 3 },
        result_sha256: null,
        error: null,
        truncations: [],
      },
      { type: 'episode_end', episode_id: 'session', timestamp: 1001, outcome: null, final_output: '{"sum":3}' },
    ]);
  });

  test('listings are steps, and only steps are numbered', async () => {
    const tools = [
      { name: 'echo', description: 'says it again', inputSchema: { type: 'object' } },
      { description: 5 },
      { name: 'old', input_schema: {} },
    ];
    const { steps } = await imported(
      rows({ jsonrpc: '2.0', id: 1, method: 'tools/list' }, answer(1, { tools }), call(2), answer(2), {
        jsonrpc: '2.0',
        method: 'tools/list',
      }),
      'jsonrpc',
    );
    expect(steps.map(({ name, idx, step_id, meta }) => [name, idx, step_id, meta])).toEqual([
      ['tools/list', 0, 'step_000', {}],
      ['tools/list.result', 1, 'step_001', {}],
      ['Calculator', 2, 'step_002', { jsonrpc_id: '2' }],
      ['tools/list', 3, 'step_003', {}],
    ]);
    expect(steps[0]!.content).toBe('{}');
    expect(JSON.parse(steps[1]!.content)).toEqual({
      tools: [
        { name: 'echo', description: 'says it again', input_schema: { type: 'object' }, tool_identity: null },
        { name: 'unknown', description: null, input_schema: null, tool_identity: null },
        { name: 'old', description: null, input_schema: {}, tool_identity: null },
      ],
    });
  });

  test('names for tests and prompts', async () => {
    const { start } = await imported(rows(call(1)), 'jsonrpc', {
      episodeId: 'run-7',
      testId: 'weather',
      prompt: 'What is it?',
    });
    expect(start).toMatchObject({
      episode_id: 'run-7',
      input: { prompt: 'What is it?' },
      meta: { episode_id: 'run-7', test_id: 'weather' },
    });
  });

  test('a call without name or arguments', async () => {
    const { calls } = await imported(
      rows(
        { jsonrpc: '2.0', id: 1, method: 'tools/call' },
        { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 7 } },
      ),
      'jsonrpc',
    );
    expect(calls.map(({ tool_name, args }) => [tool_name, args])).toEqual([
      ['unknown_tool', null],
      ['unknown_tool', null],
    ]);
  });

  test('other methods mean nothing, nor does a message without method, result and error', async () => {
    const { lines } = await imported(
      rows(
        { jsonrpc: '2.0', id: 1, method: 'prompts/list' },
        { jsonrpc: '2.0', method: 'notifications/progress', params: {} },
        { jsonrpc: '2.0', id: 4 },
      ),
      'jsonrpc',
    );
    expect(lines.map((line) => line.type)).toEqual(['episode_start', 'episode_end']);
    expect(lines[1]!.final_output).toBeNull();
  });
});

describe('times', () => {
  test('without any the episode begins now', async () => {
    const { start, end } = await imported(rows(call(1), answer(1)), 'jsonrpc');
    expect([start.timestamp, end.timestamp]).toEqual([5000, 5000]);
  });

  test.each([
    ['timestamp_ms comes first', { timestamp_ms: 7, timestamp: 9 }, 7],
    ['timestamp stands in', { timestamp: 9 }, 9],
    ['a negative one counts as none', { timestamp_ms: -1 }, 5000],
    ['a fraction counts as none', { timestamp_ms: 1.5 }, 5000],
    ['text counts as none', { timestamp: '2026-01-01' }, 5000],
  ])('in messages: %s', async (_title, stamp, start) => {
    expect((await imported(rows({ ...call(1), ...stamp }), 'jsonrpc')).start.timestamp).toBe(start);
  });

  test('messages are sorted by time, those without one first, and never run backwards', async () => {
    const { steps, calls } = await imported(
      rows({ ...call('late', 'b'), timestamp_ms: 20 }, { ...call('early', 'a'), timestamp_ms: 10 }, call('none', 'c'), {
        ...answer('early'),
        timestamp_ms: 30,
      }),
      'jsonrpc',
    );
    expect(steps.map(({ name, timestamp }) => [name, timestamp])).toEqual([
      ['c', 10],
      ['a', 10],
      ['b', 20],
    ]);
    expect(calls.map(({ tool_name, timestamp }) => [tool_name, timestamp])).toEqual([
      ['a', 30],
      ['c', 10],
      ['b', 20],
    ]);
  });

  test('the entry of an envelope has the last word', async () => {
    const { start } = await imported(
      envelope('streamable-http', [{ timestamp_ms: 3, request: { ...call(1), timestamp_ms: 99 } }]),
      'streamable-http',
    );
    expect(start.timestamp).toBe(3);
  });
});

describe('ids', () => {
  test.each([
    ['a string is kept', '"c-1"', 'c-1'],
    ['an empty string is an id', '""', ''],
    ['a number becomes text', '7', '7'],
    ['a fraction keeps its text', '1.5', '1.5'],
    ['an exponent keeps its text', '1e3', '1e3'],
    ['a number keeps the zero behind its point', '1.0', '1.0'],
    ['a big number keeps all digits', '9007199254740993', '9007199254740993'],
    ['a bigger one, too', '123456789012345678901234567890', '123456789012345678901234567890'],
  ])('%s', async (_title, written, id) => {
    const text = rows(
      `{"jsonrpc":"2.0","id":${written},"method":"tools/call","params":{"name":"x"}}`,
      `{"jsonrpc":"2.0","id":${written},"result":{"ok":true}}`,
    );
    const { steps, calls } = await imported(text, 'jsonrpc');
    expect(steps[0]!.meta).toEqual({ jsonrpc_id: id });
    expect(calls).toHaveLength(1);
    expect(calls[0]).toMatchObject({ result: { ok: true }, error: null });
  });

  test.each([
    ['null', null],
    ['missing', undefined],
  ])('%s correlates nothing and is not the text "null"', async (_title, id) => {
    const { steps, calls, end } = await imported(
      rows(call(id), answer(id, { late: 1 }), answer('null', { other: 1 })),
      'jsonrpc',
    );
    expect(steps[0]!.meta).toEqual({ jsonrpc_id: null });
    expect(calls).toEqual([expect.objectContaining({ result: null, error: null })]);
    expect(end.final_output).toBe('{"other":1}');
  });

  test.each([
    ['a boolean', true, 'must not be a boolean'],
    ['an array', [1], 'must not be an array'],
    ['an object', { a: 1 }, 'must not be an object'],
  ])('%s is refused, on every kind of message', async (_title, id, text) => {
    for (const message of [
      call(id),
      answer(id),
      failure(id),
      { jsonrpc: '2.0', id, method: 'notifications/initialized' },
    ]) {
      expect(await refusal(rows(call('fine'), message), 'jsonrpc')).toMatch(
        new RegExp(`^failed to parse MCP transcript .*line 2: .*${text}`),
      );
      expect(
        await refusal(
          envelope('streamable-http', [{ request: call('fine') }, { response: message }]),
          'streamable-http',
        ),
      ).toContain(`entry 2: the JSON-RPC id ${text}`);
      expect(await refusal([call('fine'), message], 'inspector')).toContain(`entry 2: the JSON-RPC id ${text}`);
    }
  });

  test('numbers in arguments and results keep their digits', async () => {
    const text = rows(
      '{"id":1,"method":"tools/call","params":{"name":"x","arguments":{"n":12345678901234567890,"p":1.10}}}',
      '{"id":1,"result":{"n":-0,"big":1e400}}',
    );
    const { text: out } = await imported(text, 'jsonrpc');
    expect(out).toContain('"args":{"n":12345678901234567890,"p":1.10}');
    expect(out).toContain('"result":{"n":-0,"big":1e400}');
  });

  test('8 and "8" are one id, with a warning', async () => {
    const { calls, result } = await imported(rows(call(8), answer('8')), 'jsonrpc');
    expect(calls[0]).toMatchObject({ result: { sum: 3 } });
    expect(result.warnings.join()).toContain('"8" appears as a number and as a string');
  });
});

describe('correlation', () => {
  test('the first answer binds; later ones are orphans that change nothing but the final output', async () => {
    const { calls, end, result } = await imported(
      rows(call(1), answer(1, { first: true }), answer(1, { second: true })),
      'jsonrpc',
    );
    expect(calls).toEqual([expect.objectContaining({ result: { first: true }, error: null })]);
    expect(end.final_output).toBe('{"second":true}');
    expect(result.warnings.join()).toContain('line 3: a response with the id "1" answers no open tool call');
  });

  test('an orphan makes no call', async () => {
    const { calls, end } = await imported(rows(answer('nobody', { x: 1 })), 'jsonrpc');
    expect(calls).toEqual([]);
    expect(end.final_output).toBe('{"x":1}');
  });

  test('an error makes a call that failed', async () => {
    const { calls, end } = await imported(rows(call(1), failure(1, { code: -1, message: 'no' })), 'jsonrpc');
    expect(calls[0]).toMatchObject({ result: { error: { code: -1, message: 'no' } }, error: 'mcp_error' });
    expect(JSON.parse(end.final_output)).toEqual({ code: -1, message: 'no' });
  });

  test('a result of null is a result', async () => {
    expect((await imported(rows(call(1), answer(1, null)), 'jsonrpc')).calls[0]).toMatchObject({
      result: null,
      error: null,
    });
  });

  test('unanswered calls come last, in the order of their requests', async () => {
    const { calls } = await imported(
      rows(
        { ...call('z', 'one'), timestamp_ms: 1 },
        { ...call('a', 'two'), timestamp_ms: 2 },
        { ...call('m', 'three'), timestamp_ms: 3 },
        { ...answer('a'), timestamp_ms: 9 },
      ),
      'jsonrpc',
    );
    expect(calls.map(({ tool_name, error, timestamp }) => [tool_name, error, timestamp])).toEqual([
      ['two', null, 9],
      ['one', 'timeout/no_response', 1],
      ['three', 'timeout/no_response', 3],
    ]);
  });

  test('a call id that comes twice is refused, even after its answer', async () => {
    expect(await refusal(rows(call('x'), answer('x'), call('x')), 'jsonrpc')).toContain(
      'duplicate tools/call request id "x" at source line 3',
    );
    expect(await refusal(rows(call(1), call('1')), 'jsonrpc')).toContain('duplicate tools/call request id "1"');
  });

  test('other methods may share ids, and no id collides with none', async () => {
    const { calls } = await imported(
      rows(
        { jsonrpc: '2.0', id: 1, method: 'tools/list' },
        call(1),
        { jsonrpc: '2.0', id: 1, method: 'ping' },
        call(null),
        call(undefined),
      ),
      'jsonrpc',
    );
    expect(calls).toHaveLength(3);
  });
});

describe('strict ids', () => {
  const strict = { strictIds: true };
  test.each([
    ['1 and "1" differ', rows(call(1), call('1'), answer('1', { s: 1 }), answer(1, { n: 1 }))],
    ['an id may be used again after its answer', rows(call(1), answer(1, { s: 1 }), call(1), answer(1, { n: 1 }))],
  ])('%s', async (_title, text) => {
    expect((await imported(text, 'jsonrpc', strict)).calls.map(({ result }) => result)).toEqual([{ s: 1 }, { n: 1 }]);
  });

  test('a fraction never pairs', async () => {
    expect((await imported(rows(call(1.5), answer(1.5)), 'jsonrpc', strict)).calls).toEqual([
      expect.objectContaining({ result: null, error: null }),
    ]);
  });

  test('two open requests with one id are refused, and the id is not repeated', async () => {
    const problem = await refusal(
      rows(
        { jsonrpc: '2.0', id: 'secret-id', method: 'ping' },
        { jsonrpc: '2.0', id: 'secret-id', method: 'tools/list' },
      ),
      'jsonrpc',
      strict,
    );
    expect(problem).toContain('two outstanding JSON-RPC requests share an id at source line 2');
    expect(problem).not.toContain('secret-id');
  });

  test.each([
    ['a request with null as id', call(null), 'a request must have a string or a number as id'],
    ['a request without id', call(undefined), 'must have an id'],
    ['an answer with null as id', answer(null), 'must have a string or a number as id'],
    ['no jsonrpc member', { id: 1, method: 'ping' }, '"jsonrpc" must be "2.0"'],
    ['another version', { jsonrpc: '1.0', id: 1, method: 'ping' }, '"jsonrpc" must be "2.0"'],
    ['result and error', { ...answer(1), error: { code: 1, message: '' } }, 'exactly one of result and error'],
    ['neither', { jsonrpc: '2.0', id: 1 }, 'exactly one of result and error'],
    ['an error without a whole number', failure(1, { code: 1.5, message: '' }), 'a whole number as code'],
    ['an error without a text', failure(1, { code: 1 }), 'a string as message'],
    ['a method that is no text', { jsonrpc: '2.0', id: 1, method: 5 }, '"method" must be a string'],
    ['a member that comes twice', '{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}', 'the member "id" twice'],
  ])('refused: %s', async (_title, message, text) => {
    expect(await refusal(rows(message), 'jsonrpc', strict)).toContain(text);
    // What strict reading refuses, the other one takes.
    await imported(rows(message), 'jsonrpc');
  });

  test('an error may have null as id, or none', async () => {
    await imported(rows(failure(null), failure(undefined)), 'jsonrpc', strict);
  });

  test('sse: null counts as there', async () => {
    const entries = [{ request: call(1), sse: null }];
    expect(await refusal(envelope('http-sse', entries), 'http-sse', strict)).toContain(
      'exactly one of request, response, or sse',
    );
    await imported(envelope('http-sse', entries), 'http-sse');
  });
});
