/** What a user gets for a mistake, word for word: heading, why, the server's own words, fix and exit code. mistakes.json has the table. */
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { createServer as createTcpServer, type AddressInfo, type Server as TcpServer, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAuthority, type Authority } from '../support/certificates.ts';
import { someOf } from '../support/run/some-of.ts';
import { exampleServer, Workspace } from './harness.ts';
import mistakes from './mistakes.json' with { type: 'json' };
import { dies, silent } from './servers.ts';

interface Mistake {
  /** With {{NAME}} for the port of a server below, and {{EXAMPLE}} for the file of the example server. */
  words: string[];
  code: number;
  heading: string;
  /** An ellipsis at the end stands for what the system says. */
  why?: string;
  stderr?: string;
  fix?: string;
}

const space = new Workspace();
const servers: (Server | TcpServer)[] = [];
const sockets = new Set<Socket>();
const ports: Record<string, number> = {};
let authority: Authority;

async function listen(name: string, server: Server | TcpServer): Promise<void> {
  servers.push(server);
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => {});
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  ports[name] = (server.address() as AddressInfo).port;
}

const says =
  (status: number, headers: Record<string, string> = {}): RequestListener =>
  (_request, response) =>
    void response.writeHead(status, headers).end('no');

beforeAll(async () => {
  authority = createAuthority();
  await listen('MISSING', createServer(says(404)));
  await listen('FORBIDDEN', createServer(says(403)));
  await listen('MOVED', createServer(says(302, { location: '/mcp/v2' })));
  await listen('GATEWAY', createServer(says(502, { 'retry-after': '0' })));
  await listen('PAGE', createServer(says(200)));
  await listen(
    'SILENT',
    createServer(() => {}),
  );
  await listen(
    'MAIL',
    createTcpServer((socket) => void socket.end('220 mail.example ready\r\n')),
  );
  await listen('TLS', createTlsServer(authority.sign('127.0.0.1', 'IP:127.0.0.1'), says(200)));
  await listen('CLOSED', createTcpServer());
  await new Promise((done) => servers.pop()!.close(done));

  space.write('theirs.html', 'theirs\n');
  space.write('package.json', { name: 'x', version: '1' });
  space.write('hints.yaml', 'tools:\n  echo: arguments: {a: 1}\n');
  space.write('typo.yaml', 'tols: {}\n');
  space.write('client.json', { mcpServers: { one: { command: 'node' }, two: { command: 'x' } } });
  space.write('comma.json', '{\n  "mcpServers": {,}\n}');
  space.write('hello.jsonl', 'hello\nworld\n');
  space.write('fleet.yaml', 'version: 1\nserver: {}\n');
  space.write('plain.txt', 'hello');
  space.write('dies.mjs', dies);
  space.write('silent.mjs', silent);
  space.write(
    'throws.mjs',
    "console.error('starting');\nawait new Promise((resolve) => setImmediate(resolve));\nconst deep = (n) => { if (n === 0) throw new TypeError('no port is configured'); deep(n - 1); };\ndeep(9);\n",
  );
});

afterAll(() => {
  authority.remove();
  for (const server of servers) server.close();
  for (const socket of sockets) socket.destroy();
});

function filled(text: string): string {
  return text.replace(/\{\{([A-Z]+)\}\}/g, (_, name: string) =>
    name === 'EXAMPLE' ? exampleServer : String(ports[name]),
  );
}

test.each(
  someOf<Mistake>(mistakes, 4, ({ words }) => words.join(' ')).map((one) => [one.words.join(' '), one] as const),
)('mcpc %s', async (_title, { words, code, heading, why, stderr: said, fix }) => {
  const { code: ended, stdout, stderr } = await space.call(words.map(filled));
  const lines = (name: string, text: string | undefined): string =>
    text === undefined ? '' : `  ${name.padEnd(6)} ${filled(text)}\n`;
  const cut = why?.endsWith('…') === true ? why.slice(0, -1) : undefined;
  const expected = `✖ ${filled(heading)}\n${lines('why', cut ?? why)}`;
  const rest = `${lines('stderr', said)}${lines('fix', fix)}`;
  if (cut === undefined) expect(stderr).toBe(`${expected}${rest}`);
  else {
    expect(stderr.startsWith(expected.trimEnd()), stderr).toBe(true);
    expect(stderr.endsWith(rest), stderr).toBe(true);
  }
  expect({ ended, stdout }).toEqual({ ended: code, stdout: '' });
});

test('the table has the mistakes that people make', () => {
  expect(mistakes.length).toBeGreaterThan(65);
});
