/** `--test-as`: tokens that differ in one thing find what a server leaves unchecked, and nothing of them is written anywhere. */
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { RunReport } from '../../src/core/model/reports/run-report.ts';
import { Workspace } from './harness.ts';

const space = new Workspace();
const server = fileURLToPath(new URL('../support/jwt-server.mjs', import.meta.url));
const rules = [
  'authorization/token-audience',
  'authorization/token-validation',
  'best-practices/session-authentication',
] as const;

function lineOf(fault: string): string[] {
  return [
    'check',
    '--spec',
    '2025-11-25',
    '--only',
    'authorization,best-practices',
    '--serve',
    `node ${server} --port {{port}} --issuer {{issuer}} --jwks {{jwks}} --audience {{audience}} --fault ${fault}`,
    '--url',
    'http://127.0.0.1:{{port}}/mcp',
    '--test-as',
    '--trace',
    `${fault}.jsonl`,
    '-f',
    'json',
    '-o',
    `${fault}.json`,
    '--overwrite',
  ];
}

function statusesOf(file: string): Record<string, string> {
  const report = JSON.parse(space.read(file)) as RunReport;
  return Object.fromEntries(
    report.parts[0]!.verdicts.flatMap(({ rule, status }) =>
      (rules as readonly string[]).includes(rule) ? [[rule, status]] : [],
    ),
  );
}

const sound = Object.fromEntries(rules.map((rule) => [rule, 'pass']));

describe('--test-as', () => {
  test.each([
    ['none', undefined],
    ['audience', 'authorization/token-audience'],
    ['expired', 'authorization/token-validation'],
    ['session', 'best-practices/session-authentication'],
  ] as const)('a server with the fault %s is failed by %s', async (fault, rule) => {
    const outcome = await space.call(lineOf(fault));
    expect(statusesOf(`${fault}.json`), outcome.stderr).toEqual({ ...sound, ...(rule ? { [rule]: 'fail' } : {}) });
    expect(outcome.code).toBe(rule === undefined ? 0 : 1);
    expect(outcome.stderr).toContain('Test authorization server: issuer http://127.0.0.1:');
    // No JSON Web Token but the one that stands in the rules.
    for (const text of [space.read(`${fault}.jsonl`), space.read(`${fault}.json`), outcome.stdout, outcome.stderr])
      expect(text).not.toMatch(/eyJ[\w-]+\.eyJ[\w-]+\.[\w-]+/);
  });

  test.each([
    ['scopes', 'pass'],
    ['scopes-one-by-one', 'fail'],
    ['scopes-wrong', 'fail'],
  ])('a token with the scopes of the challenge decides a server with %s', async (fault, expected) => {
    const outcome = await space.call([...lineOf(fault), '--scope', 'mcpc:use mcpc:more']);
    const report = JSON.parse(space.read(`${fault}.json`)) as RunReport;
    const found = report.parts[0]!.verdicts.find(({ rule }) => rule === 'authorization/step-up-challenged-scopes');
    expect(found?.status, outcome.stderr).toBe(expected);
    expect(space.read(`${fault}.jsonl`)).not.toMatch(/eyJ[\w-]+\.eyJ[\w-]+\.[\w-]+/);
  });

  test('it says what does not go together', async () => {
    const twice = await space.call([...lineOf('none'), '--token', 'other-token-1234']);
    expect(twice.code).toBe(2);
    expect(twice.stderr).toContain('--test-as shows tokens of its own');
    const stdio = await space.call(['check', '--test-as', '--', 'node', server]);
    expect(stdio.code).toBe(2);
    expect(stdio.stderr).toContain('--test-as needs the address of the endpoint');
    const port = await space.call(['check', '--test-as-port', '4000', '--url', 'http://127.0.0.1:1/mcp']);
    expect(port.stderr).toContain('--test-as-port is the port of --test-as');
  });
});
