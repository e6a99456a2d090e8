/** A guarded start: what the client asks the authorization server is in the trace, and a client without a login is left in peace. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { deviationNames } from '../../src/server/authorization/deviations.ts';
import type { TraceEvent } from '../../src/core/model/trace.ts';
import { functionsDriver } from '../../src/stage/drive/functions-driver.ts';
import { runClient } from '../../src/stage/run-client.ts';
import { everything } from '../../src/check/plan.ts';
import { rulesFolder } from '../../src/files/package/package-root.ts';
import { runReference, rulesBy } from '../support/reference-client.ts';

const setting = { transport: 'http', revision: '2025-11-25' } as const;

test('the exchanges of the authorization server are recorded, without what is secret in them', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'mcpc-guarded-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const traceFile = path.join(folder, 'trace.jsonl');
  const report = await runReference(setting, {}, { rule: 'authorization/pkce-use', traceFile });
  expect(rulesBy(report, 'pass')).toContain('authorization/pkce-use');
  const text = readFileSync(traceFile, 'utf8');
  const events = text
    .split('\n')
    .slice(1)
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as TraceEvent);
  const asked = events.filter(({ kind, session }) => kind === 'http-request' && session.endsWith('-auth'));
  expect(asked.map(({ http }) => http!.path!.split('?')[0])).toEqual([
    '/.well-known/oauth-authorization-server',
    '/authorize',
    '/token',
  ]);
  expect(text).not.toMatch(/mcpc-code-[0-9a-f]{8}|mcpc-refresh-[0-9a-f]{8}|eyJhbGci/);
});

test('a client that does not log in meets one guarded start', async () => {
  const report = await runClient({
    name: 'plain',
    driver: functionsDriver({
      async connect({ url }) {
        const response = await fetch(url, { method: 'POST', body: '{}' });
        await response.body?.cancel();
      },
    }),
    env: process.env,
    secrets: [],
    transport: 'http',
    spec: '2025-11-25',
    selection: everything,
    keepSecrets: false,
    toolVersion: 'test',
    startMs: 10_000,
    leaveOut: ({ name, situation }) => name !== 'c1' && situation.guard === undefined,
    signal: new AbortController().signal,
  });
  const reasons = report.skipped.filter(({ why }) => why.includes('did not try to log in')).map(({ why }) => why);
  expect(reasons.length).toBeGreaterThan(5);
  expect(reasons.filter((why) => why === 'the client did not try to log in')).toHaveLength(1);
  const judged = report.parts.flatMap(({ verdicts }) =>
    verdicts.filter(({ rule }) => rule.startsWith('authorization/')),
  );
  expect(judged.filter(({ status }) => status !== 'not-exercised')).toEqual([]);
});

test('situations name each deviation of the authorization server', () => {
  const schema = JSON.parse(readFileSync(path.join(rulesFolder(), 'language', 'situation.schema.json'), 'utf8')) as {
    properties: { guard: { properties: { differs: { items: { enum: string[] } } } } };
  };
  expect(schema.properties.guard.properties.differs.items.enum.toSorted()).toEqual([...deviationNames].toSorted());
});
