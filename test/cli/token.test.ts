/** A server that wants tokens, checked with a good one, a wrong one and none; and that a token is never written anywhere. */
import { describe, expect, test } from 'vitest';
import type { RunReport } from '../../src/core/model/reports/run-report.ts';
import { goodToken } from '../../src/server/session/guard.ts';
import { loadProject } from '../support/rules.ts';
import { errorOf, exampleServer, Workspace } from './harness.ts';

const space = new Workspace();
const serve = [
  '--serve',
  `node ${exampleServer} http --port {{port}} --guard framework`,
  '--url',
  'http://127.0.0.1:{{port}}/mcp',
];
const narrow = ['--only', 'authorization,ping'];
const issuance = new Set((await loadProject()).plan.rules.flatMap(({ id, kind }) => (kind === 'issuance' ? [id] : [])));

function authorizationOf(report: RunReport): Record<string, string> {
  return Object.fromEntries(
    report.parts[0]!.verdicts.filter(({ area }) => area === 'authorization').map(({ rule, status }) => [
      rule.replace('authorization/', ''),
      status,
    ]),
  );
}

describe('with a token', () => {
  test('a guarded server passes, and the token is in no file', async () => {
    const files = ['trace.jsonl', 'report.json', 'report.html', 'report.md', 'report.xml'];
    const formats = [
      '-f',
      'json',
      '-o',
      'report.json',
      '-f',
      'html',
      '-o',
      'report.html',
      '-f',
      'markdown',
      '-o',
      'report.md',
      '-f',
      'junit',
      '-o',
      'report.xml',
    ];
    const outcome = await space.call([
      'check',
      '--token',
      goodToken,
      '--spec',
      '2025-11-25',
      ...narrow,
      '--trace',
      'trace.jsonl',
      '--verbose',
      ...formats,
      ...serve,
    ]);
    expect(outcome.code, outcome.stderr).toBe(0);
    for (const text of [...files.map((name) => space.read(name)), outcome.stdout, outcome.stderr])
      expect(text).not.toContain(goodToken);
    const report = JSON.parse(space.read('report.json')) as RunReport;
    expect(report.incomplete).toBeNull();
    // Of the tools only one needs more than the token grants, which these few rules do not call. A token that nobody
    // signed is refused without a word about its audience, which proves nothing about that.
    // The others need tokens that mcpc itself issues (--test-as).
    const { 'step-up-insufficient-scope-403': _stepUp, ...others } = authorizationOf(report);
    const {
      'token-audience': audience,
      'token-validation': validation,
      'resource-uppercase-acceptance': letters,
      'step-up-challenged-scopes': challenged,
      ...rest
    } = others;
    expect([audience, validation, letters, challenged]).toEqual(Array.from({ length: 4 }, () => 'not-exercised'));
    // Rules about the authorization server itself need a check of that.
    const ofServer = Object.entries(rest).filter(([rule]) => !issuance.has(`authorization/${rule}`));
    expect(ofServer.filter(([, status]) => status !== 'pass')).toEqual([]);
    expect(ofServer.length).toBeGreaterThan(5);
    // What was made up is no secret: verdicts speak of it.
    expect(space.read('trace.jsonl')).toContain('Bearer mcpc-made-up-token');
  });

  test('the saved trace gives the same verdicts', async () => {
    const { code, stdout } = await space.call(['judge', 'trace.jsonl', ...narrow, '--json']);
    expect(code).toBe(0);
    const live = JSON.parse(space.read('report.json')) as RunReport;
    expect(authorizationOf(JSON.parse(stdout) as RunReport)).toEqual(authorizationOf(live));
  });

  test.each([
    ['alone', goodToken],
    ['with its scheme', `Bearer ${goodToken}`],
  ])('it may come from the environment, %s', async (_how, token) => {
    const { code, stdout, stderr } = await space.call(['check', '--json', ...narrow, ...serve], {
      env: { MCPC_TOKEN: token },
    });
    expect(code, stderr).toBe(0);
    expect(stdout + stderr).not.toContain(goodToken);
    expect((JSON.parse(stdout) as RunReport).incomplete).toBeNull();
  });

  test('--keep-secrets keeps it', async () => {
    const { code } = await space.call([
      'check',
      '--token',
      goodToken,
      '--keep-secrets',
      '--trace',
      'open.jsonl',
      ...narrow,
      ...serve,
    ]);
    expect(code).toBe(0);
    expect(space.read('open.jsonl')).toContain(`Bearer ${goodToken}`);
  });
});

describe('without a good token', () => {
  test.each([
    ['none', [], 'the server wants credentials (HTTP 401): give it a token with --token'],
    ['a wrong one', ['--token', 'not-the-token-4711'], 'the server refuses the credentials given (HTTP 401)'],
  ])('%s: the authorization is judged, and the rest is told to be open', async (_which, flags, why) => {
    const { code, stdout, stderr } = await space.call(['check', ...flags, '--json', '--spec', '2025-11-25', ...serve]);
    expect(code, stderr).toBe(1);
    expect(stderr).toContain('Exit 1: The run is incomplete: the server');
    expect(stdout).not.toContain('not-the-token-4711');
    const report = JSON.parse(stdout) as RunReport;
    expect(report.incomplete).toBe(why);
    expect(authorizationOf(report)).toMatchObject({
      'prm-publication': 'pass',
      'token-invalid-401': 'pass',
      'as-metadata-publication': 'pass',
    });
    expect(
      report.parts[0]!.verdicts.filter(({ area, status }) => area !== 'authorization' && status === 'fail'),
    ).toEqual([]);
    expect(report.parts[0]!.verdicts.find(({ rule }) => rule === 'ping/answer-empty-result')?.status).toBe(
      'not-exercised',
    );
  });
});

describe('wrong usage', () => {
  test.each([
    [['--token', 'a', '--header', 'Authorization: Bearer b', 'http://127.0.0.1:1/mcp'], /given twice/],
    [['--token', 'two words', 'http://127.0.0.1:1/mcp'], /--token is no token/],
    [['--token', '', 'http://127.0.0.1:1/mcp'], /--token is no token/],
    [['--token', 'a', '--', 'node', 'x.js'], /--token has no meaning/],
    [['--auth-server', 'auth', 'http://127.0.0.1:1/mcp'], /no http or https address/],
  ])('%j', async (args, why) => {
    const outcome = await space.call(['check', ...args]);
    expect(outcome.code).toBe(2);
    expect(errorOf(outcome).why).toMatch(why);
  });

  test('a token in the environment is of no concern to stdio', async () => {
    const outcome = await space.call(
      ['check', '--only', 'ping', '--spec', '2025-11-25', '-q', '--', 'node', exampleServer, 'stdio'],
      { env: { MCPC_TOKEN: goodToken } },
    );
    expect(outcome.code, outcome.stderr).toBe(0);
  });
});
