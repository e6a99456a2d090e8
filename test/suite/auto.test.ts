/** `--session auto`: cases that only read share a server, all others have their own, and the report says so. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { SuiteReport } from '../../src/core/model/reports/suite-report.ts';
import { root, Workspace } from '../cli/harness.ts';

const work = new Workspace();
const changing = join(root, 'test/suite/servers/changing.mjs');
work.write(
  'server.mjs',
  `import { appendFileSync } from 'node:fs';\nappendFileSync(process.env.STARTS, process.pid + '\\n');\nawait import(${JSON.stringify(changing)});\n`,
);
work.write('fx/a.txt', 'a');

async function run(suite: string, ...args: string[]): Promise<{ report: SuiteReport; starts: number; stderr: string }> {
  work.write('starts.txt', '');
  const { stderr } = await work.call(
    ['run', suite, '--session', 'auto', '--format', 'json', '--output', 'r.json', '--overwrite', ...args],
    { env: { STARTS: work.path('starts.txt') } },
  );
  return {
    report: JSON.parse(work.read('r.json')) as SuiteReport,
    starts: readFileSync(work.path('starts.txt'), 'utf8').trim().split('\n').length,
    stderr,
  };
}

test('what reads is shared; what may change something, looks at files or asks for its own is not', async () => {
  work.write(
    'evals/cases.yaml',
    `version: 1
servers: { changing: { command: node, args: [server.mjs] } }
cases:
  - { name: calls, steps: [{ call: greet, with: { name: Ada }, expect: { equals: "Hello, Ada" } }] }
  - { name: lists, steps: [{ list: tools }, { list: users_of_nobody }] }
  - { name: several, steps: [{ parallel: [{ call: list_users }, { get: hello }] }, { initialize: true }] }
  - { name: reads, steps: [{ read: "note://1", expect: { unchanged: [{ call: list_users }] } }] }
  - { name: deletes, steps: [{ call: delete_user, with: { id: 1 } }] }
  - { name: deletes beside, steps: [{ read: "note://1", expect: { unchanged: [{ call: delete_user }] } }] }
  - { name: alone, alone: true, steps: [{ call: greet, with: { name: Ada } }] }
  - { name: files, steps: [{ call: greet, with: { name: Ada }, expect: { file_unchanged: ["{{fixture}}/a.txt"] } }] }
  - { name: notifications, steps: [{ call: greet, with: { name: Ada } }, { notifications: 1ms, expect: { max_count: 0 } }] }
  - { name: another revision, spec: 2025-06-18, steps: [{ call: greet, with: { name: Ada } }] }
  - { name: skipped, skip: true, steps: [{ ping: true }] }
`.replace('{ list: users_of_nobody }', '{ list: prompts }'),
  );
  const { report, starts, stderr } = await run('evals', '--fixture', 'fx', '--spec', '2025-11-25', '--jobs', '1');
  expect(
    report.cases.filter(({ status }) => status === 'fail').map(({ name, detail }) => `${name}: ${detail}`),
  ).toEqual([]);
  expect(report.notices).toContain('--session auto: 4 of 10 cases shared 1 server.');
  expect(stderr).toContain('--session auto: 4 of 10 cases shared 1 server.');
  // One for the question which tools only read, one that is shared, and one for each of the six others.
  expect(starts).toBe(8);
  const fresh = await run('evals', '--fixture', 'fx', '--spec', '2025-11-25', '--session', 'fresh');
  const plain = ({ cases }: SuiteReport): unknown => cases.map(({ id, status, detail }) => ({ id, status, detail }));
  expect(plain(report)).toEqual(plain(fresh.report));
});

test('a case that takes long holds up none of the others: they get one more server, and no more than jobs', async () => {
  work.write(
    'meets.mjs',
    `import { createInterface } from 'node:readline';
import { appendFileSync, existsSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
appendFileSync(process.env.STARTS, process.pid + '\\n');
const send = (id, result) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n');
createInterface({ input: process.stdin }).on('line', async (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === 'initialize') send(id, { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'meets', version: '1' } });
  if (method === 'tools/list') send(id, { tools: [{ name: 'meet', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } }] });
  if (method !== 'tools/call') return;
  // Ends only when the call of the other server is there as well.
  const { me, other } = params.arguments;
  writeFileSync(me, '');
  for (let round = 0; round < 1000 && !existsSync(other); round += 1) await sleep(20);
  send(id, { content: [{ type: 'text', text: existsSync(other) ? 'met' : 'alone' }] });
});
`,
  );
  const [a, b] = [work.path('a.met'), work.path('b.met')];
  work.write(
    'meet/a.yaml',
    `version: 1
servers: { s: { command: node, args: [meets.mjs] } }
cases:
  - { name: a, steps: [{ call: meet, with: { me: ${a}, other: ${b} }, expect: { equals: met } }] }
  - { name: b, steps: [{ call: meet, with: { me: ${b}, other: ${a} }, expect: { equals: met } }] }
  - { name: c, steps: [{ call: meet, with: { me: ${a}, other: ${b} }, expect: { equals: met } }] }
`,
  );
  const { report, starts } = await run('meet', '--spec', '2025-11-25', '--jobs', '2', '--timeout', '60s');
  expect(report.cases.map(({ name, status, detail }) => `${name}: ${status} ${detail ?? ''}`.trim())).toEqual([
    'a: pass',
    'b: pass',
    'c: pass',
  ]);
  expect({ starts, notices: report.notices }).toEqual({
    starts: 3,
    notices: ['--session auto: 3 of 3 cases shared 1 server.'],
  });
});

test('a case without company has a server of its own', async () => {
  work.write(
    'two/a.yaml',
    `version: 1
servers: { s: { command: node, args: [server.mjs], session: auto } }
cases: [{ name: only, steps: [{ ping: true }] }]
`,
  );
  const { report, starts } = await run('two', '--spec', '2025-11-25');
  expect({ starts, notices: report.notices }).toEqual({
    starts: 1,
    notices: ['--session auto: 0 of 1 cases shared 0 servers.'],
  });
});
