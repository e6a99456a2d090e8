/** `--oauth`: a check logs in by itself, at authorization servers of others too, and none of its secrets is written anywhere. */
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunReport } from '../../src/core/model/reports/run-report.ts';
import { browse } from '../support/browse.ts';
import { startLeakyLogin, type LeakyLogin } from '../support/leaky-login.ts';
import { startOidcProvider, type OidcProvider } from '../support/oidc-provider.ts';
import { thorough } from '../support/run/options.ts';
import { Workspace } from './harness.ts';

const space = new Workspace();
const guarded = fileURLToPath(new URL('../support/jwt-server.mjs', import.meta.url));
const client = { id: 'ci-client', secret: 'a-secret/of the+client=4711' };
let provider: OidcProvider;
let leaky: LeakyLogin;

beforeAll(async () => {
  provider = await startOidcProvider(client);
  leaky = await startLeakyLogin();
});
afterAll(() => Promise.all([provider.close(), leaky.close()]));

function wordsOf(): string[] {
  const { issuer, jwks } = provider;
  const own = 'http://127.0.0.1:{{port}}/mcp';
  return [guarded, '--port', '{{port}}', '--issuer', issuer, '--jwks', jwks, '--audience', own];
}

function guardedLine(...more: string[]): string[] {
  return [
    ...['check', '--spec', '2025-11-25', '--only', 'authorization'],
    ...['--serve', ['node', ...wordsOf()].join(' '), '--url', 'http://127.0.0.1:{{port}}/mcp'],
    ...more,
  ];
}

describe('a server that oidc-provider protects', () => {
  test('is checked by client credentials', async () => {
    const { code, stderr, stdout } = await space.run(
      guardedLine('--oauth', 'client-credentials', '--client-id', client.id, '--client-secret-env', 'CI_SECRET'),
      { env: { CI_SECRET: client.secret } },
    );
    expect(stderr).toContain(`Logged in at ${provider.issuer}.`);
    expect(stdout).toContain('jwt-server 1.0.0');
    expect(code, stdout).toBe(0);
  });

  test('is checked by a client that it registers, whose redirects are followed', async () => {
    const { code, stderr, stdout } = await space.call(guardedLine('--oauth', 'headless'));
    expect(stderr).toContain(`Logged in at ${provider.issuer}.`);
    expect(code, stdout).toBe(0);
  });

  test.runIf(thorough)('is checked once a browser came back', async () => {
    const running = space.start(guardedLine('--oauth', 'code'));
    await running.shows(/Open this address in a browser to log in: http\S+&\S+\n/);
    const address = /to log in: (\S+)/.exec(running.text())![1]!;
    expect((await browse(address)).status).toBe(200);
    expect((await running.ended).code, running.text()).toBe(0);
  });

  const faults = [
    ['audience', 'fail'],
    ['none', 'pass'],
  ] as const;
  test.runIf(thorough).each(thorough ? faults : faults.slice(0, 1))(
    'is shown a token of another resource: with the fault %s the rule is %s',
    async (fault, status) => {
      const reply = await fetch(`${provider.issuer}/token`, {
        method: 'POST',
        headers: { authorization: `Basic ${btoa([client.id, client.secret].map(encodeURIComponent).join(':'))}` },
        body: new URLSearchParams({
          grant_type: 'client_credentials',
          resource: 'http://127.0.0.1:1/other',
          scope: 'mcpc:use',
        }),
      });
      const { access_token: foreign } = (await reply.json()) as { access_token: string };
      expect(foreign).toMatch(/^eyJ/);
      const served = ['node', ...wordsOf(), '--fault', fault].join(' ');
      const { stderr } = await space.run(
        [
          ...['check', '--spec', '2025-11-25', '--only', 'authorization', '--serve', served],
          ...['--url', 'http://127.0.0.1:{{port}}/mcp', '--oauth', 'client-credentials', '--client-id', client.id],
          ...['--client-secret-env', 'CI_SECRET', '--foreign-token-env', 'OTHER', '-o', `foreign-${fault}.json`],
        ],
        { env: { CI_SECRET: client.secret, OTHER: foreign } },
      );
      const { verdicts } = (JSON.parse(space.read(`foreign-${fault}.json`)) as RunReport).parts[0]!;
      const of = (rule: string) => verdicts.find((one) => one.rule === rule)?.status;
      expect(of('authorization/token-audience'), stderr).toBe(status);
      expect(space.read(`foreign-${fault}.json`)).not.toContain(foreign);
    },
  );

  test.runIf(thorough)('is audited in a fleet by client credentials', async () => {
    space.write('fleet.json', {
      version: 1,
      servers: {
        guarded: {
          command: 'node',
          args: wordsOf(),
          url: 'http://127.0.0.1:{{port}}/mcp',
          spec: '2025-11-25',
          oauth: { clientId: client.id, clientSecret: '${CI_SECRET}' },
        },
      },
    });
    const { code, stderr } = await space.run(
      ['fleet', 'check', 'fleet.json', '--out', 'fleet-run', '--only-rules', 'authorization'],
      { env: { CI_SECRET: client.secret } },
    );
    expect(code, stderr).toBe(0);
    const report = JSON.parse(space.read('fleet-run/servers/guarded/report.json')) as RunReport;
    expect(report.target).toMatchObject({ serverInfo: { name: 'jwt-server' } });
    expect(written('fleet-run')).not.toContain(client.secret);
  });
});

/** The text of every file below a folder of the workspace. */
function written(folder: string): string {
  return readdirSync(space.path(folder), { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map(({ name, parentPath }) => space.read(`${parentPath.slice(space.folder.length + 1)}/${name}`))
    .join('\n');
}

describe('secrets', () => {
  test.runIf(thorough)('twenty of them, said again by the server, are in nothing that is written', async () => {
    let said = '';
    space.write('out/empty', '');
    const check = async (name: string, flags: string[], how: { env?: Record<string, string>; input?: string } = {}) => {
      const outputs = ['json', 'html', 'junit.xml', 'sarif', 'md'].flatMap((ending) => ['-o', `out/${name}.${ending}`]);
      const line = ['check', '--spec', '2025-11-25', '--profile', 'quick', '--url', leaky.url];
      const outcome = await space.run([...line, ...flags, '--trace', `out/${name}.jsonl`, ...outputs], how);
      said += outcome.stdout + outcome.stderr;
      leaky.forget();
      return outcome;
    };
    const credentials = ['--oauth', 'client-credentials', '--client-id', 'ours'];
    const env = { CI_SECRET: leaky.plant('of/the+environment'), OTHER: leaky.plant('foreign') };
    const foreign = ['--foreign-token-env', 'OTHER'];
    const first = await check('env', [...credentials, '--client-secret-env', 'CI_SECRET', ...foreign], { env });
    expect(first.stderr).toContain('Logged in');
    space.write('secret.txt', `${leaky.plant('of-a-file')}\n`);
    await check('file', [...credentials, '--client-secret-file', 'secret.txt']);
    await check('stdin', [...credentials, '--client-secret-stdin'], { input: leaky.plant('of-stdin') });
    const alone = await check('headless', ['--oauth', 'headless']);
    expect(alone.stderr).toContain('Logged in');
    const refusing = ['--oauth', 'client-credentials', '--client-id', 'refused', '--client-secret-env', 'CI_SECRET'];
    const refused = await check('refused', refusing, { env: { CI_SECRET: leaky.plant('of-the-refused') } });
    expect(refused.code).toBe(3);
    expect(refused.stderr).toContain('refused the login: invalid_client');

    expect(leaky.planted.size).toBeGreaterThanOrEqual(20);
    const everything = said + written('out');
    expect(everything).toContain('You came with');
    expect(everything).toContain('Token ');
    const found = [...leaky.planted].filter(([, value]) =>
      [value, encodeURIComponent(value)].some((form) => everything.includes(form)),
    );
    expect(found).toEqual([]);
  });
});

describe('what does not go together', () => {
  const url = ['check', '--url', 'http://127.0.0.1:1/mcp'];
  test.each([
    [[...url, '--oauth', 'client-credentials', '--client-id', 'a'], 'needs a client and its secret'],
    [[...url, '--client-id', 'a'], '--client-id is for a login'],
    [[...url, '--oauth', 'code', '--token', 'abcdefgh1234'], 'another one is given'],
    [[...url, '--oauth', 'code', '--test-as'], 'both bring tokens'],
    [['check', '--oauth', 'code', '--', 'node', 'x.js'], '--oauth needs a server over HTTP'],
    [[...url, '--foreign-token-env', 'NOWHERE'], 'needs a good token as well'],
    [[...url, '--oauth', 'code', '--client-id', 'a', '--client-secret-env', 'NOWHERE'], 'There is no secret in'],
  ])('%j', async (line, message) => {
    const { code, stderr } = await space.call(line);
    expect(stderr).toContain(message);
    expect(code).toBe(2);
  });
});
