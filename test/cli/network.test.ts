/** Networks as users have them: a check through proxies, with certificates, over IPv6, Unix sockets and HTTP/2. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { createSecureServer } from 'node:http2';
import { createServer as createTlsServer } from 'node:https';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { createAuthority } from '../support/certificates.ts';
import { startForwardProxy } from '../support/forward-proxy.ts';
import { listening, smallMcp } from '../support/small-mcp.ts';
import { errorOf, Workspace } from './harness.ts';
import { someOf } from '../support/run/some-of.ts';
import { parseReport } from '../support/read-report.ts';
import { thorough } from '../support/run/options.ts';

const space = new Workspace();
const authority = createAuthority();
const server = authority.sign('server', 'DNS:mcp.test,IP:127.0.0.1,IP:::1');
const client = authority.sign('client', 'DNS:client', 'open sesame');
afterAll(() => authority.remove());

const ping = ['--spec', '2025-11-25', '--only', 'ping', '--transport', 'http'];
/** The environment of these tests names no proxy. */
const straight = { HTTP_PROXY: '', HTTPS_PROXY: '', NO_PROXY: '', http_proxy: '', https_proxy: '', no_proxy: '' };

function everything(folder: string): string {
  return readdirSync(folder, { withFileTypes: true })
    .map((entry) =>
      entry.isDirectory()
        ? everything(join(folder, entry.name))
        : entry.isFile()
          ? readFileSync(join(folder, entry.name), 'latin1')
          : '',
    )
    .join('\n');
}

describe('a proxy', () => {
  test.each(someOf(['http', 'https'] as const, 2, (kind) => kind))(
    'of the environment is gone through to an %s address, and its password is nowhere',
    async (kind) => {
      const proxy = await startForwardProxy({ 'mcp.test': '127.0.0.1' }, { credentials: 'build:pr0xy/pass' });
      const made = kind === 'http' ? createServer(smallMcp) : createTlsServer(server, smallMcp);
      await listening(made, async (port) => {
        const env = { ...straight, [`${kind}_proxy`]: proxy.url.replace('//', '//build:pr0xy%2Fpass@') };
        const { code, stdout, stderr } = await space.call(
          [
            'check',
            ...ping,
            '--url',
            `${kind}://mcp.test:${port}/mcp`,
            '--ca',
            authority.caFile,
            '--verbose',
            '--trace',
            `${kind}.jsonl`,
            '-o',
            `${kind}.html`,
            '-o',
            `${kind}.json`,
          ],
          { env },
        );
        expect(code, stderr).toBe(0);
        expect(stderr).toContain(
          `Going through the proxy ${proxy.url}, as the environment says; --no-proxy goes straight.`,
        );
        expect(proxy.asked[0]).toBe(kind === 'http' ? `POST http://mcp.test:${port}/mcp` : `CONNECT mcp.test:${port}`);
        const written = stdout + stderr + everything(space.folder);
        for (const secret of ['pr0xy/pass', 'pr0xy%2Fpass', Buffer.from('build:pr0xy/pass').toString('base64')])
          expect(written).not.toContain(secret);
      });
      await proxy.close();
    },
  );

  test('--no-proxy and NO_PROXY go straight, and so do addresses of the own machine', async () => {
    const env = { ...straight, HTTP_PROXY: 'http://127.0.0.1:9' };
    await listening(createServer(smallMcp), async (port) => {
      expect((await space.call(['check', ...ping, '--url', `http://127.0.0.1:${port}/mcp`], { env })).code).toBe(0);
    });
    // A name that nobody knows: whoever asked the proxy would be told that the proxy is gone.
    for (const [more, extra] of [
      [['--no-proxy'], {}],
      [[], { NO_PROXY: '.invalid' }],
    ] as const) {
      const { code, stderr } = await space.call(['check', ...ping, '--url', 'http://mcp.invalid/mcp', ...more], {
        env: { ...env, ...extra },
      });
      expect(code).toBe(3);
      expect(stderr).toContain('is not known');
      expect(stderr).not.toContain('proxy 127');
    }
  });

  test('that refuses, is gone, or is none: told as such, with the remedy and without its password', async () => {
    const proxy = await startForwardProxy({}, { credentials: 'build:right' });
    const url = ['--url', 'http://mcp.test/mcp'];
    const refused = await space.call(['check', ...ping, ...url], {
      env: { ...straight, HTTP_PROXY: proxy.url.replace('//', '//build:wr0ng-one@') },
    });
    expect(refused.code).toBe(3);
    expect(errorOf(refused).why).toContain('wants other credentials (status 407)');
    expect(refused.stderr).not.toContain('wr0ng-one');
    await proxy.close();
    const gone = await space.call(['check', ...ping, ...url], { env: { ...straight, HTTP_PROXY: proxy.url } });
    expect(gone.code).toBe(3);
    expect(errorOf(gone).fix).toContain('--no-proxy');
    const none = await space.call(['check', ...ping, ...url], {
      env: { ...straight, HTTP_PROXY: 'socks5://u:s0cks-word@127.0.0.1:9' },
    });
    expect(none.code).toBe(2);
    expect(none.stderr).not.toContain('s0cks-word');
  });

  test('metadata of an authorization server is asked for through it, too', async () => {
    const locked = createServer((request, response) => {
      if (request.url === '/mcp')
        return void response
          .writeHead(401, { 'www-authenticate': 'Bearer resource_metadata="http://mcp.test/meta"' })
          .end();
      response.writeHead(404).end();
    });
    const proxy = await startForwardProxy({ 'mcp.test': '127.0.0.1' });
    await listening(locked, async (port) => {
      await space.call(
        ['check', '--spec', '2025-11-25', '--transport', 'http', '--url', `http://mcp.test:${port}/mcp`],
        { env: { ...straight, HTTP_PROXY: proxy.url } },
      );
      expect(proxy.asked).toContain(`GET http://mcp.test:${port}/.well-known/oauth-protected-resource`);
    });
    await proxy.close();
  });

  test.runIf(thorough)(
    'names that this machine knows as those of an inner network are not asked for through it',
    async () => {
      space.write(
        'names.mjs',
        `
import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
dns.lookup = (name, options, done) => {
  if (name !== 'auth.inner.test') return done(Object.assign(new Error(name + ' is not known'), { code: 'ENOTFOUND' }));
  done(null, options.all ? [{ address: '10.0.0.7', family: 4 }] : '10.0.0.7', 4);
};
syncBuiltinESMExports();
`,
      );
      const proxy = await startForwardProxy(
        { 'mcp.test': '127.0.0.1' },
        { onConnect: (socket) => void socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n') },
      );
      const locked = createServer((request, response) => {
        const here = `http://${request.headers.host}`;
        if (request.url === '/meta')
          return void response.writeHead(200, { 'content-type': 'application/json' }).end(
            JSON.stringify({
              resource: `${here}/mcp`,
              authorization_servers: ['https://auth.inner.test', 'https://auth.outer.test'],
            }),
          );
        response
          .writeHead(request.url === '/mcp' ? 401 : 404, {
            'www-authenticate': `Bearer resource_metadata="${here}/meta"`,
          })
          .end();
      });
      await listening(locked, async (port) => {
        const env = {
          ...straight,
          HTTP_PROXY: proxy.url,
          HTTPS_PROXY: proxy.url,
          NODE_OPTIONS: `--import ${space.path('names.mjs')}`,
        };
        await space.run(
          ['check', '--spec', '2025-11-25', '--transport', 'http', '--url', `http://mcp.test:${port}/mcp`],
          { env },
        );
      });
      expect(proxy.asked).toContain('CONNECT auth.outer.test:443');
      expect(proxy.asked).not.toContain('CONNECT auth.inner.test:443');
      await proxy.close();
    },
  );

  test('that cuts connections makes the run incomplete, and fails no rule', async () => {
    let count = 0;
    const proxy = await startForwardProxy(
      { 'mcp.test': '127.0.0.1' },
      { onRequest: (request, response) => ((count += 1) > 4 ? request.socket.destroy() : smallMcp(request, response)) },
    );
    const { code, stdout } = await space.call(
      [
        'check',
        '--spec',
        '2025-11-25',
        '--only',
        'ping,lifecycle',
        '--transport',
        'http',
        '--url',
        'http://mcp.test/mcp',
        '--json',
      ],
      { env: { ...straight, HTTP_PROXY: proxy.url } },
    );
    expect(code).toBe(1);
    const report = parseReport(stdout);
    expect(report.incomplete).toContain('proxy');
    expect(report.verdicts.filter(({ status }) => status === 'fail')).toEqual([]);
    await proxy.close();
  });
});

describe('TLS', () => {
  test('a client certificate with an encrypted key; the passphrase is nowhere', async () => {
    const careful = createTlsServer(
      { ...server, ca: authority.ca, requestCert: true, rejectUnauthorized: true },
      smallMcp,
    );
    await listening(careful, async (port) => {
      const args = ['check', ...ping, '--url', `https://127.0.0.1:${port}/mcp`, '--ca', authority.caFile];
      const without = await space.call(args, { env: straight });
      expect(without.code).toBe(3);
      expect(errorOf(without).fix).toContain('--cert');
      const shown = [...args, '--cert', client.certFile, '--key', client.keyFile];
      const closed = await space.call(shown, { env: straight });
      expect(closed.code).toBe(2);
      expect(errorOf(closed).fix).toContain('MCPC_KEY_PASSPHRASE');
      expect((await space.call(shown, { env: { ...straight, MCPC_KEY_PASSPHRASE: 'wrong' } })).code).toBe(2);
      const { code, stdout, stderr } = await space.run([...shown, '--trace', 'mtls.jsonl'], {
        env: { ...straight, MCPC_KEY_PASSPHRASE: 'open sesame' },
      });
      expect(code, stderr).toBe(0);
      expect(stdout + stderr + space.read('mtls.jsonl')).not.toContain('open sesame');
    });
  });

  test('keys and certificates that do not belong together, and flags that have no meaning', async () => {
    const other = authority.sign('other');
    const args = ['check', ...ping, '--url', 'https://127.0.0.1:1/mcp'];
    for (const [more, says] of [
      [['--cert', other.certFile, '--key', server.keyFile], 'does not belong to the certificate'],
      [['--key', server.keyFile], '--key needs the certificate'],
      [['--cert', other.certFile], 'holds no private key'],
      [['--cert', other.keyFile], 'holds no certificate'],
      [['--ca', other.keyFile], 'holds no certificate'],
      [['--unix-socket', authority.caFile], 'is no Unix socket'],
    ] as const) {
      const outcome = await space.call([...args, ...more], { env: straight });
      expect(outcome.code).toBe(2);
      expect(errorOf(outcome).why).toContain(says);
    }
    expect((await space.call(['check', '--unix-socket', 'x', '--', 'node', 'x.js'])).stderr).toContain(
      '--unix-socket has no meaning for a server on stdio',
    );
  });

  test('--insecure warns loudly; without it a certificate of another name is told', async () => {
    const elsewhere = authority.sign('elsewhere', 'DNS:elsewhere.test');
    await listening(createTlsServer(elsewhere, smallMcp), async (port) => {
      const args = ['check', ...ping, '--url', `https://127.0.0.1:${port}/mcp`, '--ca', authority.caFile];
      const wrong = await space.call(args, { env: straight });
      expect(wrong.code).toBe(3);
      expect(errorOf(wrong).why).toContain('is for another name');
      const { code, stderr } = await space.call([...args, '--insecure', '--quiet'], { env: straight });
      expect(code).toBe(0);
      expect(stderr).toContain('WARNING: certificates are NOT checked (--insecure)');
    });
  });

  test('a server of HTTP/2 alone is checked, and nothing is held against it', async () => {
    await listening(createSecureServer(server, smallMcp), async (port) => {
      // What the version of HTTP could have a part in.
      const check = [
        'check',
        '--spec',
        '2025-11-25',
        '--only',
        'http,session,lifecycle,errors,ping',
        '--transport',
        'http',
        '--ca',
        authority.caFile,
        '--json',
      ];
      const { code, stdout, stderr } = await space.call(
        [...check, '--url', `https://127.0.0.1:${port}/mcp`, '--trace', 'h2.jsonl'],
        { env: straight },
      );
      const overHttp1 = await listening(createTlsServer(server, smallMcp), (other) =>
        space.call([...check, '--url', `https://127.0.0.1:${other}/mcp`], { env: straight }),
      );
      const failing = (text: string) =>
        parseReport(text)
          .verdicts.filter(({ status }) => status === 'fail' || status === 'error')
          .map(({ rule }) => rule);
      expect(failing(stdout)).toEqual(failing(overHttp1.stdout));
      expect(code, stderr).toBe(overHttp1.code);
      expect(space.read('h2.jsonl')).toContain('"version":"2"');
      const judged = await space.call(['judge', 'h2.jsonl', '--only', 'http,session,lifecycle,errors,ping', '--json']);
      expect(failing(judged.stdout)).toEqual(failing(stdout));
    });
  });
});

describe('addresses', () => {
  test('IPv6', async () => {
    await listening(
      createServer(smallMcp),
      async (port) => {
        const { code, stderr } = await space.call(['check', ...ping, '--url', `http://[::1]:${port}/mcp`], {
          env: straight,
        });
        expect(code, stderr).toBe(0);
      },
      { host: '::1' },
    );
  });

  test.runIf(thorough)('a Unix socket of a server that runs, of one that mcpc starts, and of a fleet', async () => {
    const socket = space.path('mcp.sock');
    await listening(
      createServer(smallMcp),
      async () => {
        const { code, stderr } = await space.call(
          ['check', ...ping, '--url', 'http://mcp.example/mcp', '--unix-socket', 'mcp.sock'],
          { env: straight },
        );
        expect(code, stderr).toBe(0);
        // As VS Code names it: the same for a check, and in a file that a fleet includes.
        const address = `unix://${space.path('mcp.sock')}#/mcp`;
        space.write('sockets.json', { servers: { near: { type: 'http', url: address } } });
        for (const target of [
          ['--url', address],
          ['--config', 'sockets.json'],
        ]) {
          const named = await space.call(['check', ...ping, ...target], { env: straight });
          expect(named.code, named.stderr).toBe(0);
        }
        space.write('sockets.yaml', { version: 1, include: ['sockets.json'], servers: { own: { url: address } } });
        const listed = await space.call(['fleet', 'list', 'sockets.yaml', '--json']);
        const { servers } = JSON.parse(listed.stdout) as { servers: { reach: object }[] };
        const reach = { kind: 'url', url: 'http://localhost/mcp', unixSocket: space.path('mcp.sock') };
        expect(servers.map((one) => one.reach)).toEqual([reach, reach]);
        space.write(
          'fleet.yaml',
          JSON.stringify({
            version: 1,
            servers: {
              near: {
                url: 'http://mcp.example/mcp',
                transport: 'http',
                spec: '2025-11-25',
                unixSocket: '${SOCKET_FOLDER}/mcp.sock',
              },
            },
          }),
        );
        const fleet = await space.call(['fleet', 'check', 'fleet.yaml', '--only-rules', 'ping', '--out', 'run'], {
          env: { ...straight, SOCKET_FOLDER: '.' },
        });
        expect(fleet.code, fleet.stderr).toBe(0);
        for (const file of [
          'run/servers/near/report.json',
          'run/servers/near/trace.jsonl',
          'run/servers/near/index.html',
        ])
          expect((statSync(space.path(file)).mode & 0o777).toString(8)).toBe('600');
      },
      { path: socket },
    );
    space.write(
      'serve.mjs',
      `import { createServer } from 'node:http';\ncreateServer((request, response) => { let text = ''; request.on('data', (part) => (text += part)); request.on('end', () => {\n  if (request.method !== 'POST') return response.writeHead(405).end();\n  const { id, method } = JSON.parse(text);\n  if (id === undefined) return response.writeHead(202).end();\n  const result = method === 'initialize' ? { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 's', version: '1' } } : {};\n  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', id, result }));\n}); }).listen('started.sock');\n`,
    );
    const served = await space.call(
      ['check', ...ping, '--serve', 'node serve.mjs', '--url', 'http://localhost/mcp', '--unix-socket', 'started.sock'],
      { env: straight },
    );
    expect(served.code, served.stderr).toBe(0);
  });
});

test('a fleet has the same members, and warns of the one that checks no certificate', async () => {
  await listening(
    createTlsServer({ ...server, ca: authority.ca, requestCert: true, rejectUnauthorized: true }, smallMcp),
    async (port) => {
      const near = {
        url: `https://127.0.0.1:${port}/mcp`,
        transport: 'http',
        spec: '2025-11-25',
        cert: client.certFile,
        key: client.keyFile,
        keyPassphrase: '${KEY_WORD}',
      };
      space.write(
        'tls.yaml',
        JSON.stringify({
          version: 1,
          defaults: { noProxy: true },
          servers: { near: { ...near, ca: authority.caFile }, open: { ...near, insecure: true } },
        }),
      );
      const { code, stderr } = await space.call(
        ['fleet', 'check', 'tls.yaml', '--only-rules', 'ping', '--jobs', '1', '--out', 'tls'],
        { env: { ...straight, HTTPS_PROXY: 'http://127.0.0.1:9', KEY_WORD: 'open sesame' } },
      );
      expect(code, stderr).toBe(0);
      expect(stderr).toContain('server "open": certificates are NOT checked');
      expect(everything(space.path('tls'))).not.toContain('open sesame');
    },
  );
  space.write('odd.yaml', JSON.stringify({ version: 1, servers: { odd: { command: 'node', unixSocket: 'x' } } }));
  const odd = await space.call(['fleet', 'list', 'odd.yaml']);
  expect(odd.code).toBe(2);
  expect(odd.stderr).toContain('"unixSocket" and "noProxy" need a "url"');
});
