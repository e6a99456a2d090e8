/**
 * `mcpc intercept --rewrite-authorization`: real clients log in through the proxy, at servers that trust the test
 * authorization server or `oidc-provider`. The trace has both legs without a secret, and shows what was changed.
 */
import { expect, describe, onTestFinished, test } from 'vitest';
import type { RunReport } from '../../src/core/model/reports/run-report.ts';
import type { TraceEvent } from '../../src/core/model/trace.ts';
import { Workspace } from '../cli/harness.ts';
import { issuers, startProtected } from '../support/protected-server.ts';
import { someOf } from '../support/run/some-of.ts';
import { logIn, sdks } from '../support/sdk-login.ts';

const space = new Workspace();
let count = 0;

/** Starts the proxy; `stop` ends it as Ctrl-C does. */
async function intercept(upstream: string) {
  const trace = `login-${(count += 1)}.jsonl`;
  const running = space.start([
    ...['intercept', '--upstream', upstream, '--rewrite-authorization', '--trace', space.path(trace)],
  ]);
  onTestFinished(async () => {
    running.kill('SIGINT');
    await running.ended;
  });
  await running.shows(/Listening on \S+,/);
  return {
    url: /Listening on (\S+),/.exec(running.text())![1]!,
    async stop() {
      running.kill('SIGINT');
      const { code, stderr } = await running.ended;
      const lines = space.read(trace).split('\n').filter(Boolean);
      return {
        ...{ code, stderr, text: lines.join('\n'), file: space.path(trace) },
        events: lines.slice(1, -1).map((line) => JSON.parse(line) as TraceEvent),
      };
    },
  };
}

/** Each text of at least eight characters that a client was given in confidence. */
function secretsIn(kept: Map<string, unknown>): string[] {
  const { client_secret, registration_access_token } = (kept.get('client') ?? {}) as Record<string, string>;
  const { access_token, id_token, refresh_token } = (kept.get('tokens') ?? {}) as Record<string, string>;
  const all = [client_secret, registration_access_token, access_token, id_token, refresh_token];
  return [...all, kept.get('code'), kept.get('verifier')].filter((one): one is string => typeof one === 'string');
}

const cases = Object.keys(issuers).flatMap((issuer) => sdks.map((client) => ({ issuer, client })));

/** Rules about clients that the trace of a whole login decides. */
const decided = [
  'authorization/prm-client-use',
  'authorization/pkce-use',
  'authorization/pkce-s256-method',
  'authorization/resource-both-requests',
  'authorization/token-bearer-header',
  'authorization/security-state-parameter',
];

describe.each(someOf(cases, 2, ({ client, issuer }) => `${client} ${issuer}`))(
  '$client at $issuer',
  ({ client, issuer }) => {
    test('logs in through the proxy', async () => {
      const { issuer: behind, resource } = await startProtected(issuers[issuer]!);
      const proxy = await intercept(resource);
      const { kept, name } = await logIn(client, proxy.url, { authentication: 'client_secret_basic' });
      expect(name).toBe('jwt-server');
      const { events, file, stderr, text } = await proxy.stop();
      expect(stderr).toContain(`Relaying the authorization server ${behind.issuer} at http://127.0.0.1:`);

      const secrets = secretsIn(kept);
      expect(secrets.length).toBeGreaterThanOrEqual(4);
      for (const secret of secrets) expect(text).not.toContain(secret);

      // Nothing leads past the proxy but what a mark shows.
      const marks = events.flatMap(({ http }) => (http?.rewritten === undefined ? [] : [http.rewritten]));
      expect(Object.assign({}, ...marks)).toMatchObject({
        'www-authenticate.resource_metadata': `${new URL(resource).origin}/.well-known/oauth-protected-resource/mcp`,
        resource,
        issuer: behind.issuer,
        'authorization_servers[0]': behind.issuer,
        'query.resource': resource,
        'form.resource': resource,
      });
      const unmarked = events.map(({ http, ...event }) => ({ ...event, http: { ...http, rewritten: undefined } }));
      expect(JSON.stringify(unmarked)).not.toContain(behind.issuer);
      expect(JSON.stringify(unmarked)).not.toContain(new URL(resource).host);

      const report = JSON.parse((await space.call(['judge', '--role', 'both', '--json', file])).stdout) as RunReport;
      const verdicts = report.parts[0]!.verdicts;
      expect(verdicts.filter(({ status }) => status === 'error')).toEqual([]);
      const passed = verdicts.filter(({ status }) => status === 'pass').map(({ rule }) => rule);
      expect(decided.filter((rule) => !passed.includes(rule))).toEqual([]);
      const broken = verdicts.filter(({ level, status }) => status === 'fail' && level.startsWith('MUST'));
      expect(broken.map(({ rule }) => rule)).toEqual([]);
    });
  },
);
