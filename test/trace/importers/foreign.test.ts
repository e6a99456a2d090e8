/** Logs of clients, rows and cassettes of recorders: what is read of them, what is refused, and what is lost. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { captureFormatOf } from '../../../src/core/trace/importers/captured.ts';
import { root } from '../../cli/harness.ts';
import { conversation, formatExamples } from './format-examples.ts';
import { answer, call, imported, refusal, rows, type Line } from './harness.ts';

const json = (value: unknown): string => JSON.stringify(value);
const at = '2026-04-02T08:00:00.000Z';
const [hello, welcome, ready] = conversation.map(({ message }) => message);
const whole = [hello, welcome, ready, call(1, 'mix'), answer(1), call(2, 'stir'), answer(2)];

const eventsOf = ({ wire }: { wire: Line[] }): Line[] => wire.slice(1, -1);
const kindsOf = (of: { wire: Line[] }): string[] => eventsOf(of).map(({ kind }) => kind as string);

describe('the table of formats in docs/import.md', () => {
  const page = readFileSync(join(root, 'docs/import.md'), 'utf8');
  const table = page.slice(page.indexOf('## Formats'), page.indexOf('Without `--from`'));
  const named = [...table.matchAll(/^\| (`[^|]*`) \|/gm)].flatMap(([, cell]) =>
    [...cell!.matchAll(/`([^`]+)`/g)].map(([, name]) => name!),
  );

  test('has an example of each row, and each name is one for --from', () => {
    expect(named.length).toBeGreaterThan(9);
    expect(formatExamples.map(({ format }) => format).toSorted()).toEqual(
      named.filter((name) => name !== 'sse-legacy').toSorted(),
    );
    for (const name of named) expect(captureFormatOf(name)).toBeTruthy();
  });

  test.each(formatExamples)('$format', async ({ format, read = format, name, text, messages }) => {
    const named = await imported(text, captureFormatOf(format), { name });
    const found = await imported(text, undefined, { name });
    expect(found.result).toMatchObject({ format: read, messages, warnings: [] });
    expect(named.calls).toHaveLength(1);
    expect(named.calls[0]).toMatchObject({ tool_name: 'mix', result: { content: [{ text: 'green' }] } });
    expect(found.text).toBe(named.text);
    expect(
      eventsOf(found)
        .filter(({ kind }) => kind === 'message')
        .map(({ from }) => from),
    ).toEqual(conversation.map(({ from }) => from));
  });
});

describe('a file that says of itself that it is no capture', () => {
  test.each<[string, unknown, RegExp]>([
    [
      'an object on one line',
      '{"colour":"red","sizes":[3]}',
      /looks like an object that is no JSON-RPC message \(its members: colour, sizes\)/,
    ],
    ['a list on one line', '[{"colour":"red"}]', /looks like a list without JSON-RPC messages/],
    ['an object over lines', '{\n "colour": "red"\n}', /looks like an object that is no JSON-RPC message/],
    [
      'rows with the members of messages',
      rows(
        { at, way: 'request', id: 3, method: 'initialize', params: {} },
        { at, way: 'response', id: 3, result: { protocolVersion: '2025-06-18' } },
      ),
      /line 1: .*rows in which a tool noted parts of messages \(at, way, id, method, params\)/,
    ],
    [
      'the same in a list',
      [{ at, direction: 'in', id: 3, result: {} }],
      /rows in which a tool noted parts of messages \(at, direction, id, result\)/,
    ],
    [
      'rows that only count',
      rows({ ts: 4, method: 'tools/call', tool: 'mix', bytes: 20 }),
      /a tool noted parts of messages/,
    ],
    [
      'rows with a part of the message inside',
      rows('# Recorded by a tool', { direction: 'request', message: { method: 'tools/call', params: {} } }),
      /rows with something under "message" that is no JSON-RPC message/,
    ],
    [
      'messages without their version',
      rows({ id: 0, method: 'initialize' }, { id: 0, result: {} }),
      /without "jsonrpc"/,
    ],
    ['a configuration', { mcpServers: {} }, /a configuration of an MCP client/],
    ['a report of mcpc', { format: 'mcpc-report', version: 1 }, /a file of mcpc \(mcpc-report\)/],
    ['spans', { resourceSpans: [] }, /spans of OpenTelemetry/],
    ['prose', 'Meeting notes\nnothing else\n', /looks like text such as "Meeting notes"/],
    [
      'a log in rows',
      rows({ level: 'info', text: 'up' }, { level: 'warn', text: 'slow' }),
      /rows of a log \(level, text\)/,
    ],
  ])('%s', async (_title, input, text) => {
    const message = await refusal(input, undefined);
    expect(message).toMatch(text);
    expect(message).toContain('session.json');
  });

  test.each(['jsonrpc', 'rows', 'claude-log', 'vscode-log', 'inspector', 'cassette'] as const)(
    'nor is it one by being called %s',
    async (format) => {
      const noted = rows({ at, direction: 'out', id: 1, method: 'ping' }, { at, direction: 'in', id: 1, result: {} });
      const list = json(noted.split('\n').map((line) => JSON.parse(line) as object));
      const input = format === 'inspector' || format === 'cassette' ? list : noted;
      expect(await refusal(input, format)).toMatch(/looks like rows in which a tool noted parts of messages/);
    },
  );

  test('messages that lack their version are read by name', async () => {
    const { result } = await imported(rows({ id: 0, method: 'ping' }, { id: 0, result: {} }), 'jsonrpc');
    expect(result.messages).toBe(2);
  });
});

describe('text among the messages', () => {
  test('costs no message, and stays in the trace', async () => {
    const lines = whole.map(json);
    lines.splice(3, 0, 'Mixing colours ...', '{"level":"info","text":"ready"}');
    const read = await imported(lines.join('\n'), undefined);
    expect(read.calls.map(({ error }) => error as unknown)).toEqual([null, null]);
    expect(read.result.warnings).toEqual([
      'line 4: text that is no message: "Mixing colours ..."',
      expect.stringMatching(/^line 5: JSON that is no message: /),
    ]);
    expect(eventsOf(read).filter(({ kind }) => kind === 'gap')).toMatchObject([
      { from: 'harness', raw: 'Mixing colours ...', reason: 'text that is no message' },
      { from: 'harness', reason: 'JSON that is no message' },
    ]);
    expect(eventsOf(read).every(({ lost }) => lost === undefined)).toBe(true);
  });

  test('is refused by --strict-ids, with its line', async () => {
    expect(await refusal(rows(call(1), 'Mixing', answer(1)), 'jsonrpc', { strictIds: true })).toMatch(
      /line 2: invalid JSON/,
    );
  });

  test('of which too much is there is told in part', async () => {
    const { result } = await imported(rows(call(1), ...Array.from({ length: 50 }, () => 'x'), answer(1)), undefined);
    expect(result.warnings).toHaveLength(21);
  });
});

describe('a message that was cut', () => {
  const cut = (id: number): string =>
    json({
      jsonrpc: '2.0',
      id,
      result: { content: [{ type: 'text', text: 'blue, ...[900 chars truncated]...' }] },
    }).replace(']..."}', ']...');

  test('is a gap that costs its own call alone', async () => {
    const read = await imported(rows(...whole.slice(0, 4), cut(1), ...whole.slice(5)), undefined);
    expect(read.calls.map(({ tool_name, error }) => [tool_name, error] as unknown)).toEqual([
      ['mix', 'capture/not_recorded'],
      ['stir', null],
    ]);
    expect(read.result.warnings).toEqual([
      'line 5: the tool that wrote the capture cut the message: it is not judged, and neither is what rests on it',
    ]);
    expect(eventsOf(read)[4]).toMatchObject({ kind: 'gap', lost: 'message', from: 'harness' });
  });

  test.each([
    [
      'its id behind the result',
      '{"result":{"content":[{"id":2,"te...,"jsonrpc":"2.0","id":1}',
      'capture/not_recorded',
    ],
    ['an id of something inside', '{"jsonrpc":"2.0","result":{"items":[{"id":1,"na', 'capture/not_recorded'],
    ['a request, which answers nothing', '{"jsonrpc":"2.0","id":1,"method":"ping","par', 'capture/not_recorded'],
  ])('of which the episode knows %s', async (_title, line, error) => {
    const read = await imported(rows(hello, welcome, ready, call(1, 'mix'), line), undefined);
    expect(read.calls[0]).toMatchObject({ error });
  });

  test('leaves a call that was made after it to its own end', async () => {
    const read = await imported(rows(hello, welcome, ready, '{"jsonrpc":"2.0","res', call(1, 'mix')), undefined);
    expect(read.calls[0]).toMatchObject({ error: 'timeout/no_response' });
  });

  test('within the handshake makes the capture begin later; its answer still names the revision', async () => {
    const half = json(welcome).slice(0, -30);
    const { wire } = await imported(rows(hello, half, ...whole.slice(2)), undefined);
    expect(wire[0]).toMatchObject({ revision: '2025-06-18', recorded: { start: false } });
    expect(wire[2]).toMatchObject({ kind: 'gap', lost: 'handshake' });
    const asked = await imported(rows(json(hello).slice(0, -30), ...whole.slice(1)), undefined);
    expect(asked.wire[0]).toMatchObject({ revision: '2025-06-18', recorded: { start: false } });
  });

  test('at the end of the file is told as such', async () => {
    const { result } = await imported(rows(...whole).slice(0, -9), undefined);
    expect(result.warnings[0]).toMatch(/^line 7: the file ends within the message/);
  });

  test('in a first line is no document', async () => {
    const { result } = await imported(rows(json(hello).slice(0, -9), ...whole.slice(1)), undefined);
    expect(result).toMatchObject({ format: 'jsonrpc', messages: 6 });
  });
});

describe('logs of clients', () => {
  const claude = (name: string, from: string, message: unknown, more = ' { metadata: undefined }'): string =>
    `${at} [${name}] [info] Message from ${from}: ${typeof message === 'string' ? message : json(message)}${more}`;
  const vscode = (way: string, message: unknown): string =>
    `2026-04-02 08:00:00.100 [trace] [${way}] ${typeof message === 'string' ? message : json(message)}`;
  const handshake = (name: string): string[] => [
    claude(name, 'client', hello),
    claude(name, 'server', welcome),
    claude(name, 'client', ready),
  ];

  test('lines around the messages, level before the name, and none behind them', async () => {
    const read = await imported(
      [
        `${at} [paint] [info] Using MCP server command: /usr/bin/paint with args and path: {`,
        "    args: [ 'x', [length]: 1 ]",
        '} %o',
        ...handshake('paint'),
        `${at} [info] [paint] Message from client: ${json(call(1, 'mix'))}`,
        'stderr of the server',
        claude('paint', 'server', answer(1), ''),
      ].join('\r\n'),
      undefined,
    );
    expect(read.result).toMatchObject({ format: 'claude-log', messages: 5, warnings: [] });
    expect(read.wire[0]).toMatchObject({ transport: 'stdio', recorded: { transport: true, direction: true } });
  });

  test('servers in one log are kept apart by name, starts of one server by their handshake', async () => {
    const { wire } = await imported(
      [
        ...handshake('paint'),
        ...handshake('print'),
        claude('paint', 'client', call(1, 'mix')),
        claude('print', 'client', call(1, 'press')),
        ...handshake('paint'),
      ].join('\n'),
      undefined,
    );
    expect(eventsOf({ wire }).map(({ session }) => session as string)).toEqual([
      's1',
      's1',
      's1',
      's2',
      's2',
      's2',
      's1',
      's2',
      's3',
      's3',
      's3',
    ]);
  });

  test('a payload that Claude Desktop cut', async () => {
    const { calls, result } = await imported(
      [
        ...handshake('paint'),
        claude('paint', 'client', call(1, 'mix')),
        claude('paint', 'server', '{"jsonrpc":"2.0","id":1,"result":{"a":"...[99 chars truncated]...'),
      ].join('\n'),
      'claude-log',
    );
    expect(calls[0]).toMatchObject({ error: 'capture/not_recorded' });
    expect(result.warnings[0]).toMatch(/^line 5: the tool that wrote the capture cut the message/);
  });

  const session = [
    vscode('editor -> server', hello),
    vscode('server -> editor', welcome),
    vscode('editor -> server', ready),
  ];
  const stray = '2026-04-02 08:00:00.050 [warning] Failed to parse message: "Painting\\n"';

  test('what VS Code could not parse is what a server on stdio wrote', async () => {
    const read = await imported(
      ['2026-04-02 08:00:00.000 [warning] [server stderr] up', session[0], stray, ...session.slice(1)].join('\n'),
      undefined,
    );
    expect(read.wire[0]).toMatchObject({
      transport: 'stdio',
      recorded: { transport: true, lines: true, bytes: false },
    });
    expect(eventsOf(read)[1]).toMatchObject({ from: 'server', kind: 'unparsable', raw: 'Painting' });
  });

  test('where nothing shows that the server is on stdio, or the line did not end, nobody wrote it', async () => {
    const unknown = await imported([session[0], stray, ...session.slice(1)].join('\n'), undefined);
    expect(unknown.wire[0]).toMatchObject({ recorded: { transport: false } });
    expect(kindsOf(unknown)).toEqual(['message', 'gap', 'message', 'message']);
    const unended = stray.replace('\\n', '');
    const read = await imported(
      [session[0], '[warning] [server stderr] up', unended, ...session.slice(1)].join('\n'),
      undefined,
    );
    expect(kindsOf(read)).toEqual(['message', 'gap', 'message', 'message']);
  });

  test('a part of a message that VS Code could not parse is a gap', async () => {
    const part = `[warning] Failed to parse message: ${json('{"jsonrpc":"2.0","id":1,"res')}`;
    const read = await imported([...session, part].join('\n'), undefined);
    expect(eventsOf(read).at(-1)).toMatchObject({ kind: 'gap', lost: 'message' });
  });
});

describe('rows of recorders', () => {
  const sides = (of: { wire: Line[] }): string[] => eventsOf(of).map(({ from }) => from as string);

  test.each<[string, (from: string) => object]>([
    ['c2s and s2c', (from) => ({ direction: from === 'client' ? 'c2s' : 's2c' })],
    ['names of both', (from) => ({ dir: from === 'client' ? 'client_to_server' : 'server->client' })],
    ['the sender', (from) => ({ from })],
    ['a recorder at the client', (from) => ({ direction: from === 'client' ? 'SEND' : 'RECEIVE' })],
    ['a recorder at the server', (from) => ({ direction: from === 'client' ? 'inbound' : 'outbound' })],
    ['arrows', (from) => ({ direction: from === 'client' ? '->' : '<-' })],
  ])('who sent a message: %s', async (_title, side) => {
    const read = await imported(
      rows(...conversation.map(({ from, message }) => ({ ...side(from), payload: message }))),
      undefined,
    );
    expect(sides(read)).toEqual(conversation.map(({ from }) => from));
    expect(read.wire[0]).toMatchObject({ recorded: { direction: true } });
  });

  test('ways that contradict each other, and words that mean neither, tell nothing', async () => {
    const asked = { jsonrpc: '2.0', id: 's', method: 'roots/list' };
    const wrong = await imported(
      rows(
        { direction: 'out', payload: hello },
        { direction: 'out', payload: asked },
        { direction: 'in', payload: welcome },
      ),
      undefined,
    );
    expect(wrong.wire[0]).toMatchObject({ recorded: { direction: false } });
    expect(sides(wrong)).toEqual(['client', 'server', 'server']);
    const words = await imported(
      rows({ direction: 'request', payload: hello }, { direction: 'request', payload: asked }),
      undefined,
    );
    expect(sides(words)).toEqual(['client', 'server']);
  });

  test('the message as text, in a list, in YAML, newest first', async () => {
    const made = conversation.map(({ from, message }, index) => ({ t: index, from, raw: json(message) }));
    for (const [input, name] of [
      [rows(...made), 'a.jsonl'],
      [made, 'a.json'],
      [{ version: 2, rows: made.toReversed() }, 'a.json'],
      [
        `meta: {version: 1}\nmessages:\n${made.map(({ from, t }, index) => `  - { t: ${t}, from: ${from}, payload: ${json(conversation[index]!.message)} }`).join('\n')}\n`,
        'a.yaml',
      ],
    ] as const) {
      const read = await imported(input, undefined, { name });
      expect(read.result).toMatchObject({ format: 'rows', messages: 5 });
      expect(sides(read)).toEqual(conversation.map(({ from }) => from));
    }
  });

  test('rows without a message are left out, a message without its version is none the less one', async () => {
    const read = await imported(
      rows(
        { type: 'start', payload: { pid: 4 } },
        { dir: 'c2s', msg: call(1) },
        { dir: 's2c', msg: { id: 1, result: {} } },
        { dir: 'stderr', text: 'x' },
      ),
      undefined,
    );
    expect(read.result.messages).toBe(2);
    expect(eventsOf(read)[1]).toMatchObject({ from: 'server', message: { id: 1, result: {} } });
  });

  test('what the recorder cut or changed is a gap', async () => {
    const read = await imported(
      rows(
        { dir: 'c2s', raw: call(1) },
        { dir: 's2c', raw: answer(1), redacted: true },
        { dir: 's2c', raw: '{"jsonrpc":"2.0","id":', truncated: true },
        '{"dir":"s2c","raw":{"jsonrpc":"2.0","i',
      ),
      undefined,
    );
    expect(kindsOf(read)).toEqual(['message', 'gap', 'gap', 'gap']);
    expect(new Set(eventsOf(read).map(({ session }) => session as string))).toEqual(new Set(['s1']));
    expect(read.result.warnings[0]).toContain('the recorder says that it changed the message');
  });

  test('the transport and the version header, where rows have them', async () => {
    const read = await imported(
      rows(
        { direction: 'c2s', transport: 'http', mcp_protocol_version: '2025-11-25', raw: call(1) },
        { direction: 's2c', transport: 'http', status: 200, raw: answer(1) },
      ),
      undefined,
    );
    expect(read.wire[0]).toMatchObject({ transport: 'http', revision: '2025-11-25' });
    expect(eventsOf(read)[1]).toMatchObject({ http: { status: 200 } });
  });
});

test('the secrets of gaps and of other text are taken out', async () => {
  const { wireText } = await imported(
    rows(
      ...whole,
      'Authorization: Bearer abcdefghijklmnopqrstuvwxyz123456',
      '{"jsonrpc":"2.0","id":9,"result":{"access_token":"abcdefghijklmnopqrstuvwxyz123456","x":"...[9 chars truncated]...',
    ),
    undefined,
  );
  expect(wireText).not.toContain('abcdefghijklmnopqrstuvwxyz123456');
});
