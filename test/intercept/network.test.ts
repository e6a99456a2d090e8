/** `mcpc intercept` to upstreams that are reached through a proxy, by a Unix socket, or with a client certificate. */
import { createServer, request } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { afterAll, describe, expect, test } from 'vitest';
import type { RunReport } from '../../src/core/model/reports/run-report.ts';
import { Workspace } from '../cli/harness.ts';
import { createAuthority } from '../support/certificates.ts';
import { startForwardProxy } from '../support/forward-proxy.ts';
import { listening, smallMcp } from '../support/small-mcp.ts';
import { someOf } from '../support/run/some-of.ts';
import { thorough } from '../support/run/options.ts';

const space = new Workspace();
const authority = createAuthority();
afterAll(() => authority.remove());

const server = authority.sign('server', 'DNS:mcp.test,IP:127.0.0.1');
const client = authority.sign('client', 'DNS:client', 'open sesame');
/** The environment of these tests names no proxy. */
const straight = { HTTP_PROXY: '', HTTPS_PROXY: '', NO_PROXY: '', http_proxy: '', https_proxy: '', no_proxy: '' };

/** The status and body of the answer to one message. */
function post(
  url: string,
  message: object,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      {
        method: 'POST',
        agent: false,
        headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
      },
      (reply) => {
        let body = '';
        reply.setEncoding('utf8').on('data', (text: string) => (body += text));
        reply.on('end', () => resolve({ status: reply.statusCode ?? 0, body }));
      },
    );
    sent.on('error', reject);
    sent.end(JSON.stringify({ jsonrpc: '2.0', ...message }));
  });
}

interface Talk {
  /** Statuses of initialize, initialized and ping, in turn. */
  statuses: number[];
  code: number | null;
  stderr: string;
  /** Report and trace as they were written. */
  report: RunReport | undefined;
  trace: string;
}

let count = 0;

/** A handshake and a ping through `mcpc intercept`, which is ended then as by Ctrl-C. */
async function talkThrough(
  upstream: string,
  flags: readonly string[],
  env: Record<string, string> = {},
): Promise<Talk> {
  count += 1;
  const [trace, report] = [`${count}.jsonl`, `${count}.json`];
  const running = space.start(
    ['intercept', '--listen', '127.0.0.1:0', '--upstream', upstream, '--trace', trace, '--report', report, ...flags],
    { env: { ...straight, ...env } },
  );
  await running.shows(/Listening on \S+,/);
  const url = /Listening on (\S+),/.exec(running.text())![1]!;
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
  const statuses: number[] = [];
  for (const message of [
    { id: 1, method: 'initialize', params },
    { method: 'notifications/initialized' },
    { id: 2, method: 'ping' },
  ]) {
    statuses.push(
      (await post(url, message, statuses.length === 0 ? {} : { 'mcp-protocol-version': '2025-11-25' })).status,
    );
  }
  running.kill('SIGINT');
  const { code, stderr } = await running.ended;
  return {
    statuses,
    code,
    stderr,
    trace: space.read(trace),
    report: space.has(report) ? (JSON.parse(space.read(report)) as RunReport) : undefined,
  };
}

const answered = (report: RunReport | undefined): unknown =>
  report?.parts[0]!.verdicts.find(({ rule }) => rule === 'ping/answer-empty-result')?.status;

describe('a proxy', () => {
  test.runIf(thorough).each(someOf(['http', 'https'] as const, 2, (kind) => kind))(
    'of the environment is gone through to an %s upstream, and its password is nowhere',
    async (kind) => {
      const proxy = await startForwardProxy({ 'mcp.test': '127.0.0.1' }, { credentials: 'build:pr0xy/pass' });
      await listening(kind === 'http' ? createServer(smallMcp) : createTlsServer(server, smallMcp), async (port) => {
        const env = { [`${kind}_proxy`]: proxy.url.replace('//', '//build:pr0xy%2Fpass@') };
        const talk = await talkThrough(
          `${kind}://mcp.test:${port}/mcp`,
          kind === 'http' ? [] : ['--ca', authority.caFile],
          env,
        );
        expect(talk.statuses, talk.stderr).toEqual([200, 202, 200]);
        expect(talk.code, talk.stderr).toBe(0);
        expect(answered(talk.report)).toBe('pass');
        expect(proxy.asked[0]).toBe(kind === 'http' ? `POST http://mcp.test:${port}/mcp` : `CONNECT mcp.test:${port}`);
        for (const secret of ['pr0xy/pass', 'pr0xy%2Fpass', Buffer.from('build:pr0xy/pass').toString('base64')]) {
          expect(talk.stderr + talk.trace + JSON.stringify(talk.report)).not.toContain(secret);
        }
      });
      await proxy.close();
    },
  );

  test('that refuses is told to the client as what it is, and held against nobody', async () => {
    const proxy = await startForwardProxy({}, { credentials: 'build:right' });
    const { statuses, stderr, trace } = await talkThrough('http://mcp.test/mcp', [], {
      HTTP_PROXY: proxy.url.replace('//', '//build:wr0ng-one@'),
    });
    expect(statuses).toEqual([502, 502, 502]);
    expect(trace).toContain('"from":"harness"');
    expect(stderr + trace).not.toContain('wr0ng-one');
    await proxy.close();
  });

  test.runIf(thorough)('is not asked with --no-proxy', async () => {
    // A name that nobody knows: whoever asked the proxy would be told that the proxy is gone.
    const { statuses, trace } = await talkThrough('http://mcp.invalid/mcp', ['--no-proxy'], {
      HTTP_PROXY: 'http://127.0.0.1:9',
    });
    expect(statuses).toEqual([502, 502, 502]);
    expect(trace).toContain('ENOTFOUND');
    expect(trace).not.toContain('127.0.0.1:9');
  });
});

test('a Unix socket', async () => {
  await listening(
    createServer(smallMcp),
    async () => {
      const { statuses, code, report, stderr } = await talkThrough('http://mcp.example/mcp', [
        '--unix-socket',
        'upstream.sock',
      ]);
      expect(statuses, stderr).toEqual([200, 202, 200]);
      expect(code, stderr).toBe(0);
      expect(answered(report)).toBe('pass');
    },
    { path: space.path('upstream.sock') },
  );
});

test.runIf(thorough)(
  'a client certificate with an encrypted key; the passphrase is nowhere, and without the certificate clients get 502',
  async () => {
    const careful = createTlsServer(
      { ...server, ca: authority.ca, requestCert: true, rejectUnauthorized: true },
      smallMcp,
    );
    await listening(careful, async (port) => {
      const upstream = `https://127.0.0.1:${port}/mcp`;
      const without = await talkThrough(upstream, ['--ca', authority.caFile]);
      expect(without.statuses).toEqual([502, 502, 502]);
      const shown = await talkThrough(
        upstream,
        ['--ca', authority.caFile, '--cert', client.certFile, '--key', client.keyFile],
        { MCPC_KEY_PASSPHRASE: 'open sesame' },
      );
      expect(shown.statuses, shown.stderr).toEqual([200, 202, 200]);
      expect(shown.code, shown.stderr).toBe(0);
      expect(answered(shown.report)).toBe('pass');
      expect(shown.stderr + shown.trace + JSON.stringify(shown.report)).not.toContain('open sesame');
    });
  },
);
