/** import, judge of captures, and the trace commands, as a user runs them: output, exit codes, what is written. */
import { describe, expect, test } from 'vitest';
import { exampleServer, Workspace } from './harness.ts';

const space = new Workspace();

interface Report {
  parts: [{ verdicts: { rule: string; status: string }[] }];
  notRecorded: string[];
}

const rows = (...messages: object[]): string => `${messages.map((message) => JSON.stringify(message)).join('\n')}\n`;
const hello = [
  {
    jsonrpc: '2.0',
    id: 0,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'c', version: '1' } },
  },
  {
    jsonrpc: '2.0',
    id: 0,
    result: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } },
  },
  { jsonrpc: '2.0', method: 'notifications/initialized' },
];
const calls = [
  { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'echo', arguments: { text: 'a' } } },
  { jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text: 'a' }] } },
  { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'add: it', arguments: {} } },
];
const wrong = { jsonrpc: '2.0', id: 2, result: { content: [{ type: 'text', text: 7 }] } };
const good = space.write('good.jsonl', rows(...hello, ...calls, { jsonrpc: '2.0', id: 2, result: { content: [] } }));
space.write('bad.jsonl', rows(...hello, ...calls, wrong));
const rest = space.write('rest.jsonl', rows(...calls, wrong));

describe('import', () => {
  test('writes the episode beside the capture, tells the format on stderr, counts on stdout', async () => {
    const { code, stdout, stderr } = await space.run(['import', 'good.jsonl']);
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: 'Read 7 MCP messages from good.jsonl.\nWrote 6 trace events to good.trace.jsonl.\n',
      stderr: 'Format: jsonrpc\n',
    });
    expect(space.read('good.trace.jsonl').split('\n')[0]).toContain('"episode_id":"good"');
  });

  test('import-mcp writes the same, with names', async () => {
    const { code, stdout } = await space.call([
      'trace',
      'import-mcp',
      '--input',
      'good.jsonl',
      '--format',
      'jsonrpc',
      '--out-trace',
      'named.out',
      '--episode-id',
      'e1',
      '--test-id',
      't1',
      '--prompt',
      'do it',
    ]);
    expect(code).toBe(0);
    expect(stdout).toContain('Wrote 6 trace events to named.out.');
    expect(JSON.parse(space.read('named.out').split('\n')[0]!)).toMatchObject({
      episode_id: 'e1',
      input: { prompt: 'do it' },
      meta: { test_id: 't1' },
    });
  });

  test.each(['sse-legacy', 'http-sse'])('%s is a format', async (format) => {
    space.write('legacy.json', {
      transport: 'http-sse',
      entries: [{ sse: { event: 'endpoint', data: '/m' } }, { request: calls[0] }],
    });
    expect((await space.call(['import', 'legacy.json', '--format', format, '--out-trace', 'legacy.out'])).code).toBe(0);
  });

  test('an unknown format, a capture that is no such thing, and one that is not there', async () => {
    const unknown = await space.call(['import', 'good.jsonl', '--format', 'pcap']);
    expect(unknown).toMatchObject({ code: 2, stdout: '' });
    expect(unknown.stderr).toContain('unknown format: pcap');
    const other = await space.call(['import', 'good.jsonl', '--format', 'streamable-http', '--out-trace', 'never.out']);
    expect(other).toMatchObject({ code: 2, stdout: '' });
    expect(other.stderr).toContain('failed to parse MCP transcript good.jsonl');
    expect(space.has('never.out')).toBe(false);
    const missing = await space.call(['import', 'nothing.json', '--out-trace', 'never.out']);
    expect(missing.code).toBe(2);
    expect(missing.stderr).toContain('nothing.json cannot be read: no such file or directory');
  });

  test('--init starts an evaluation, once', async () => {
    expect((await space.call(['import', 'good.jsonl', '--out-trace', 'x.out', '--init'])).stdout).toContain(
      'Wrote mcp-eval.yaml.',
    );
    const written = space.read('mcp-eval.yaml');
    expect(written).toContain('- id: mcp-quality-gate');
    expect(written).toContain('type: args_valid');
    expect(written).toMatch(/"add: it":[^]*"echo":[^]*type: sequence_valid[^]*tool: "add: it"[^]*tool: "echo"/);
    const again = await space.call(['import', 'bad.jsonl', '--out-trace', 'x.out', '--init']);
    expect(again.code).toBe(0);
    expect(again.stderr).toContain('is there already');
    expect(space.read('mcp-eval.yaml')).toBe(written);
  });
});

describe('judge', () => {
  test('a capture directly, and what was made of it, get the same verdicts', async () => {
    expect((await space.call(['import', 'bad.jsonl', '--out-wire', 'bad.wire.jsonl'])).code).toBe(0);
    const [direct, wire] = [
      await space.call(['judge', 'bad.jsonl', '--json']),
      await space.call(['judge', 'bad.wire.jsonl', '--json']),
    ];
    expect(direct.code).toBe(1);
    expect(direct.stderr).toContain('bad.jsonl: read as jsonrpc');
    const [one, two] = [direct, wire].map(({ stdout }) => JSON.parse(stdout) as Report) as [Report, Report];
    expect(one.parts[0].verdicts.filter(({ status }) => status === 'fail').map(({ rule }) => rule)).toEqual([
      'tools/call-content-types',
    ]);
    expect(two.parts).toEqual(one.parts);
    expect(one.notRecorded).toEqual(['transport', 'exchanges', 'streams', 'timing', 'bytes', 'direction']);
  });

  test('a good capture is compliant', async () => {
    const { code, stdout } = await space.call(['judge', good]);
    expect(code).toBe(0);
    expect(stdout).toContain('transport not recorded');
  });

  test('a capture that begins later needs the revision', async () => {
    const without = await space.call(['judge', 'rest.jsonl']);
    expect(without.code).toBe(2);
    expect(without.stderr).toContain('--spec 2025-06-18');
    const { code, stderr } = await space.call(['judge', rest, '--spec', '2025-06-18', '-q']);
    expect(code).toBe(1);
    expect(stderr).toContain('begins within a conversation');
    expect((await space.call(['judge', rest, '--spec', '2020-01-01'])).stderr).toContain('is no revision of MCP');
  });

  test('several files: each is told, the worst counts, each gets its report', async () => {
    const { code, stdout } = await space.call([
      'judge',
      'good.jsonl',
      'bad.jsonl',
      '-q',
      '-o',
      'reports/{{file}}.json',
    ]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^good\.jsonl\n[^]*^bad\.jsonl\n/m);
    expect((JSON.parse(space.read('reports/bad.json')) as { compliant: boolean }).compliant).toBe(false);
    expect((JSON.parse(space.read('reports/good.json')) as { compliant: boolean }).compliant).toBe(true);
    expect((await space.call(['judge', 'good.jsonl', 'bad.jsonl', '-o', 'one.json'])).stderr).toContain(
      'Several files cannot write one report',
    );
    expect((await space.call(['judge', 'good.jsonl', 'bad.jsonl', '--json'])).code).toBe(2);
  });

  test('against a golden conversation', async () => {
    const same = await space.call(['judge', '-q', '--golden', 'good.jsonl', 'good.jsonl']);
    expect(same.code).toBe(0);
    expect(same.stderr).toContain('No difference in behaviour');
    const other = space.write(
      'other.jsonl',
      rows(...hello, ...calls, { jsonrpc: '2.0', id: 2, error: { code: -32602, message: 'no' } }),
    );
    const { code, stderr } = await space.call(['judge', '-q', '--golden', 'good.jsonl', other]);
    expect(code).toBe(1);
    expect(stderr).toContain('tools/call/outcome');
    expect(stderr).toContain('"error -32602"');
  });

  test('an episode and an empty capture are told apart from captures', async () => {
    await space.call(['import', 'good.jsonl', '--out-trace', 'episode.out']);
    expect((await space.call(['judge', 'episode.out'])).stderr).toContain('is an episode of tool calls');
    space.write('none.json', '{"events":[]}');
    expect((await space.call(['judge', 'none.json'])).stderr).toContain('there is no MCP message');
  });
});

describe('trace', () => {
  test('show: a line for each event, filters, JSON', async () => {
    const { code, stdout } = await space.call(['trace', 'show', 'bad.jsonl']);
    expect(code).toBe(0);
    expect(stdout.trimEnd().split('\n')).toHaveLength(7);
    expect(stdout).toMatch(/5 .*s1 {3}← result 1 \(to tools\/call "echo", \d+ B\)/);
    const filtered = await space.call(['trace', 'show', 'bad.jsonl', '--method', 'tools/call', '--full']);
    expect(filtered.stdout).toContain('"text": 7');
    expect(filtered.stdout).not.toContain('initialize');
    const lines = (await space.call(['trace', 'show', 'bad.jsonl', '--json'])).stdout.trimEnd().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { seq: number }).seq)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });

  test('diff: 0 for none, 1 for some', async () => {
    expect(await space.call(['trace', 'diff', 'good.jsonl', 'good.jsonl'])).toMatchObject({
      code: 0,
      stdout: 'No difference in behaviour between good.jsonl and good.jsonl.\n',
    });
    const { code, stdout } = await space.call(['trace', 'diff', 'good.jsonl', 'bad.jsonl']);
    expect(code).toBe(1);
    expect(stdout).toContain('tools/call/result/content/0');
    expect(
      (await space.call(['trace', 'diff', 'good.jsonl', 'bad.jsonl', '--ignore', 'tools/call/result/**'])).code,
    ).toBe(0);
  });

  test.each(['mcpc', 'streamable-http'])('convert to %s and back changes no behaviour', async (to) => {
    expect(await space.call(['trace', 'convert', 'bad.jsonl', '--to', to, '-o', `converted.${to}`])).toMatchObject({
      code: 0,
    });
    expect(await space.call(['trace', 'diff', 'bad.jsonl', `converted.${to}`])).toMatchObject({ code: 0 });
  });

  test('several connections are not written as one', async () => {
    const one = rows(...hello);
    space.write('first.jsonl', one);
    await space.call(['trace', 'convert', 'first.jsonl', '--to', 'mcpc', '-o', 'first.trace']);
    const lines = space.read('first.trace').trimEnd().split('\n');
    const events = lines
      .filter((line) => line.includes('"seq":'))
      .map((line) => JSON.parse(line) as { seq: number; session: string });
    const all = [...events, ...events.map((event) => ({ ...event, session: 'other' }))].map((event, at) =>
      JSON.stringify({ ...event, seq: at + 1 }),
    );
    space.write(
      'two.trace',
      `${[lines[0], ...all, JSON.stringify({ footer: true, events: all.length, complete: true })].join('\n')}\n`,
    );
    for (const to of ['jsonrpc', 'inspector', 'streamable-http', 'http-sse']) {
      const refused = await space.call(['trace', 'convert', 'two.trace', '--to', to, '-o', `two.${to}`]);
      expect(refused.code, to).toBe(2);
      expect(refused.stderr).toContain('has several connections');
      expect(refused.stderr).toContain('--session other');
      expect(space.has(`two.${to}`)).toBe(false);
    }
    expect(
      await space.call(['trace', 'convert', 'two.trace', '--to', 'jsonrpc', '--session', 'other', '-o', 'alone.jsonl']),
    ).toMatchObject({ code: 0 });
    expect(await space.call(['trace', 'diff', 'first.jsonl', 'alone.jsonl'])).toMatchObject({ code: 0 });
    expect(await space.call(['trace', 'convert', 'two.trace', '--to', 'mcpc', '-o', 'copy.trace'])).toMatchObject({
      code: 0,
    });
    const unknown = await space.call([
      'trace',
      'convert',
      'two.trace',
      '--to',
      'jsonrpc',
      '--session',
      'nobody',
      '-o',
      'nobody.jsonl',
    ]);
    expect(unknown).toMatchObject({ code: 2 });
    expect(unknown.stderr).toContain('has no connection "nobody"');
  });

  test('convert to an episode is what import does', async () => {
    await space.call(['trace', 'convert', 'converted.mcpc', '--to', 'episode', '-o', 'converted.episode']);
    await space.call(['import', 'bad.jsonl', '--out-trace', 'imported.episode']);
    const timeless = (text: string): string => text.replace(/"timestamp":\d+/g, '').replace(/"episode_id":"\w+"/g, '');
    expect(timeless(space.read('converted.episode'))).toBe(timeless(space.read('imported.episode')));
  });

  test('validate: whole, cut off, wrong', async () => {
    expect(await space.call(['trace', 'validate', 'converted.mcpc', 'bad.jsonl'])).toMatchObject({ code: 0 });
    const trace = space.read('converted.mcpc');
    space.write('cut.jsonl', trace.slice(0, trace.lastIndexOf('{"footer"')));
    const cut = await space.call(['trace', 'validate', 'cut.jsonl']);
    expect(cut).toMatchObject({ code: 1 });
    expect(cut.stdout).toContain('the trace was cut off');
    space.write('wrong.jsonl', trace.replace('"seq":2', '"seq":9'));
    const broken = await space.call(['trace', 'validate', 'wrong.jsonl']);
    expect(broken.code).toBe(2);
    expect(broken.stderr).toContain('event 9 is in the place of event 2');
  });

  test('redact takes out what a variable names', async () => {
    space.write(
      'plain.jsonl',
      rows(...hello, {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'x', arguments: { who: 'Ada Lovelace' } },
      }),
    );
    await space.call(['trace', 'convert', 'plain.jsonl', '--to', 'mcpc', '-o', 'plain.trace']);
    expect(space.read('plain.trace')).toContain('Ada Lovelace');
    expect(
      await space.call(['trace', 'redact', 'plain.trace', '-o', 'clean.trace', '--secret-env', 'WHO'], {
        env: { WHO: 'Ada Lovelace' },
      }),
    ).toMatchObject({ code: 0 });
    expect(space.read('clean.trace')).not.toContain('Ada Lovelace');
    expect(
      (await space.call(['trace', 'redact', 'plain.trace', '-o', 'clean.trace', '--secret-env', 'NOBODY_SET_THIS']))
        .code,
    ).toBe(2);
  });

  test('a live trace is shown and found whole', async () => {
    expect([0, 1]).toContain(
      (
        await space.call([
          'check',
          '-q',
          '--only',
          'ping',
          '--trace',
          'live.jsonl',
          '--',
          process.execPath,
          exampleServer,
          'stdio',
        ])
      ).code,
    );
    expect((await space.call(['trace', 'show', 'live.jsonl', '--messages'])).stdout).toMatch(
      /→ request \S+ initialize/,
    );
    expect((await space.call(['trace', 'validate', 'live.jsonl'])).code).toBe(0);
  });
});

describe('logs of clients', () => {
  const editor = [
    '2026-05-01 10:00:00.000 [info] Starting server paint',
    '2026-05-01 10:00:00.010 [warning] [server stderr] up',
    ...[...hello, ...calls.slice(0, 2)].map(
      (message) =>
        `2026-05-01 10:00:00.100 [trace] [${'method' in message ? 'editor -> server' : 'server -> editor'}] ${JSON.stringify(message)}`,
    ),
  ];
  const stray = '2026-05-01 10:00:00.050 [warning] Failed to parse message: "Loading colours\\n"';

  test('a line that VS Code could not parse is a violation, with the line as proof', async () => {
    space.write('vscode.log', `${[...editor.slice(0, 4), stray, ...editor.slice(4)].join('\n')}\n`);
    const { code, stdout, stderr } = await space.call(['judge', 'vscode.log', '--json']);
    expect(code).toBe(1);
    expect(stderr).toContain('vscode.log: line 5: text that is no message: "Loading colours"');
    const report = JSON.parse(stdout) as Report & { wire: { body: string }[] };
    expect(report.parts[0].verdicts.filter(({ status }) => status === 'fail').map(({ rule }) => rule)).toEqual([
      'stdio/stdout-purity',
    ]);
    expect(stdout).toContain('Stdout has text that is no MCP message: Loading colours');
  });

  test('a whole log and one with a gap are told apart by trace validate and shown by trace show', async () => {
    space.write('whole.log', `${editor.join('\n')}\n`);
    space.write('cut.log', `${editor.join('\n').slice(0, -20)}\n`);
    const whole = await space.call(['trace', 'validate', 'whole.log']);
    expect(whole).toMatchObject({ code: 0, stdout: 'whole.log: whole (vscode-log, 5 events, 1 connection)\n' });
    const cut = await space.call(['trace', 'validate', 'cut.log']);
    expect(cut.code).toBe(1);
    expect(cut.stdout).toMatch(/^cut\.log: line 7: the message is not whole/);
    expect((await space.call(['trace', 'show', 'cut.log'])).stdout).toContain('message that was not recorded whole');
  });

  test('JSON that holds no messages is no capture', async () => {
    space.write('answer.json', '{"answer":42}\n');
    for (const command of [['judge'], ['trace', 'validate'], ['trace', 'show'], ['import']]) {
      const { code, stdout, stderr } = await space.call([...command, 'answer.json']);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toContain('it looks like an object that is no JSON-RPC message (its members: answer)');
    }
  });

  test('a gap is kept by jsonrpc, and refused where the format has no place for it', async () => {
    const lines = [...hello, ...calls].map((message) => JSON.stringify(message));
    lines[4] = `${lines[4]!.slice(0, 40)}...[20 chars truncated]...`;
    space.write('gap.jsonl', `${lines.join('\n')}\n`);
    expect((await space.call(['trace', 'convert', 'gap.jsonl', '--to', 'jsonrpc', '-o', 'again.jsonl'])).code).toBe(0);
    expect((await space.call(['trace', 'validate', 'again.jsonl'])).stdout).toContain('line 5: the tool that wrote');
    const other = await space.call(['trace', 'convert', 'gap.jsonl', '--to', 'inspector', '-o', 'again.json']);
    expect(other.code).toBe(2);
    expect(other.stderr).toContain('Event 5 is a gap of the capture');
  });
});
