/** What suites cover of a server: from their files as mcp-assert counts it, and of what was really sent. */
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { CoverageReport } from '../../src/core/model/reports/coverage-report.ts';
import type { SuiteReport } from '../../src/core/model/reports/suite-report.ts';
import { templateFits } from '../../src/core/spec/uri-template.ts';
import { errorOf, root, Workspace } from '../cli/harness.ts';
import { everything } from './servers.ts';
import { thorough } from '../support/run/options.ts';

const work = new Workspace();
const changing = join(root, 'test/suite/servers/changing.mjs');
const faulty = join(root, 'test/exercise/servers/faulty.mjs');

beforeAll(() => {
  work.write(
    'assert/echo.yaml',
    `name: echo\nserver:\n  ${everything}\nsetup:\n  - tool: get-sum\n    args: { a: 1, b: 2 }\nassert:\n  tool: echo\n  args: { message: hi }\n  expect: { not_error: true }\n`,
  );
  work.write(
    'assert/left-out.yaml',
    `name: left out\nskip: true\nserver:\n  ${everything}\nassert:\n  tool: get-tiny-image\n  expect: { not_error: true }\n`,
  );
  work.write(
    'native/tools.yaml',
    `version: 1
servers: { one: { command: node, args: [${JSON.stringify(faulty)}, "", get_sound, get_anything, get_trace, delete_all] } }
cases:
  - name: reads
    steps:
      - call: get_sound
        with: { text: plain, count: 2 }
        expect: { not_error: true }
      - call: get_sound
        with: { count: 2 }
        expect: { is_error: true }
      - call: get_trace
        with: { text: x }
        expect: { is_error: true }
      - read: notes://all
    teardown: [{ call: delete_all }]
`,
  );
});

describe('mcpc coverage', () => {
  test('counts tools under test, never those of the setup or of skipped cases, rounded down (A-139, A-140)', async () => {
    const { code, stdout, stderr } = await work.run([
      'coverage',
      '--suite',
      'assert',
      '--coverage-json',
      'out/c.json',
      '--json',
    ]);
    expect(code, stderr).toBe(0);
    const coverage = JSON.parse(stdout) as CoverageReport;
    expect(coverage).toMatchObject({
      format: 'mcpc-coverage-report',
      total: 13,
      covered: 1,
      percentage: 7,
      covered_tools: [{ name: 'echo', assertions: 1 }],
      counted: 'files',
    });
    expect(coverage.uncovered_tools).toHaveLength(12);
    expect(coverage.uncovered_tools).toEqual(coverage.uncovered_tools.toSorted());
    expect(JSON.parse(work.read('out/c.json'))).toEqual(coverage);
    expect(coverage.prompts).toMatchObject({ covered: 0, uses: [] });
    expect(coverage.prompts.missing.length).toBeGreaterThan(2);
    expect(coverage.completions.total).toBeGreaterThan(1);
    expect(coverage.next[0]).toBe(`call the tool ${coverage.uncovered_tools[0]}`);
  });

  test('of each tool its optional arguments, refusals and errors', async () => {
    const { code, stdout } = await work.call(['coverage', 'native', '--json']);
    expect(code).toBe(0);
    const { tools, resources, percentage } = JSON.parse(stdout) as CoverageReport;
    expect(percentage).toBe(50);
    expect(tools.find(({ name }) => name === 'get_sound')).toEqual({
      name: 'get_sound',
      arguments: { covered: ['count'], missing: [] },
      values: { covered: [], missing: [] },
      refusal: true,
      error: false,
    });
    expect(tools.find(({ name }) => name === 'get_trace')).toMatchObject({
      arguments: { missing: ['count'] },
      refusal: false,
      error: true,
    });
    expect(resources).toMatchObject({ total: 1, covered: 1, percentage: 100 });
  });

  test('is a gate by --min, and says what to write next', async () => {
    const short = await work.call(['coverage', 'native', '--min', '60']);
    expect(short).toMatchObject({ code: 1, stderr: expect.stringContaining('coverage 50% is below 60%') });
    expect(short.stdout).toMatch(
      /✗ delete_all\n[\s\S]*To write next:\n {2}call the tool delete_all\n[\s\S]*Coverage: 2\/4 tools \(50%\), 1\/1 resources \(100%\)\n$/,
    );
    expect(
      (
        await work.call([
          'coverage',
          'native',
          '--min',
          '50',
          '--quiet',
          '--',
          'node',
          faulty,
          '',
          'get_sound',
          'get_trace',
        ])
      ).stdout,
    ).toBe('Coverage: 2/2 tools (100%), 1/1 resources (100%)\n');
  });

  test.runIf(thorough)(
    '--write adds what is missing, which passes and is counted; nothing is replaced unasked',
    async () => {
      work.write(
        'grow/one.yaml',
        `version: 1\nservers: { one: { command: node, args: [${JSON.stringify(changing)}] } }\ncases:\n  - name: greets\n    steps: [{ call: greet, with: { name: Ada } }]\n`,
      );
      const before = JSON.parse((await work.call(['coverage', 'grow', '--json'])).stdout) as CoverageReport;
      const { code, stderr } = await work.call(['coverage', 'grow', '--write']);
      expect(code, stderr).toBe(0);
      expect(stderr).toContain('grow/missing-tools.yaml: ');
      expect(work.read('grow/missing-tools.yaml')).not.toContain('name: greet answers');
      expect(await work.call(['run', 'grow', '--session', 'suite', '--quiet'])).toMatchObject({ code: 0 });
      const after = JSON.parse((await work.call(['coverage', 'grow', '--json'])).stdout) as CoverageReport;
      expect(after.covered).toBeGreaterThan(before.covered);
      expect(after.prompts.percentage).toBe(100);
      // What is skipped, since it may change something, is still missing: the file of the first time is not touched for it.
      const again = await work.call(['coverage', 'grow', '--write']);
      expect(again.code).toBe(2);
      expect(again.stderr).toContain('is there already');
    },
  );

  test('a server that cannot be reached, and wrong usage', async () => {
    const outcome = await work.call(['coverage', 'native', '--', 'node', '-e', 'process.exit(3)']);
    expect(outcome.code).toBe(3);
    expect(errorOf(await work.call(['coverage'])).why).toContain('No suite is named');
    expect(errorOf(await work.call(['run', 'native', '--coverage', '--recording', 'x'])).why).toContain(
      '--coverage needs a run',
    );
  });
});

describe('of a run', () => {
  test('counts what was sent, in the report, in JSON and in pages', async () => {
    const { code, stdout, stderr } = await work.call([
      'run',
      'native',
      '--coverage',
      '--coverage-json',
      'run.json',
      '-f',
      'json',
      '-o',
      'r.json',
      '-f',
      'html',
      '-o',
      'r.html',
      '--markdown',
      'r.md',
    ]);
    expect(code, stdout + stderr).toBe(0);
    expect(stdout).toContain('Coverage: 2/4 tools (50%), 1/1 resources (100%)');
    const { coverage } = JSON.parse(work.read('r.json')) as SuiteReport;
    expect(coverage).toMatchObject({
      counted: 'run',
      covered_tools: [
        { name: 'get_sound', assertions: 2 },
        { name: 'get_trace', assertions: 1 },
      ],
    });
    expect(JSON.parse(work.read('run.json'))).toEqual(coverage);
    expect(coverage!.tools.find(({ name }) => name === 'get_sound')).toMatchObject({ refusal: true });
    for (const page of ['r.html', 'r.md']) expect(work.read(page)).toContain('Coverage: 2/4 tools');
    expect(await work.call(['report', 'r.json', '-f', 'json'])).toMatchObject({ code: 0 });
  });

  test('ci fails below --min-coverage, and where the coverage is not known', async () => {
    expect(await work.call(['ci', 'native', '--min-coverage', '50'])).toMatchObject({ code: 0 });
    expect(await work.call(['ci', 'native', '--min-coverage', '51'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('coverage 50% is below 51%'),
    });
    expect(
      await work.call([
        'ci',
        'native',
        '--min-coverage',
        '1',
        '--threshold',
        '0',
        '--',
        'node',
        '-e',
        'process.exit(3)',
      ]),
    ).toMatchObject({ code: 1, stderr: expect.stringContaining('the coverage is not known') });
  });
});

test.each<[template: string, uri: string, fits: boolean]>([
  ['notes://{id}', 'notes://7', true],
  ['notes://{id}', 'notes://', false],
  ['notes://{id}/{part}.txt', 'notes://7/a.txt', true],
  ['notes://{id}/{part}.txt', 'notes://7/.txt', false],
  ['notes://{id}/{part}.txt', 'notes://7.txt', false],
  ['notes://all', 'notes://all', true],
])('template %s, %s: %s', (template, uri, fits) => {
  expect(templateFits(template, uri)).toBe(fits);
});
