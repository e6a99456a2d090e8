/**
 * `check --role authorization-server`: a correct authorization server passes, ours and `oidc-provider`, and each fault of
 * ours is failed by the rule that names it and by no other.
 */
import { afterEach, describe, expect, test } from 'vitest';
import {
  checkAuthorizationServer,
  type AuthorizationServerOptions,
} from '../../../src/check/authorization-server/check-authorization-server.ts';
import type { RunReport } from '../../../src/core/model/reports/run-report.ts';
import type { Revision } from '../../../src/core/model/rules/requirement.ts';
import {
  startAuthorizationServer,
  type AuthorizationServerOptions as Served,
} from '../../../src/server/authorization/authorization-server.ts';
import { serverFaultList, serverFaults, type ServerFault } from '../../../src/server/authorization/server-faults.ts';
import { loadProject } from '../../support/rules.ts';
import { startOidcProvider } from '../../support/oidc-provider.ts';
import { someOf } from '../../support/run/some-of.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** The JSON at an address; undefined where there is none. */
async function fetchDocument(address: URL): Promise<unknown> {
  const text = await (await fetch(address)).text();
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function served(more: Partial<Served> = {}): Promise<string> {
  const server = await startAuthorizationServer({ resource: 'http://127.0.0.1:1/mcp', fetchDocument, ...more });
  closing.push(server.close);
  return server.issuer;
}

function check(url: string, more: Partial<AuthorizationServerOptions> = {}): Promise<RunReport> {
  return checkAuthorizationServer({
    target: { kind: 'http', url, headers: [] },
    name: 'an authorization server',
    secrets: [],
    selection: { only: [], skip: [], houseRules: [], houseRequirements: [] },
    spec: 'auto',
    timing: {},
    toolVersion: '0.0.0',
    ...more,
  });
}

function rulesOf(report: RunReport, ...statuses: string[]): string[] {
  return report.parts
    .flatMap(({ verdicts }) => verdicts)
    .filter(({ status }) => statuses.includes(status))
    .map(({ rule }) => rule)
    .sort();
}

/** The newest revision in which a rule holds. */
const { plan } = await loadProject();
const newestOf = (id: string): Revision =>
  Object.keys(plan.rules.find((rule) => rule.id === id)!.at)
    .sort()
    .at(-1)! as Revision;

describe('a correct authorization server', () => {
  test('passes every rule, and none stays undecided', async () => {
    const report = await check(await served());
    expect(rulesOf(report, 'fail')).toEqual([]);
    expect(rulesOf(report, 'not-exercised')).toEqual([]);
    expect(rulesOf(report, 'pass').length).toBeGreaterThan(10);
    expect(report.incomplete).toBeNull();
  });

  test.each(['2025-03-26', '2025-06-18', '2025-11-25'] as const)('fails nothing by %s', async (spec) => {
    const report = await check(await served(), { spec });
    expect(rulesOf(report, 'fail')).toEqual([]);
    expect(rulesOf(report, 'pass')).toContain('authorization/security-redirect-exact-match');
  });

  test('of others, which asks nobody, fails no MUST', async () => {
    const client = { id: 'ci-client', secret: 'a-secret-of-the-client-4711' };
    const provider = await startOidcProvider(client);
    closing.push(provider.close);
    const report = await check(provider.issuer, { scope: 'openid mcpc:use' });
    // It takes no metadata documents, which is a SHOULD.
    expect(rulesOf(report, 'fail')).toEqual(['authorization/cimd-server-acceptance']);
    expect(rulesOf(report, 'pass')).toEqual(
      expect.arrayContaining([
        'authorization/as-metadata-publication',
        'authorization/issuer-advertisement',
        'authorization/issuer-response-parameter',
        'authorization/oauth-version-21',
        'authorization/pkce-oidc-advertisement',
        'authorization/security-redirect-exact-match',
        'authorization/security-token-lifetime',
        'authorization/security-untrusted-redirects',
      ]),
    );
  });

  test('that shows a login page leaves codes and tokens undecided, with the reason', async () => {
    const report = await check(await served({ asksPerson: true }));
    expect(rulesOf(report, 'fail')).toEqual([]);
    expect(report.skipped).toEqual([{ what: 'codes and tokens', why: 'a login page asks for a person' }]);
    expect(rulesOf(report, 'not-exercised')).toContain('authorization/oauth-version-21');
    expect(rulesOf(report, 'pass')).toContain('authorization/security-redirect-exact-match');
  });

  test('that reaches no document of a client leaves them undecided, with the reason', async () => {
    const report = await check(await served({ fetchDocument: () => Promise.resolve(undefined) }));
    expect(rulesOf(report, 'fail')).toEqual([]);
    expect(report.skipped.map(({ what }) => what)).toEqual(['metadata documents of clients']);
    expect(rulesOf(report, 'not-exercised')).toContain('authorization/cimd-server-id-check');
  });

  test('that registers nobody is asked by the client that is given', async () => {
    const given = { clientId: 'given', method: 'client_secret_basic' as const, secret: 'a secret of it' };
    const url = await served({
      deviations: ['registration-absent'],
      clients: [{ ...given, redirectUris: ['http://127.0.0.1:4711/callback'] }],
    });
    expect((await check(url)).skipped[0]?.why).toContain('give one with --client-id');
    const report = await check(url, { client: { id: 'given', secret: given.secret }, redirectPort: 4711 });
    expect(rulesOf(report, 'fail')).not.toContain('authorization/oauth-version-21');
    expect(rulesOf(report, 'pass')).toEqual(
      expect.arrayContaining(['authorization/oauth-version-21', 'authorization/security-redirect-exact-match']),
    );
    expect(JSON.stringify(report)).not.toContain(given.secret);
  });
});

describe('a fault', () => {
  const cases = serverFaults.flatMap((fault) => serverFaultList[fault].breaks.map((rule) => ({ fault, rule })));

  test.each(someOf(cases, 4, ({ fault, rule }) => `${fault} ${rule}`))(
    '$fault is failed by $rule, and by no other',
    async ({ fault, rule }) => {
      const report = await check(await served({ deviations: [fault] }), { spec: newestOf(rule) });
      const broken: readonly string[] = serverFaultList[fault].breaks;
      expect(rulesOf(report, 'fail')).toContain(rule);
      expect(rulesOf(report, 'fail').filter((id) => !broken.includes(id))).toEqual([]);
    },
  );

  test('names rules that exist', () => {
    const ids = new Set(plan.rules.map(({ id }) => id));
    expect(cases.filter(({ rule }) => !ids.has(rule))).toEqual([]);
  });

  test('is there for every rule that an authorization server alone can break', () => {
    const broken = new Set<string>(serverFaults.flatMap((fault: ServerFault) => serverFaultList[fault].breaks));
    const own = plan.rules.filter(({ kind, role }) => kind === 'issuance' && role === 'server').map(({ id }) => id);
    expect(own.filter((id) => !broken.has(id))).toEqual([]);
  });
});

describe('what is no authorization server', () => {
  test('is no target', async () => {
    const { createServer } = await import('node:http');
    const server = createServer((_, response) => response.writeHead(404).end('Not here'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    closing.push(() => new Promise((resolve) => server.close(() => resolve())));
    await expect(check(`http://127.0.0.1:${port}`)).rejects.toMatchObject({
      stage: 'target',
      message: expect.stringContaining('is an authorization server') as string,
    });
  });
});
