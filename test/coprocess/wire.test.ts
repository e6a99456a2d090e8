/** The coprocess protocol on the wire: one request line, one response line. Needs the build. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, onTestFinished, test } from 'vitest';
import { COPROCESS_PROTOCOL_VERSION } from '../../src/coprocess/protocol.ts';
import { allGone, Workspace } from '../cli/harness.ts';
import { freePort } from '../support/free-port.ts';
import { everything, moody, startCoprocess } from './harness.ts';
import { thorough } from '../support/run/options.ts';

const version = (await import('../../package.json', { with: { type: 'json' } })).default.version;
const server = ['--server-command', `${process.execPath} ${moody}`];

/** The moody server over HTTP; ends with the test. */
async function moodyUrl(): Promise<string> {
  const child = spawn(process.execPath, [moody, 'http'], { stdio: ['ignore', 'ignore', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [chunk] = (await once(child.stderr, 'data')) as [Buffer];
  return `http://127.0.0.1:${/\d+$/m.exec(chunk.toString())![0]}/mcp`;
}

describe('handshake', () => {
  test('matches with all members, and with the version alone; again, and after traffic; the server is not needed', async () => {
    const mcpc = startCoprocess(['--server-command', '/nowhere/no-such-program']);
    const result = { protocol_version: COPROCESS_PROTOCOL_VERSION, binary_version: version };
    for (const params of [
      { protocol_version: 2, sdk: 'typescript', sdk_version: '0.1.0' },
      { protocol_version: 2 },
      { protocol_version: 2 },
    ])
      expect(await mcpc.ask('coprocess/handshake', params, 1)).toEqual({ jsonrpc: '2.0', id: 1, result });
    const failed = await mcpc.ask('mcp.listTools');
    expect(failed.error).toMatchObject({ code: -32001, message: expect.stringContaining('no-such-program') });
    expect((await mcpc.ask('coprocess/handshake', { protocol_version: 2 })).result).toEqual(result);
    expect((await mcpc.ask('mcp.call', { tool: 'echo', arguments: {} })).error['code']).toBe(-32001);
    mcpc.end();
    expect(await mcpc.ended).toEqual({ code: 0, rest: [] });
  });

  test('names both versions, the SDK, and the side to upgrade', async () => {
    const mcpc = startCoprocess(server);
    const newer = await mcpc.ask('coprocess/handshake', { protocol_version: 3, sdk: 'rust' });
    expect(newer.error).toEqual({
      code: -32602,
      message:
        'coprocess protocol version mismatch: this mcpc binary speaks v2, the rust SDK sent v3. Upgrade the mcpc binary (or pin the SDK to the matching release).',
    });
    const older = await mcpc.ask('coprocess/handshake', { protocol_version: 1, sdk: 'go', sdk_version: '0.9' });
    expect(older.error['message']).toMatch(/mismatch: .* v2, the go SDK 0\.9 sent v1\. Upgrade the go SDK/);
    for (const params of [{ protocol_version: '2' }, {}, { protocol_version: 2.5 }, { protocol_version: 2, more: 1 }])
      expect((await mcpc.ask('coprocess/handshake', params)).error['code'], JSON.stringify(params)).toBe(-32602);
    // A mismatch ends nothing: whoever goes on does so at their own risk.
    expect((await mcpc.ask('mcp.listTools')).result['tools']).toHaveLength(12);
  });
});

describe('frames', () => {
  test('ids come back as they were written, and what is wrong is told under them', async () => {
    const mcpc = startCoprocess(server);
    const handshake = '"method":"coprocess/handshake","params":{"protocol_version":2}';
    for (const id of ['"abc"', '0', '-3', '"7"', '12345678901234567890', '1.0', '"ü\\n"']) {
      mcpc.write(`{"jsonrpc":"2.0","id":${id},${handshake}}\n`);
      expect(await mcpc.line()).toBe(
        `{"jsonrpc":"2.0","id":${id},"result":{"protocol_version":2,"binary_version":"${version}"}}`,
      );
    }
    const wrong: [frame: string, id: string, code: number][] = [
      ['{"jsonrpc":"2.0","id":1,"method":"mcp.listTools","trace":1}', '1', -32600],
      ['{"jsonrpc":"1.0","id":2,"method":"mcp.listTools"}', '2', -32600],
      ['{"id":3,"method":"mcp.listTools"}', '3', -32600],
      ['{"jsonrpc":"2.0","id":4}', '4', -32600],
      ['{not json', 'null', -32700],
      ['"text"', 'null', -32600],
      ['[{"jsonrpc":"2.0","id":5,"method":"mcp.listTools"}]', 'null', -32600],
      ['{"jsonrpc":"2.0","method":"mcp.listTools"}', 'null', -32600],
      ['{"jsonrpc":"2.0","id":null,"method":"mcp.listTools"}', 'null', -32600],
      ['{"jsonrpc":"2.0","id":1.5,"method":"mcp.listTools"}', 'null', -32600],
      ['{"jsonrpc":"2.0","id":6,"method":"mcp.nope"}', '6', -32601],
      ['{"jsonrpc":"2.0","id":"7","method":"mcp.call"}', '"7"', -32602],
      ['{"jsonrpc":"2.0","id":8,"method":"mcp.call","params":{"tool":"echo","arguments":[]}}', '8', -32602],
      ['{"jsonrpc":"2.0","id":9,"method":"mcp.call","params":{"tool":"echo","args":{}}}', '9', -32602],
      ['{"jsonrpc":"2.0","id":10,"method":"mcp.callPrompt","params":{"name":"greet"}}', '10', -32602],
      ['{"jsonrpc":"2.0","id":11,"method":"mcp.listTools","params":[]}', '11', -32602],
      ['{"jsonrpc":"2.0","id":12,"method":"mcp.cache.set_mode","params":{"mode":"on"}}', '12', -32602],
      ['{"jsonrpc":"2.0","id":13,"method":"mcp.cassette.set_mode","params":{"mode":"record"}}', '13', -32602],
      [
        `{"jsonrpc":"2.0","id":14,"method":"mcp.listTools","params":${'['.repeat(600)}${']'.repeat(600)}}`,
        'null',
        -32600,
      ],
    ];
    // All in one write: each gets its one line, in order; blank lines get none.
    mcpc.write(`\n${wrong.map(([frame]) => frame).join('\n\n')}\n`);
    for (const [frame, id, code] of wrong)
      expect(await mcpc.line(), frame).toMatch(`{"jsonrpc":"2.0","id":${id},"error":{"code":${code},"message":`);
    mcpc.end();
    expect(await mcpc.ended).toEqual({ code: 0, rest: [] });
  });

  test('a line that is too long, and one that is no UTF-8, get one error each', async () => {
    const mcpc = startCoprocess(server);
    mcpc.write(
      `{"jsonrpc":"2.0","id":1,"method":"mcp.call","params":{"tool":"echo","arguments":{"message":"${'x'.repeat(9 * 1024 * 1024)}"}}}\n`,
    );
    expect(JSON.parse(await mcpc.line())).toMatchObject({ id: null, error: { code: -32600 } });
    mcpc.write(Buffer.from([0x22, 0xff, 0x22, 0x0a]) as unknown as string);
    expect(JSON.parse(await mcpc.line())).toMatchObject({ id: null, error: { code: -32700 } });
    expect((await mcpc.ask('coprocess/handshake', { protocol_version: 2 })).result['protocol_version']).toBe(2);
  });
});

describe.each(['stdio', 'http'] as const)('calls over %s', (transport) => {
  const target = async (): Promise<string[]> => (transport === 'stdio' ? server : ['--url', await moodyUrl()]);

  test('results are handed through, joined pages and digits included; errors say what was asked', async () => {
    const mcpc = startCoprocess(await target());
    // The first frame is a request to the server.
    expect((await mcpc.ask('mcp.listTools')).result).toEqual({ tools: expect.objectContaining({ length: 12 }) });
    expect((await mcpc.ask('mcp.initialize')).result).toMatchObject({ serverInfo: { name: 'moody' } });
    expect((await mcpc.ask('mcp.initialize')).result).toMatchObject({ serverInfo: { name: 'moody' } });
    expect((await mcpc.ask('mcp.call', { tool: 'echo', arguments: { message: 'hi' } })).result).toEqual({
      content: [{ type: 'text', text: 'hi' }],
    });
    expect((await mcpc.ask('mcp.call', { tool: 'refuse', arguments: {} })).result).toMatchObject({ isError: true });
    expect((await mcpc.ask('mcp.call', { tool: 'fault', arguments: {} })).error).toEqual({
      code: -32000,
      message: 'tool refused',
      data: { tool: 'fault', error: { code: -32050, message: 'tool refused', data: { why: 'on principle' } } },
    });
    expect((await mcpc.ask('mcp.listResources')).result).toEqual({ resources: [{ uri: 'moody:mood', name: 'mood' }] });
    expect((await mcpc.ask('mcp.readResource', { uri: 'moody:mood' })).result['contents']).toHaveLength(1);
    expect((await mcpc.ask('mcp.readResource', { uri: 'moody:none' })).error).toMatchObject({
      code: -32000,
      data: { uri: 'moody:none', error: { code: -32002 } },
    });
    expect((await mcpc.ask('mcp.callPrompt', { prompt: 'greet', arguments: { name: 'Ada' } })).result).toEqual({
      messages: [{ role: 'user', content: { type: 'text', text: 'Greet Ada' } }],
    });
    mcpc.write('{"jsonrpc":"2.0","id":1,"method":"mcp.call","params":{"tool":"digits","arguments":{"n":1}}}\n');
    expect(await mcpc.line()).toBe(
      '{"jsonrpc":"2.0","id":1,"result":{"content": [], "structuredContent": {"n": 12345678901234567890, "got": 1, "price": 1.50}}}',
    );
  });

  test.runIf(thorough)(
    'a call that is not answered ends in time; the connection lives on while the server answers pings',
    async () => {
      const mcpc = startCoprocess([...(await target()), '--timeout', '400ms', '--start-timeout', '20s']);
      expect((await mcpc.ask('mcp.call', { tool: 'hang', arguments: {} })).error).toEqual({
        code: -32000,
        message: 'no response from the server within 400 ms',
        data: { tool: 'hang', timeout_ms: 400 },
      });
      expect((await mcpc.ask('mcp.call', { tool: 'echo', arguments: { message: 'still' } })).result).toBeDefined();
      expect((await mcpc.ask('mcp.call', { tool: 'deaf', arguments: {} })).error['code']).toBe(-32000);
      expect((await mcpc.ask('mcp.call', { tool: 'echo', arguments: {} })).error['code']).toBe(-32001);
    },
  );

  test.runIf(thorough)('after a call that kills the server every request is answered with -32001', async () => {
    const mcpc = startCoprocess(await target());
    const died = await mcpc.ask('mcp.call', { tool: 'die', arguments: {} });
    expect(died.error).toMatchObject({ code: -32001, message: expect.stringContaining('upstream connection dropped') });
    for (const [method, params] of [
      ['mcp.call', { tool: 'echo', arguments: {} }],
      ['mcp.listTools', {}],
      ['mcp.initialize', {}],
    ] as const)
      expect((await mcpc.ask(method, params)).error['code']).toBe(-32001);
    expect((await mcpc.ask('mcp.shutdown')).result).toEqual({});
    expect(await mcpc.ended).toEqual({ code: 0, rest: [] });
  });

  test('a server that asks is answered what the file says, and refused without one', async () => {
    const space = new Workspace();
    const file = space.write('client.yaml', 'sampling: { text: all is well, model: none }\n');
    const answering = startCoprocess([...(await target()), '--client-capabilities', file]);
    const answered = await answering.ask('mcp.call', { tool: 'ask', arguments: {} });
    expect(JSON.stringify(answered.result)).toContain('all is well');
    const refusing = startCoprocess(await target());
    const refused = await refusing.ask('mcp.call', { tool: 'ask', arguments: {} });
    expect(JSON.stringify(refused.result)).toContain('-32601');
  });
});

/** server-everything over HTTP; ends with the test. */
async function everythingUrl(): Promise<string> {
  const port = await freePort();
  const child = spawn(process.execPath, [everything, 'streamableHttp'], {
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  // It writes a line once it listens.
  for (let said = ''; !said.includes(String(port)); )
    said += ((await once(child.stderr, 'data')) as [Buffer])[0].toString();
  return `http://127.0.0.1:${port}/mcp`;
}

test.runIf(thorough).each(['stdio', 'http'])('a real server: server-everything, over %s', async (transport) => {
  const mcpc = startCoprocess(
    transport === 'stdio' ? ['--', process.execPath, everything] : ['--url', await everythingUrl()],
  );
  expect((await mcpc.ask('mcp.call', { tool: 'echo', arguments: { message: 'hi' } })).result).toMatchObject({
    content: [{ type: 'text', text: 'Echo: hi' }],
  });
  expect((await mcpc.ask('mcp.listTools')).result['tools']).toContainEqual(
    expect.objectContaining({ name: 'get-sum' }),
  );
  expect((await mcpc.ask('mcp.callPrompt', { prompt: 'simple-prompt' })).result['messages']).toHaveLength(1);
  await mcpc.ask('mcp.shutdown');
  expect((await mcpc.ended).code).toBe(0);
  await allGone(mcpc.children());
});

describe('ends', () => {
  test('mcp.shutdown, the end of the input and a signal end the server as well', async () => {
    for (const [how, code] of [
      ['shutdown', 0],
      ['end', 0],
      ['SIGTERM', 130],
    ] as const) {
      const mcpc = startCoprocess(server);
      await mcpc.ask('mcp.call', { tool: 'echo', arguments: {} });
      const started = mcpc.children();
      expect(started.length, how).toBeGreaterThan(0);
      if (how === 'shutdown') expect((await mcpc.ask('mcp.shutdown')).result).toEqual({});
      else if (how === 'end') mcpc.end();
      else mcpc.kill('SIGTERM');
      expect(await mcpc.ended, how).toEqual({ code, rest: [] });
      await allGone(started);
    }
  });

  test('a coprocess that is killed takes the server with it', async () => {
    const mcpc = startCoprocess(server);
    await mcpc.ask('mcp.call', { tool: 'echo', arguments: {} });
    const started = mcpc.children();
    mcpc.kill('SIGKILL');
    await allGone(started);
  });

  test('requests that came before the end of the input are answered', async () => {
    const mcpc = startCoprocess(server);
    mcpc.write(
      '{"jsonrpc":"2.0","id":1,"method":"mcp.call","params":{"tool":"echo","arguments":{"message":"a"}}}\n{"jsonrpc":"2.0","id":2,"method":"mcp.listTools"}',
    );
    mcpc.end();
    expect(JSON.parse(await mcpc.line())).toMatchObject({ id: 1, result: {} });
    expect(JSON.parse(await mcpc.line())).toMatchObject({ id: 2, result: {} });
    expect(await mcpc.ended).toEqual({ code: 0, rest: [] });
  });

  test('wrong flags end with 2, and nothing on stdout', async () => {
    const space = new Workspace();
    const file = space.write('client.yaml', 'sampling:\n  txt: all is well\n');
    for (const [args, told] of [
      [[], 'No target is named'],
      [['--server-command', 'node "x'], '--server-command cannot be read'],
      [[...server, '--url', 'http://127.0.0.1:1/mcp'], 'named twice'],
      [[...server, '--format', 'junit'], 'stdout carries responses only'],
      [[...server, '--client-capabilities', file], `${file}:2:3: sampling: unknown property "txt"`],
    ] as const) {
      const mcpc = startCoprocess(args);
      expect(await mcpc.ended, told).toEqual({ code: 2, rest: [] });
      expect(mcpc.stderr()).toContain(told);
    }
  });
});

test.runIf(thorough)('stdout carries responses alone under a flood over HTTP', async () => {
  const mcpc = startCoprocess(['--url', await moodyUrl()]);
  expect((await mcpc.ask('mcp.call', { tool: 'flood', arguments: {} })).result).toBeDefined();
  expect((await mcpc.ask('mcp.call', { tool: 'echo', arguments: {} })).result).toBeDefined();
  await mcpc.ask('mcp.shutdown');
  expect(await mcpc.ended).toEqual({ code: 0, rest: [] });
});

test('stdout carries responses alone under a flood, and stderr no secret', async () => {
  const mcpc = startCoprocess([...server, '-e', 'API_TOKEN=hunter2hunter2']);
  expect((await mcpc.ask('mcp.call', { tool: 'flood', arguments: {} })).result).toBeDefined();
  expect((await mcpc.ask('mcp.call', { tool: 'secret', arguments: {} })).result).toEqual({
    content: [{ type: 'text', text: 'hunter2hunter2' }],
  });
  await mcpc.ask('mcp.shutdown');
  expect(await mcpc.ended).toEqual({ code: 0, rest: [] });
  expect(mcpc.stderr()).toContain('wave 1999');
  expect(mcpc.stderr()).toContain('the token is ');
  expect(mcpc.stderr()).not.toContain('hunter2hunter2');
});

describe('what lies between', () => {
  test('the cache remembers calls of tools that only read, until another tool is called', async () => {
    const mcpc = startCoprocess(server);
    const count = async (): Promise<unknown> => (await mcpc.ask('mcp.call', { tool: 'count', arguments: {} })).result;
    const first = await count();
    expect(await count()).not.toEqual(first);
    expect((await mcpc.ask('mcp.cache.set_mode', { mode: 'readwrite' })).result).toEqual({ mode: 'readwrite' });
    const kept = await count();
    expect(await count()).toEqual(kept);
    await mcpc.ask('mcp.call', { tool: 'bump', arguments: {} });
    const next = await count();
    expect(next).not.toEqual(kept);
    await mcpc.ask('mcp.cache.set_mode', { mode: 'write' });
    const written = await count();
    expect(written).not.toEqual(next);
    await mcpc.ask('mcp.cache.set_mode', { mode: 'read' });
    expect(await count()).toEqual(written);
    await mcpc.ask('mcp.cache.set_mode', { mode: 'off' });
    expect(await count()).not.toEqual(written);
  });

  test.runIf(thorough)('a cassette answers as the server did, without it', async () => {
    const space = new Workspace();
    const path = space.path('tapes/moody.jsonl');
    const talk = async (mcpc: ReturnType<typeof startCoprocess>, mode: string): Promise<unknown[]> => {
      expect((await mcpc.ask('mcp.cassette.set_mode', { mode, path })).result).toEqual({ mode });
      const came = [
        await mcpc.ask('mcp.initialize'),
        await mcpc.ask('mcp.listTools'),
        await mcpc.ask('mcp.call', { tool: 'count', arguments: {} }),
        await mcpc.ask('mcp.call', { tool: 'count', arguments: {} }),
        await mcpc.ask('mcp.call', { tool: 'fault', arguments: {} }),
      ];
      mcpc.write(
        '{"jsonrpc":"2.0","id":"d","method":"mcp.call","params":{"tool":"digits","arguments":{"n":12345678901234567890}}}\n',
      );
      const digits = await mcpc.line();
      await mcpc.ask('mcp.shutdown');
      expect((await mcpc.ended).code).toBe(0);
      return [...came, digits];
    };
    const recorded = await talk(startCoprocess(server), 'auto');
    expect(await talk(startCoprocess(['--', 'no-such-server']), 'auto')).toEqual(recorded);
    expect(await talk(startCoprocess(['--', 'no-such-server']), 'replay')).toEqual(recorded);
    const mcpc = startCoprocess(server);
    await mcpc.ask('mcp.cassette.set_mode', { mode: 'replay', path });
    expect((await mcpc.ask('mcp.call', { tool: 'bump', arguments: {} })).error).toMatchObject({
      code: -32000,
      message: expect.stringContaining('the cassette holds no response to tools/call'),
    });
    await mcpc.ask('mcp.cassette.set_mode', { mode: 'off' });
    expect((await mcpc.ask('mcp.call', { tool: 'bump', arguments: {} })).result).toBeDefined();
    const missing = await mcpc.ask('mcp.cassette.set_mode', { mode: 'replay', path: space.path('none.jsonl') });
    expect(missing.error['code']).toBe(-32602);
    // A recording that begins in the middle is a trace as well.
    const middle = space.path('middle.jsonl');
    await mcpc.ask('mcp.cassette.set_mode', { mode: 'record', path: middle });
    await mcpc.ask('mcp.call', { tool: 'bump', arguments: {} });
    await mcpc.ask('mcp.shutdown');
    await mcpc.ended;
    for (const file of [path, middle]) expect((await space.run(['trace', 'validate', file])).code).toBe(0);
  });

  test.runIf(thorough)('flush writes the reports, and a trace can be judged; nothing is uploaded', async () => {
    const space = new Workspace();
    const [xml, json, trace] = ['calls.xml', 'calls.json', 'calls.jsonl'].map((name) => space.path(name)) as [
      string,
      string,
      string,
    ];
    const mcpc = startCoprocess([...server, '--timeout', '2s', '--trace', trace, '-o', xml, '-o', json]);
    await mcpc.ask('mcp.reporter.setUpload', { enabled: true, url: 'http://127.0.0.1:1/' });
    await mcpc.ask('mcp.call', { tool: 'echo', arguments: { message: 'hi' } });
    await mcpc.ask('mcp.call', { tool: 'fault', arguments: {} });
    await mcpc.ask('mcp.call', { tool: 'die', arguments: {} });
    expect((await mcpc.ask('mcp.reporter.flush')).result).toEqual({});
    const report = JSON.parse(space.read('calls.json'));
    expect(report.counts).toMatchObject({ total: 3, passed: 1, failed: 1, undecided: 1 });
    expect(report.cases[2]).toMatchObject({
      name: 'tools/call die',
      trials: [{ stderr: expect.arrayContaining(['dying']) }],
    });
    expect(space.read('calls.xml')).toContain('tests="3"');
    await mcpc.ask('mcp.shutdown');
    await mcpc.ended;
    expect(JSON.parse((await space.run(['judge', trace, '--json'])).stdout)).toMatchObject({
      format: 'mcpc-run-report',
    });
    expect(mcpc.stderr()).not.toMatch(/internal error/);
  });
});
