/** `mcpc client conformance`: a client of the official contract passes, each fault is found by the check that is for it. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { commandDriver } from '../../src/stage/drive/command-driver.ts';
import { runScenario, type ScenarioResult } from '../../src/stage/conformance/run-scenario.ts';
import { rulesOf } from '../../src/stage/conformance/scenario-rules.ts';
import { findScenario, readScenarios, scenariosOf } from '../../src/stage/conformance/scenarios.ts';
import { summaryOf } from '../../src/stage/conformance/results.ts';
import { root, Workspace } from '../cli/harness.ts';
import { someOf } from '../support/run/some-of.ts';
import { thorough } from '../support/run/options.ts';

const space = new Workspace();
const client = fileURLToPath(new URL('clients/scenario-client.mjs', import.meta.url));

async function play(name: string, fault = '', revision?: string): Promise<ScenarioResult> {
  return runScenario(findScenario(name), {
    command: 'scenario-client',
    driver: commandDriver(['node', client]),
    env: { ...process.env, FAULT: fault },
    revision,
    timeoutMs: 20_000,
    toolVersion: 'test',
    traceFile: undefined,
    signal: new AbortController().signal,
    print: () => {},
  });
}

const bad = ({ checks }: ScenarioResult): string[] => [
  ...new Set(checks.filter(({ status }) => status === 'FAILURE' || status === 'WARNING').map(({ id }) => id)),
];

const known = [
  'initialize',
  'tools_call',
  'request-metadata',
  'http-standard-headers',
  'http-custom-headers',
  'http-invalid-tool-headers',
  'json-schema-ref-no-deref',
  'json-schema-2020-12-preservation',
  'sep-2322-client-request-state',
];

describe('a sound client passes', () => {
  test.each(someOf(known, 5, String))('%s', async (name) => {
    const result = await play(name);
    expect(bad(result)).toEqual([]);
    expect(summaryOf(result)).toMatchObject({ outcome: 'passed', failed: 0, warnings: 0 });
  });

  test('also in the newest revision', async () => {
    expect(summaryOf(await play('tools_call', '', '2026-07-28')).outcome).toBe('passed');
  });
});

describe('a fault is found by its check', () => {
  const faults: [scenario: string, fault: string, ids: string[]][] = [
    ['initialize', 'no-name', ['mcp-client-initialization']],
    ['tools_call', 'words', ['tool-add-numbers']],
    [
      'request-metadata',
      'no-meta',
      [
        'sep-2575-client-populates-meta',
        'sep-2575-client-sends-client-info',
        'sep-2575-client-retry-supported-version',
      ],
    ],
    ['http-standard-headers', 'no-method-header', ['sep-2243-client-includes-standard-headers']],
    ['http-custom-headers', 'null-header', ['sep-2243-client-omit-null']],
    ['http-custom-headers', 'no-base64', ['sep-2243-client-base64-unsafe']],
    ['http-invalid-tool-headers', 'calls-invalid', ['sep-2243-x-mcp-header-charset']],
    ['json-schema-ref-no-deref', 'fetches', ['sep-2106-no-network-ref-deref']],
    ['json-schema-2020-12-preservation', 'strips-defs', ['json-schema-2020-12-client-$defs-preserved']],
    [
      'sep-2322-client-request-state',
      'changes-state',
      ['sep-2322-client-request-state-echoed', 'sep-2322-client-no-state-omitted'],
    ],
  ];
  test.each(someOf(faults, 4, ([name, fault]) => `${name} ${fault}`))('%s with %s', async (name, fault, ids) => {
    const found = bad(await play(name, fault));
    expect(found).toContain(ids[0]);
    expect(found.filter((id) => !ids.includes(id))).toEqual([]);
  });

  test('an exit code of its own fails a client, unless it may end so', async () => {
    expect(summaryOf(await play('tools_call', 'exit'))).toMatchObject({ outcome: 'failed', failed: 0 });
    expect(summaryOf(await play('http-invalid-tool-headers', 'exit')).outcome).toBe('passed');
  });
});

test('a scenario that the client does not know is skipped, and so is one that waits', async () => {
  const result = await play('sse-retry');
  expect(new Set(result.checks.map(({ status }) => status))).toEqual(new Set(['SKIPPED']));
  expect(summaryOf(result)).toMatchObject({ outcome: 'skipped', passed: 0 });
  expect(summaryOf(await play('sep-2640-client-no-prefetch')).outcome).toBe('skipped');
  expect(summaryOf(await play('initialize', '', '2026-07-28')).why).toBe('it is not for 2026-07-28');
});

test('each scenario fits its schema, and its rules are there', async () => {
  const language = join(root, 'rules', 'language');
  const schema = (name: string): object => JSON.parse(readFileSync(join(language, name), 'utf8')) as object;
  const ajv = new Ajv2020({ strict: false, schemas: [schema('situation.schema.json')] });
  const validate = ajv.compile(schema('conformance.schema.json'));
  const validateList = ajv.getSchema('conformance.schema.json#/$defs/shared')!;
  const files = (part: string): Record<string, unknown>[] =>
    readdirSync(join(root, 'rules', 'conformance', part))
      .filter((name) => name.endsWith('.json'))
      .map((name) => JSON.parse(readFileSync(join(root, 'rules', 'conformance', part, name), 'utf8')) as object)
      .map((file) => file as Record<string, unknown>);
  for (const file of [...files(''), ...files('auth')]) {
    validate(file);
    expect(validate.errors ?? [], String(file.scenario)).toEqual([]);
  }
  for (const list of files('shared')) expect(validateList(list)).toBe(true);
  const all = readScenarios();
  expect(all).toHaveLength(49);
  for (const scenario of someOf(all, 4, ({ scenario }) => scenario)) {
    const { plan, of } = await rulesOf(scenario);
    for (const check of scenario.checks)
      for (const id of of(check))
        expect(
          plan.rules.some((rule) => rule.id === id),
          `${scenario.scenario}: ${id}`,
        ).toBe(true);
    if (scenario.waits === undefined)
      for (const check of scenario.checks)
        expect(of(check).length + (check.measure === undefined ? 0 : 1)).toBeGreaterThan(0);
  }
  for (const { required = [], scenario } of files('auth') as { required?: string[]; scenario: string }[]) {
    const ids = findScenario(scenario)
      .checks.filter(({ silent }) => silent === 'FAILURE')
      .map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining(required));
  }
  expect(scenariosOf('core', '2025-11-25').map(({ scenario }) => scenario)).toContain('initialize');
  expect(scenariosOf('all', '2026-07-28').map(({ scenario }) => scenario)).not.toContain('initialize');
});

test.runIf(thorough)('on the command line: results, expected failures and stale ones', async () => {
  const words = ['client', '--conformance', '--command', `node ${client}`, '--scenario', 'tools_call'];
  const { code, stdout } = await space.run([...words, '-o', space.path('results')]);
  expect([code, stdout.split('\n')[0]]).toEqual([0, '✓ tools_call: 1 passed, 0 failed']);
  const [folder] = readdirSync(space.path('results'));
  expect(folder).toMatch(/^tools_call-\d{4}-\d\d-\d\dT/);
  expect(readdirSync(space.path(`results/${folder}`)).sort()).toEqual([
    'checks.json',
    'stderr.txt',
    'stdout.txt',
    'trace.jsonl',
  ]);
  expect(readFileSync(space.path(`results/${folder}/stdout.txt`), 'utf8')).toBe('did tools_call\n');
  const expected = space.path('expected.yaml');
  writeFileSync(expected, 'client:\n  - tools_call\n');
  const stale = await space.call([...words, '--expected-failures', expected]);
  expect([stale.code, stale.stdout]).toEqual([1, expect.stringContaining('stale     tools_call')]);
  const known = await space.call([...words, '--expected-failures', expected], { env: { FAULT: 'words' } });
  expect([known.code, known.stdout]).toEqual([0, expect.stringContaining('expected  tools_call')]);
  writeFileSync(expected, 'client:\n  - [x]\n');
  const wrong = await space.call([...words, '--expected-failures', expected]);
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('expected.yaml:2:')]);
});
