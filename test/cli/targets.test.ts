/** Targets that cannot be checked: each ends with code 3, one screen that says why, and nothing left running. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createServer as createTcpServer } from 'node:net';
import type { Server, Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { errorOf, exampleServer, Workspace } from './harness.ts';
import { dies, floods, silent } from './servers.ts';
import { someOf } from '../support/run/some-of.ts';
import { viewOf } from '../../src/report/check/view-model.ts';
import { newKey } from '../support/certificates.ts';
import { parseReport } from '../support/read-report.ts';
import { thorough } from '../support/run/options.ts';

const space = new Workspace();

async function failing(args: string[]) {
  const outcome = await space.call(['check', ...args]);
  expect(outcome.code, outcome.stderr).toBe(3);
  const told = errorOf(outcome);
  expect(told.heading).toBe('The target could not be checked');
  return { ...told, stderr: outcome.stderr };
}

describe('on stdio', () => {
  test('a command that does not exist', async () => {
    expect((await failing(['--', 'no-such-command-of-mcpc-tests'])).why).toBe(
      'The command no-such-command-of-mcpc-tests was not found.',
    );
  });

  test('a folder that does not exist', async () => {
    expect((await failing(['--cwd', 'nowhere', '--', 'node', 'x.js'])).why).toContain('The folder nowhere');
  });

  test('a file that may not be executed', async () => {
    expect((await failing(['--', space.write('plain.txt', 'hello')])).why).toContain('may not be executed');
  });

  test('a server that dies: its last words are shown', async () => {
    space.write('dies.mjs', dies);
    const told = await failing(['--', 'node', 'dies.mjs']);
    expect(told.why).toBe('"node dies.mjs" ended before it answered initialize.');
    expect(told.stderr).toContain('stderr cannot find my configuration');
  });

  test('a server that dies of an error: the line that names it is shown, not the end of the stack', async () => {
    space.write(
      'throws.mjs',
      "console.error('starting');\nawait new Promise((resolve) => setImmediate(resolve));\nconst deep = (n) => { if (n === 0) throw new TypeError('no port is configured'); deep(n - 1); };\ndeep(9);\n",
    );
    const { stderr } = await failing(['--', 'node', 'throws.mjs']);
    expect(stderr).toMatch(/stderr TypeError: no port is configured\n/);
    expect(stderr).not.toContain('Node.js v');
  });

  test('a server that never answers', async () => {
    space.write('silent.mjs', silent);
    const told = await failing(['--start-timeout', '500ms', '--', 'node', 'silent.mjs']);
    expect(told.why).toBe('"node silent.mjs" did not answer initialize in time.');
    expect(told.fix).toContain('--start-timeout');
  });

  test('a server that floods stdout', async () => {
    space.write('floods.mjs', floods);
    expect((await failing(['--start-timeout', '1s', '--', 'node', 'floods.mjs'])).why).toMatch(
      /did not answer initialize in time\. Its stdout holds \d+ lines that are no messages, first: "noise noise noise"/,
    );
  });

  test.runIf(thorough)('a revision that the server does not speak', async () => {
    const server = ['--spec', '2025-11-25', '--', 'node', exampleServer, 'stdio', '--revisions', '2024-11-05'];
    // It was reached, and answered as it should: what cannot be judged is not exercised.
    const { code, stdout } = await space.call(['check', '--json', ...server]);
    expect(code).toBe(1);
    const report = parseReport(stdout);
    expect(report).toMatchObject({
      revision: '2025-11-25',
      incomplete: 'the server speaks 2024-11-05, not 2025-11-25: use --spec 2024-11-05, or --spec auto',
      target: { speaks: '2024-11-05' },
    });
    expect(viewOf(report)).toMatchObject({ headline: 'Speaks 2024-11-05', headlineTone: 'open' });
    const statuses = Object.fromEntries(report.verdicts.map(({ rule, status }) => [rule, status]));
    expect(statuses['versioning/initialize-server-alternative']).toBe('pass');
    expect(report.verdicts.filter(({ status }) => status === 'fail')).toEqual([]);
    expect(statuses['tools/list-result-schema']).toBe('not-exercised');
    // A plan has nothing to show for it.
    const told = await failing(['--plan', ...server]);
    expect(told.why).toBe('The server does not speak revision 2025-11-25: it answers with 2024-11-05.');
    expect(told.fix).toContain('--spec 2024-11-05');
  });

  test('text of the server cannot steer the terminal', async () => {
    space.write('escape.mjs', "process.stderr.write('\\u001b[2J\\u001b]0;owned\\u0007gone\\n'); process.exit(1);\n");
    const { stderr } = await failing(['--', 'node', 'escape.mjs']);
    expect(stderr).toContain('gone');
    // eslint-disable-next-line no-control-regex
    expect(stderr).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
  });
});

describe('over HTTP', () => {
  const servers: Server[] = [];
  const sockets = new Set<Socket>();
  const listen = (server: Server): Promise<number> =>
    new Promise((resolve) => {
      servers.push(server);
      server.on('connection', (socket) => void sockets.add(socket));
      server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
    });
  const page: RequestListener = (_request, response) =>
    void response.setHeader('content-type', 'text/html').end('<html>hello</html>');
  let certificate: { key: string; cert: string };

  beforeAll(() => {
    execFileSync(
      'openssl',
      [
        'req',
        '-x509',
        ...newKey,
        '-nodes',
        '-keyout',
        space.path('key.pem'),
        '-out',
        space.path('cert.pem'),
        '-days',
        '2',
        '-subj',
        '/CN=localhost',
        '-addext',
        'subjectAltName=DNS:localhost,IP:127.0.0.1',
      ],
      { stdio: 'ignore' },
    );
    certificate = {
      key: readFileSync(space.path('key.pem'), 'utf8'),
      cert: readFileSync(space.path('cert.pem'), 'utf8'),
    };
  });
  afterAll(() => {
    for (const server of servers) server.close();
    for (const socket of sockets) socket.destroy();
  });

  test('a port with no server', async () => {
    const port = await listen(createTcpServer());
    await new Promise((done) => servers.pop()!.close(done));
    expect((await failing([`http://127.0.0.1:${port}/mcp`])).why).toBe(
      `Nothing listens at http://127.0.0.1:${port}/mcp.`,
    );
  });

  test('a server that speaks HTTP but not MCP', async () => {
    const port = await listen(createServer(page));
    const told = await failing([`http://127.0.0.1:${port}/`]);
    expect(told.why).toMatch(/speaks HTTP, but not MCP.*<html>hello/);
    expect(told.fix).toMatch(/Is this the endpoint\?.* none answers at \/mcp or \/sse/);
  });

  test.each([
    [404, /status 404/, /Is this the endpoint/],
    [403, /wants credentials/, /--token.*--header/],
  ])('a server that answers %i', async (status, why, fix) => {
    const port = await listen(createServer((_request, response) => void response.writeHead(status).end('no')));
    const told = await failing([`http://127.0.0.1:${port}/mcp`]);
    expect(told.why).toMatch(why);
    expect(told.fix).toMatch(fix);
  });

  test('a server that answers 500 to everything', async () => {
    const port = await listen(createServer((_request, response) => void response.writeHead(500).end('no')));
    const told = await failing([`http://127.0.0.1:${port}/mcp`]);
    expect(told.why).toContain('answered initialize with HTTP status 500');
    expect(told.fix).toContain('Its log should say why.');
  });

  // A 503 asks for patience, which takes a minute and a half.
  test.each([502, 504])('a gateway before nobody, which answers %i', async (status) => {
    const port = await listen(
      createServer((_request, response) => void response.writeHead(status, { 'retry-after': '0' }).end('no')),
    );
    expect((await failing([`http://127.0.0.1:${port}/mcp`])).why).toMatch(/HTTP status 50[24]/);
  });

  test('a server that answers 401 is judged by what it shows', async () => {
    const port = await listen(createServer((_request, response) => void response.writeHead(401).end('no')));
    const { code, stderr } = await space.call(['check', '--json', `http://127.0.0.1:${port}/mcp`]);
    expect(code).toBe(1);
    expect(stderr).toContain('give it a token with --token');
  });

  test('a server that does not speak HTTP', async () => {
    const port = await listen(
      createTcpServer((socket) => void socket.on('error', () => {}).end('220 mail.example ready\r\n')),
    );
    expect((await failing([`http://127.0.0.1:${port}/mcp`])).why).toContain('does not speak HTTP');
  });

  test('a server that never answers', async () => {
    const port = await listen(createServer(() => {}));
    expect(
      (await failing(['--start-timeout', '500ms', '--transport', 'http', `http://127.0.0.1:${port}/mcp`])).why,
    ).toContain('did not answer initialize in time');
  });

  test('a page where an HTTP+SSE stream is due', async () => {
    const port = await listen(createServer(page));
    const told = await failing(['--transport', 'sse', `http://127.0.0.1:${port}/sse`]);
    expect(told.why).toContain('gives no HTTP+SSE event stream');
  });

  test('a certificate that nobody vouches for, until --ca or --insecure', async () => {
    const port = await listen(createTlsServer(certificate, page));
    const url = `https://127.0.0.1:${port}/mcp`;
    const told = await failing([url]);
    expect(told.why).toContain('is not trusted');
    expect(told.fix).toContain('--ca');
    // Both get past TLS, to the page that is no MCP server.
    expect((await failing(['--ca', 'cert.pem', url])).why).toContain('speaks HTTP, but not MCP');
    expect((await failing(['--insecure', url])).why).toContain('speaks HTTP, but not MCP');
  });

  test('https where the server speaks http', async () => {
    const port = await listen(createServer(page));
    const told = await failing([`https://127.0.0.1:${port}/mcp`]);
    expect(told.why).toMatch(/^No TLS connection to https:\S+ could be made \(wrong version number\)\.$/);
    expect(told.fix).toContain('http://');
  });
});

describe('with --serve', () => {
  test('a command that ends at once', async () => {
    space.write('dies.mjs', dies);
    const told = await failing(['--serve', 'node dies.mjs {{port}}', '--url', 'http://127.0.0.1:{{port}}/mcp']);
    expect(told.why).toMatch(/ended before it listened on port \d+/);
    expect(told.stderr).toContain('cannot find my configuration');
  });

  test('a command that never listens', async () => {
    space.write('silent.mjs', silent);
    const told = await failing([
      '--start-timeout',
      '500ms',
      '--serve',
      'node silent.mjs {{port}}',
      '--url',
      'http://127.0.0.1:{{port}}/mcp',
    ]);
    expect(told.why).toMatch(/did not listen on port \d+ within 500 ms/);
  });
});

describe('files', () => {
  test.each(
    someOf<[string, string[], RegExp]>(
      [
        [
          'a missing configuration',
          ['check', '--config', 'none.json'],
          /Cannot read the configuration none\.json: no such file or directory/,
        ],
        [
          'missing certificates',
          ['check', '--ca', 'none.pem', 'https://127.0.0.1:1/'],
          /Cannot read the file none\.pem of --ca/,
        ],
        ['a missing baseline', ['check', '--baseline', 'none.json', '--', 'x'], /Cannot read the baseline none\.json/],
        ['missing templates', ['check', '--templates', 'none', '--', 'x'], /no templates folder none/],
        ['a missing rule file', ['check', '--rules', 'none.json', '--', 'x'], /none\.json: no such file or directory/],
        ['a glob that fits nothing', ['check', '--rules', 'none/**/*.json', '--', 'x'], /no rule file matches/],
        [
          'missing requirements',
          ['rules', 'lint', 'a.json', '--requirements', 'none.md'],
          /Cannot read the requirement file none\.md/,
        ],
        ['a missing trace', ['judge', 'none.jsonl'], /none\.jsonl cannot be read: no such file or directory/],
        ['a missing report', ['report', 'none.json'], /Cannot read the report none\.json/],
        ['a folder as output', ['check', '-f', 'html', '-o', '.', '--', 'x'], /it is a folder/],
      ],
      3,
      ([title]) => title,
    ),
  )('%s', async (_title, args, why) => {
    const outcome = await space.call(args);
    expect(outcome.code, outcome.stderr).toBe(2);
    expect(errorOf(outcome).why).toMatch(why);
  });

  test('a missing environment file', async () => {
    const outcome = await space.call(['check', '--server-env-file', 'none.env', '--', 'x']);
    expect(outcome.code).toBe(2);
    expect(errorOf(outcome).why).toContain('none.env');
  });

  test('the name that Node takes for itself is refused, with the one to use', async () => {
    space.write('own.env', 'A=b\n');
    const outcome = await space.run(['check', '--env-file', 'own.env', '--', 'x']);
    expect(outcome.code).toBe(2);
    expect(errorOf(outcome)).toMatchObject({
      why: expect.stringContaining('--env-file'),
      fix: expect.stringContaining('--server-env-file'),
    });
  });

  test.each([
    ['not json', 'is not JSON'],
    ['{"format":"other"}', 'no report of mcpc'],
  ])('a report that is none: %s', async (text, why) => {
    const outcome = await space.call(['report', space.write('wrong.json', text)]);
    expect(outcome.code).toBe(2);
    expect(errorOf(outcome).why).toContain(why);
  });

  test('a trace that is none', async () => {
    const outcome = await space.call(['judge', space.write('wrong.jsonl', 'hello\nworld\n')]);
    expect(outcome.code).toBe(2);
    expect(errorOf(outcome).why).toContain('wrong.jsonl');
  });

  test('a baseline that is none', async () => {
    const outcome = await space.call([
      'check',
      '--baseline',
      space.write('wrong.json', '{"format":"mcpc-baseline"}'),
      '--',
      'x',
    ]);
    expect(outcome.code).toBe(2);
    expect(errorOf(outcome).why).toContain('"version" must be 1');
  });
});
