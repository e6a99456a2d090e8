/** Where a target can come from: client configurations, environments, a server that mcpc starts. */
import { beforeAll, describe, expect, test } from 'vitest';
import { parseReport } from '../support/read-report.ts';
import { errorOf, exampleServer, Workspace } from './harness.ts';
import { tellsEnvironment } from './servers.ts';
import { someOf } from '../support/run/some-of.ts';

const space = new Workspace();
const ping = ['check', '--json', '--spec', '2025-11-25', '--only', 'ping'];

interface Seen {
  env: Record<string, string>;
  args: string[];
  cwd: string;
}
const seen = (folder = ''): Seen => JSON.parse(space.read(`${folder}seen.json`)) as Seen;

beforeAll(() => {
  space.write('server.mjs', tellsEnvironment);
});

describe('configurations', () => {
  const entry = {
    command: 'node',
    args: ['server.mjs', '${WORD}', '${OTHER:-fallback}', '${env:WORD}'],
    env: { FROM_FILE: 'file-${WORD}' },
  };

  test.each(
    someOf<[string, string, object | string]>(
      [
        [
          '.mcp.json of Claude Code',
          '.mcp.json',
          { mcpServers: { mine: { type: 'stdio', ...entry }, other: { command: 'false' } } },
        ],
        ['Claude Desktop', 'claude_desktop_config.json', { globalShortcut: '', mcpServers: { mine: entry } }],
        ['Cursor', '.cursor/mcp.json', { mcpServers: { mine: entry } }],
        [
          'VS Code, with comments',
          '.vscode/mcp.json',
          `{\n  // servers of this project\n  "inputs": [],\n  "servers": { "mine": ${JSON.stringify({ type: 'stdio', ...entry })}, },\n}\n`,
        ],
        ['settings of VS Code', 'settings.json', { mcp: { servers: { mine: entry } } }],
      ],
      2,
      ([title]) => title,
    ),
  )('%s', async (_title, file, content) => {
    space.write(file, content);
    const { code, stdout, stderr } = await space.call([...ping, '--config', file, '--server', 'mine'], {
      env: { WORD: 'hello' },
    });
    expect(code, stderr).toBe(0);
    expect(seen()).toMatchObject({
      args: ['hello', 'fallback', 'hello'],
      env: { FROM_FILE: 'file-hello', WORD: 'hello' },
    });
    expect(parseReport(stdout, 'stdout').target.name).toBe('mine');
  });

  test('the only server needs no name, and flags go before the file', async () => {
    space.write('one.json', {
      mcpServers: { mine: { command: 'node', args: ['../server.mjs'], env: { A: 'file', B: 'file' } } },
    });
    space.write('sub/keep', '');
    const { code, stderr } = await space.call([...ping, '--config', 'one.json', '--cwd', 'sub', '--env', 'B=flag'], {
      env: { WORD: 'x' },
    });
    expect(code, stderr).toBe(0);
    expect(seen('sub/').env).toMatchObject({ A: 'file', B: 'flag' });
    expect(seen('sub/').cwd.endsWith('sub')).toBe(true);
  });

  test('--server alone finds .mcp.json', async () => {
    space.write('.mcp.json', { mcpServers: { mine: { command: 'node', args: ['server.mjs'] } } });
    expect((await space.call([...ping, '--server', 'mine'])).code).toBe(0);
  });

  test.each(
    someOf<[string, object | string, RegExp]>(
      [
        [
          'a variable that is not set',
          { mcpServers: { mine: { command: '${NO_SUCH_VARIABLE}' } } },
          /wrong\.json: server "mine": command needs the environment variable NO_SUCH_VARIABLE, which is not set/,
        ],
        [
          'an input of VS Code',
          { servers: { mine: { command: 'node', env: { KEY: '${input:key}' } } } },
          /server "mine": env\.KEY asks for the input "key", which has no value/,
        ],
        ['an unknown variable', { servers: { mine: { command: '${command:pick}' } } }, /no variable that mcpc knows/],
        ['a server of another name', { mcpServers: { other: { command: 'x' } } }, /wrong\.json has no server "mine"/],
        ['a name that objects have anyway', { mcpServers: {} }, /has no server "mine"/],
        ['no servers at all', { servers: 3 }, /must be an object/],
        ['another kind of file', { hello: 1 }, /wrong\.json has no servers/],
        ['neither command nor address', { mcpServers: { mine: {} } }, /server "mine": has neither "command" nor "url"/],
        ['both', { mcpServers: { mine: { command: 'x', url: 'http://y/' } } }, /both "command" and "url"/],
        ['arguments that are no list', { mcpServers: { mine: { command: 'x', args: 'y' } } }, /"args" must be a list/],
        [
          'an environment value that is no text',
          { mcpServers: { mine: { command: 'x', env: { A: {} } } } },
          /env\.A must be text/,
        ],
        ['an unknown type', { mcpServers: { mine: { type: 'ws', url: 'ws://x' } } }, /type "ws" is unknown/],
        ['broken JSON, with its place', '{\n  "mcpServers": {,}\n}', /wrong\.json:2:18: not JSON/],
        ['a list', '[]', /wrong\.json is not a JSON object/],
      ],
      2,
      ([title]) => title,
    ),
  )('%s', async (_title, content, why) => {
    space.write('wrong.json', content);
    const outcome = await space.call(['check', '--config', 'wrong.json', '--server', 'mine']);
    expect(outcome.code, outcome.stderr).toBe(2);
    expect(errorOf(outcome).why).toMatch(why);
  });

  test('several servers and no name: all are told', async () => {
    space.write('two.json', { mcpServers: { first: { command: 'x' }, second: { command: 'y' } } });
    const outcome = await space.call(['check', '--config', 'two.json']);
    expect(outcome.code).toBe(2);
    expect(errorOf(outcome).fix).toContain('first, second');
  });

  test('an address with headers, and what they hold stays out of report and trace', async () => {
    const secret = 'correct-horse-battery-staple-42';
    // Nothing listens there; the trace has the request all the same.
    space.write('remote.json', {
      mcpServers: {
        mine: { type: 'http', url: 'http://127.0.0.1:1/mcp', headers: { Authorization: 'Bearer ${TOKEN}' } },
      },
    });
    const outcome = await space.call(['check', '--config', 'remote.json', '--trace', 'remote.jsonl'], {
      env: { TOKEN: secret },
    });
    expect(outcome.code).toBe(3);
    expect(errorOf(outcome).why).toContain('Nothing listens');
    expect(space.read('remote.jsonl')).toContain('authorization');
    expect(space.read('remote.jsonl')).not.toContain(secret);
  });
});

describe('environment of a command', () => {
  test('secrets stay out of the message and the trace of a check that failed', async () => {
    const secret = 'open-sesame-98765';
    space.write('secret.json', {
      mcpServers: { mine: { command: 'node', args: ['-e', 'process.exit(1)', '--', '${MY_TOKEN}'] } },
    });
    const outcome = await space.call(['check', '--config', 'secret.json', '--trace', 'secret.jsonl'], {
      env: { MY_TOKEN: secret },
    });
    expect(outcome.code).toBe(3);
    expect(errorOf(outcome).why).toContain('ended before it answered initialize');
    expect(outcome.stderr + space.read('secret.jsonl')).not.toContain(secret);
  });

  test('--server-env-file, then --env over it; arguments behind -- are untouched; secrets stay out', async () => {
    const secret = 'sesame-open-12345';
    space.write('.env', `A=file\nB=file\nQUOTED="two words"\nMY_TOKEN=${secret}\n`);
    const run = await space.call(
      [
        ...ping,
        '--trace',
        'env.jsonl',
        '--server-env-file',
        '.env',
        '--env',
        'B=flag=with=signs',
        '--',
        'node',
        'server.mjs',
        '--json',
        '--env',
        'X=y',
        '{{port}}',
      ],
      { env: { INHERITED: 'yes' } },
    );
    expect(run.code, run.stderr).toBe(0);
    expect(seen()).toMatchObject({
      args: ['--json', '--env', 'X=y', '{{port}}'],
      env: { A: 'file', B: 'flag=with=signs', QUOTED: 'two words', MY_TOKEN: secret, INHERITED: 'yes' },
    });
    expect(run.stdout + space.read('env.jsonl')).not.toContain(secret);
  });
});

describe('--serve', () => {
  const serve = `node "${exampleServer}" http --port {{port}}`;

  test('starts a server on a free port, checks it and stops it', async () => {
    const run = await space.call([...ping, '--serve', serve, '--url', 'http://127.0.0.1:{{port}}/mcp']);
    expect(run.code, run.stderr).toBe(0);
    const report = parseReport(run.stdout, 'stdout');
    expect(report).toMatchObject({ transport: 'http', compliant: true });
    await expect(fetch(report.target.url!)).rejects.toThrow();
  });

  test('an address alone is tried as HTTP+SSE too', async () => {
    const run = await space.call([
      ...ping,
      '--serve',
      serve.replace(' http ', ' sse '),
      '--url',
      'http://127.0.0.1:{{port}}/sse',
    ]);
    expect(run.code, run.stderr).toBe(0);
    expect(parseReport(run.stdout, 'stdout').transport).toBe('sse');
  });

  test('--transport http does not fall back', async () => {
    const run = await space.call([
      'check',
      '--transport',
      'http',
      '--serve',
      serve.replace(' http ', ' sse '),
      '--url',
      'http://127.0.0.1:{{port}}/sse',
    ]);
    expect(run.code, 'it answers, though not as Streamable HTTP has it').toBe(1);
    expect(run.stdout).toContain('http/endpoint-post-and-get-path');
  });
});
