/** `mcpc check --role authorization-server` from the command line: report, trace, exit codes, and no secret in either. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RunReport } from '../../src/core/model/reports/run-report.ts';
import {
  startAuthorizationServer,
  type AuthorizationServer,
} from '../../src/server/authorization/authorization-server.ts';
import { Workspace } from './harness.ts';

const space = new Workspace();
const resource = 'http://127.0.0.1:1/mcp';
let correct: AuthorizationServer;
let broken: AuthorizationServer;
/** Codes and tokens that were given. */
const given: string[] = [];

beforeAll(async () => {
  correct = await startAuthorizationServer({
    resource,
    onExchange({ reply: { body, headers } }) {
      const code = /[?&]code=([^&]+)/.exec(headers.location ?? '')?.[1];
      const { access_token: access, refresh_token: refresh } = (body.startsWith('{') ? JSON.parse(body) : {}) as Record<
        string,
        string | undefined
      >;
      for (const secret of [code, access, refresh]) if (secret !== undefined) given.push(secret);
    },
  });
  broken = await startAuthorizationServer({ resource, deviations: ['code-reusable'] });
});
afterAll(() => Promise.all([correct.close(), broken.close()]));

const line = (url: string, ...more: string[]): string[] => [
  'check',
  '--role',
  'authorization-server',
  '--url',
  url,
  ...more,
];

test('judges a correct one, and the same from its trace, without its secrets', async () => {
  const { code, stdout } = await space.call(line(correct.issuer, '--trace', 'as.jsonl', '-f', 'json'));
  expect(code, stdout).toBe(0);
  const report = JSON.parse(stdout) as RunReport;
  expect(report.target).toMatchObject({ kind: 'authorization-server', url: correct.issuer });
  const verdicts = ({ parts }: RunReport) => parts[0]!.verdicts.map(({ rule, status }) => `${status} ${rule}`);
  expect(verdicts(report)).toContain('pass authorization/oauth-version-21');
  const judged = await space.call(['judge', 'as.jsonl', '-f', 'json']);
  expect(verdicts(JSON.parse(judged.stdout) as RunReport)).toEqual(verdicts(report));
  const written = stdout + readFileSync(space.path('as.jsonl'), 'utf8');
  expect(given.length).toBeGreaterThan(6);
  expect(given.filter((secret) => written.includes(secret))).toEqual([]);
});

test('fails one that takes a code twice, and says how to see it again', async () => {
  const { code, stdout } = await space.call(line(broken.issuer));
  expect(code).toBe(1);
  expect(stdout).toContain('authorization/oauth-version-21');
  expect(stdout).toContain('authorization server · MCP');
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain('mcpc check --role authorization-server --spec');
});

test.each([
  [['--test-as'], '--test-as'],
  [['--spec', 'each'], 'one revision'],
  [['--profile', 'quick'], '--profile quick'],
])('%j does not go with it', async (more, text) => {
  const { code, stderr } = await space.call(line(correct.issuer, ...more));
  expect(code).toBe(2);
  expect(stderr).toContain(text);
});
