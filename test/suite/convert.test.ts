/** `mcpc suite convert`: what files of mcp-assert and mcp-jest say means the same in the form of mcpc. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadSuites } from '../../src/suites/run/load.ts';
import { convertSuites } from '../../src/suites/authoring/convert-suite/convert.ts';
import { schemaOfExpression } from '../../src/suites/authoring/convert-suite/jest-expression.ts';
import { createJsonSchemas } from '../../src/core/json-schema/json-schemas.ts';
import type { SuiteReport } from '../../src/core/model/reports/suite-report.ts';
import { errorOf, root, Workspace } from '../cli/harness.ts';
import { someOf } from '../support/run/some-of.ts';
import { thorough } from '../support/run/options.ts';

const work = new Workspace();
const corpus = join(root, 'test/suite/corpus');
const changing = join(root, 'test/suite/servers/changing.mjs');

describe('of mcp-assert', () => {
  test.runIf(thorough)(
    'every case of the corpus that can be said ends as before, with the same words',
    async () => {
      const readConfig = (): never => {
        throw new Error('there is none');
      };
      const { files, left } = await convertSuites([corpus], { together: true, readConfig });
      const out = new Set(left.map((line) => line.slice(0, line.indexOf(': '))));
      const { cases } = await loadSuites([corpus], { recursive: true, strict: false, noCommands: false });
      const kept = cases.filter(({ file }) => !out.has(file));
      // Trajectories, and what asks for nothing.
      expect([...out].filter((file) => !file.includes('trajectory/')).length).toBeLessThanOrEqual(5);
      expect(kept.length).toBeGreaterThan(180);
      work.write('all.yaml', files[0]!.text);
      const shards = Array.from({ length: 16 }, (_, at) => at + 1);
      const due = someOf(shards, shards.length, String);
      const reports = new Map<string, SuiteReport['cases'][number]>();
      for (const [name, args] of due.flatMap(
        (shard) =>
          [
            [`shared${shard}`, ['--session', 'suite', '--skip-tag', 'own', '--shard', `${shard}/16`]],
            [`own${shard}`, ['--tag', 'own', '--shard', `${shard}/16`]],
          ] as const,
      )) {
        const child = spawn(
          process.execPath,
          [
            join(root, 'bin/mcpc.js'),
            'run',
            work.path('all.yaml'),
            ...args,
            '--fixture',
            join(corpus, 'fixture'),
            '--timeout',
            '120s',
            '--format',
            'json',
            '--output',
            work.path(`${name}.json`),
          ],
          { cwd: root, stdio: 'ignore' },
        );
        expect([0, 1]).toContain(await new Promise((resolve) => child.once('close', resolve)));
        for (const one of (JSON.parse(work.read(`${name}.json`)) as SuiteReport).cases) reports.set(one.id, one);
      }
      expect(reports.size).toBeGreaterThanOrEqual(Math.floor((kept.length * due.length) / shards.length) - 2);
      const wrong = kept.flatMap(({ file, name }, index) => {
        const text = readFileSync(file, 'utf8');
        const [, status, words] = /^# wanted: (\w+)(?: (.*))?$/m.exec(text) ?? [];
        const seen = reports.get(`${work.path('all.yaml')}#${index + 1}`);
        if (seen === undefined) return [];
        const { name: called, status: is, detail } = seen;
        expect(called).toBe(name);
        // The step is called by its method, and what is filled in here is told beside the case.
        const said = new RegExp((words ?? '').replace('^setup step', '^tools/call'), 's');
        return is === status && said.test(detail) ? [] : [`${name}: ${status} ${words}; ${is} ${detail}`];
      });
      expect(wrong.filter((line) => !line.startsWith('no-substitution.yaml: '))).toEqual([]);
      expect(files[0]!.text).toMatch(
        /# tools\/call echo: \{\{fixture\}\} is filled in here; mcp-assert takes it literally\.\n\s+- name: no-substitution\.yaml\n/,
      );
    },
    300_000,
  );

  test('a folder becomes files of the same names, and nothing is overwritten', async () => {
    work.write(
      'old/a.yaml',
      `name: a\nserver: { command: node, args: [${JSON.stringify(changing)}], env: { KEY: "$KEY" } }\nsetup: [{ tool: list_users, capture: { first: "$[0].name" } }]\nassert: { tool: greet, args: { name: "{{first}}", loud: true, "<<": 1_000, code: "0755" }, expect: { equals: "Hello, Al!" } }\nskip_unless_env: KEY\ntimeout: 1m30s\n`,
    );
    work.write('old/b.yaml', 'name: b\ntrace: []\ntrajectory: [{ type: presence, tools: [x] }]\n');
    const { code, stderr } = await work.run(['suite', 'convert', 'old', '--output', 'new']);
    expect({ code, told: stderr.trim().split('\n') }).toEqual({
      code: 1,
      told: [
        'new/a.yaml: 1 case',
        'Left out: old/b.yaml: b: trajectories have no step in the form of mcpc; keep the file.',
      ],
    });
    const text = work.read('new/a.yaml');
    expect(text).toContain(
      '# tools/call greet: {{first}} is sent with the type of its value; mcp-assert sends a text.',
    );
    expect(text).toMatch(/timeout: 90000ms\n[^]*skip_unless_env: KEY\n/);
    expect(text).toMatch(/"<<": 1000\n\s+code: "0755"\n/);
    expect((await work.call(['run', 'new'], { env: { KEY: 'x' } })).stdout).toContain('1 passed');
    const again = await work.call(['suite', 'convert', 'old', '--output', 'new']);
    expect(again.code).toBe(2);
    expect(errorOf(again).why).toContain('new/a.yaml is there already');
  });
});

describe('of mcp-jest (C-002)', () => {
  test('a configuration runs, and says where something is to be done', async () => {
    work.write('jest.json', {
      server: { command: 'node', args: [changing], env: { A: 1 } },
      tests: {
        tools: {
          greet: {
            args: { name: 'Ada' },
            expect: "content[0].text === 'Hello, Ada'",
            snapshot: { exclude: ['content'] },
          },
          get_weather: { args: { city: 'Oslo' }, expect: 'content && content.length > 0' },
          list_users: { expect: 'content.length === 2' },
          get_icon: { expect: 'content.length of it' },
          get_time: {},
        },
        resources: { 'note://1': { expect: 'exists' }, 'note://*': { expect: 'count >= 2' }, 'other://?': {} },
        prompts: { review: { args: { language: 'ts' }, expect: 'messages.length > 0' }, hello: {} },
        timeout: 20000,
        maxRetries: 2,
      },
    });
    const { code, stderr } = await work.call(['suite', 'convert', 'jest.json', '--output', 'suite.yaml']);
    expect({ code, told: stderr.trim().split('\n') }).toEqual({
      code: 1,
      told: [
        'suite.yaml: 13 cases',
        'Left out: jest.json: "tests.maxRetries" was left out; the flags of mcpc run say such things.',
      ],
    });
    const text = work.read('suite.yaml');
    expect(text).toContain('# TODO: say what "content.length of it" means.');
    expect(text).toContain('# TODO: mcp-jest also reads the first resource that fits; name it: - { read: URI }');
    expect(
      (await work.call(['snapshot', 'suite.yaml', '--update', '--session', 'suite', '--filter', 'greet*'])).code,
    ).toBe(0);
    const ran = await work.call(['run', 'suite.yaml', '--session', 'suite', '--json']);
    const statuses = Object.fromEntries(
      (JSON.parse(ran.stdout) as { name: string; status: string }[]).map(({ name, status }) => [name, status]),
    );
    expect(
      Object.entries(statuses)
        .filter(([, status]) => status !== 'PASS')
        .map(([name]) => name),
    ).toEqual(['list_users can be called', 'other://? is listed']);
    expect(Object.keys(statuses)).toHaveLength(13);
  });

  test.each<[string, unknown, boolean]>([
    ['content.length > 0', { content: [1] }, true],
    ['content.length > 0', { content: [] }, false],
    ['content.length > 0', {}, false],
    ['content.length <= 1', { content: [1, 2] }, false],
    ["content[1].text == 'x'", { content: [{}, { text: 'x' }] }, true],
    ["content[1].text === 'x'", { content: [{ text: 'x' }] }, false],
    ['isError !== true', {}, true],
    ['isError !== true', { isError: true }, false],
    ['structuredContent.n >= 2.5', { structuredContent: { n: 2.5 } }, true],
    ['structuredContent.n < 2', { structuredContent: { n: 2 } }, false],
    ['structuredContent && content.length > 0', { content: [1] }, false],
    ['structuredContent', { structuredContent: 0 }, false],
    ['content[0].text.length === 3', { content: [{ text: 'abc' }] }, true],
  ])('%s of %j: %s', (expression, result, holds) => {
    expect(createJsonSchemas('2025-11-25').conformance(schemaOfExpression(expression)!, result)?.length === 0).toBe(
      holds,
    );
  });

  test.each(['process.exit()', 'result => true', 'content.length >', '', 'a.b.length > c'])(
    '%s is not guessed',
    (expression) => {
      expect(schemaOfExpression(expression)).toBeUndefined();
    },
  );

  test('what is no such configuration is refused', async () => {
    work.write('other.json', { mcpServers: {} });
    const outcome = await work.call(['suite', 'convert', 'other.json']);
    expect(outcome.code).toBe(2);
    expect(errorOf(outcome).why).toContain('other.json is no configuration of mcp-jest');
  });
});
