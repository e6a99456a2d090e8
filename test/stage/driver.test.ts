/** `mcpc client --driver`: a client with one command for each act, and what is said of a file that is wrong. */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { fileDriver } from '../../src/stage/drive/file/driver-file.ts';
import { readDriver } from '../../src/stage/drive/file/read-driver.ts';
import { runClient } from '../../src/stage/run-client.ts';
import { everything } from '../../src/check/plan.ts';
import type { RunReport } from '../../src/core/model/reports/run-report.ts';
import { Workspace } from '../cli/harness.ts';
import { thorough } from '../support/run/options.ts';

const space = new Workspace();
const client = fileURLToPath(new URL('clients/act-client.mjs', import.meta.url));

function driver(text: string): ReturnType<typeof readDriver> {
  const file = space.path('driver.yaml');
  writeFileSync(file, text);
  return readDriver(file);
}

function run(text: string, env: Record<string, string> = {}): Promise<RunReport> {
  return runClient({
    name: 'test',
    driver: fileDriver(driver(text)),
    env: { ...process.env, ...env },
    secrets: [],
    transport: 'http',
    spec: 'newest',
    selection: { ...everything, only: ['pagination', 'lifecycle', 'tools', 'jsonrpc'] },
    keepSecrets: false,
    toolVersion: 'test',
    startMs: 60_000,
    signal: new AbortController().signal,
  });
}

const failures = ({ parts }: RunReport): string[] =>
  parts.flatMap(({ verdicts }) => verdicts.filter(({ status }) => status === 'fail').map(({ rule }) => rule));

test('each act is done by its command, with sessions', async () => {
  const report = await run(`acts:
  list-tools: node ${client} {{url}} tools --cursor={{cursor}}
  call: [node, ${client}, '{{url}}', call, '{{tool}}', '{{arguments}}']
`);
  expect(failures(report)).toEqual([]);
  expect(report.parts[0]!.revision).toBe('2025-11-25');
  expect(report.calls!.called).toMatchObject([{ tool: 'add_numbers' }]);
  expect(report.skipped).toContainEqual({ what: 'act connect', why: 'the driver has no command connect' });
});

test.runIf(thorough)('lists are read page by page where there are no sessions', async () => {
  const report = await run(`acts:\n  list-tools: node ${client} {{url}} tools --cursor={{cursor}}\n`, {
    STATELESS: '1',
  });
  expect(report.parts[0]!.revision).toBe('2026-07-28');
  const paging = report.parts[0]!.verdicts.find(({ rule }) => rule === 'pagination/client-cursor-opacity');
  expect(paging?.status).toBe('pass');
  expect(report.skipped).toContainEqual(expect.objectContaining({ why: 'for a command an empty cursor is none' }));
});

test('what is wrong is named with file and line', () => {
  const wrong = (text: string): string => {
    try {
      driver(text);
    } catch (error) {
      return (error as Error).message.replaceAll(space.path('driver.yaml'), 'driver.yaml');
    }
    return 'nothing';
  };
  expect(wrong('acts:\n  connect: x\n  lst-tools: x {{url}}\n')).toMatch(
    /^driver\.yaml:3:3: .*"lst-tools".*list-tools/,
  );
  expect(wrong('acts:\n  connect: x\n  call: x {{tol}} {{arguments}}\n').split('\n')).toEqual([
    expect.stringMatching(/^driver\.yaml:3: acts\.call: there is no \{\{tol\}\} here\. Did you mean "tool"/),
    expect.stringMatching(/^driver\.yaml:3: acts\.call: the command needs \{\{tool\}\}/),
  ]);
  expect(wrong('acts:\n  connect: 5\n')).toMatch(/^driver\.yaml:2:12: .*A command line/);
  expect(wrong('act: {}\n')).toMatch(/needs "acts"/);
});

test('the starter is a driver', async () => {
  const { stdout } = await space.run(['client', 'driver', 'init']);
  expect([...driver(stdout).acts.keys()]).toHaveLength(12);
});

test('a command that cannot be started is no client', async () => {
  await expect(run('acts:\n  connect: no-such-command {{url}}\n')).rejects.toMatchObject({ stage: 'target' });
});
