/** What decides the exit code of `run` and `ci`: failures, skips, thresholds, baselines; and the choice of cases. */
import { describe, expect, it } from 'vitest';
import type { SuiteReport } from '../../src/core/model/reports/suite-report.ts';
import { Workspace } from '../cli/harness.ts';
import { thorough } from '../support/run/options.ts';

const work = new Workspace();
/** Cases that start no server. */
const passes = 'trace: [{ tool: a }]\ntrajectory: [{ type: presence, tools: [a] }]\n';
const fails = 'trace: []\ntrajectory: [{ type: presence, tools: [a] }]\n';
for (const [name, text] of Object.entries({
  'mixed/a.yaml': passes,
  'mixed/b.yaml': `tags: [slow]\n${passes}`,
  'mixed/c.yaml': `name: "c: it fails"\n${fails}`,
  'mixed/d.yaml': `skip: true\n${passes}`,
  'skips/a.yaml': `skip: true\n${passes}`,
  'good/a.yaml': passes,
}))
  work.write(name, text);

const code = async (...args: string[]): Promise<number | null> => (await work.call(args)).code;
/** What is left of a report without times. */
const timeless = (report: SuiteReport): unknown =>
  JSON.parse(
    JSON.stringify(report, (name, value: unknown) =>
      ['durationMs', 'startedAt', 't', 'medianMs', 'p95Ms'].includes(name) ? 0 : value,
    ),
  );
const names = async (...args: string[]): Promise<string[]> =>
  (JSON.parse((await work.call(['run', 'mixed', '--json', ...args])).stdout) as { name: string }[]).map(
    ({ name }) => name,
  );

describe('mcpc run', () => {
  it('fails when a case does, and not for skips (A-008, A-094)', async () => {
    expect([await code('run', 'mixed'), await code('run', 'skips'), await code('run', 'good')]).toEqual([1, 0, 0]);
  });

  it('prints an array and nothing else, an entry for each trial (A-095, A-104)', async () => {
    const { stdout, code: exit } = await work.call(['run', 'mixed', '--json', '--trials', '2']);
    const results = JSON.parse(stdout) as {
      name: string;
      status: string;
      trial: number;
      duration_ms: number;
      detail?: string;
    }[];
    expect(results.map(({ name, status, trial }) => `${name} ${status} ${trial}`)).toEqual([
      'a.yaml PASS 1',
      'a.yaml PASS 2',
      'b.yaml PASS 1',
      'b.yaml PASS 2',
      'c: it fails FAIL 1',
      'c: it fails FAIL 2',
      'd.yaml SKIP 1',
      'd.yaml SKIP 2',
    ]);
    expect(results.every(({ duration_ms }) => Number.isInteger(duration_ms))).toBe(true);
    expect(exit).toBe(1);
    expect([
      await code('run', 'good', '--trials', '0'),
      await code('run', 'good', '--timeout', '10'),
      await code('run', 'good', '--bogus'),
    ]).toEqual([2, 2, 2]);
  });

  it('tells how reliable cases are (A-112)', async () => {
    expect((await work.call(['run', 'mixed', '--trials', '2'])).stdout).toContain(
      'pass@k: 2/4 capable, pass^k: 2/4 reliable',
    );
  });

  it('chooses cases by name, tag and share; none chosen is a failure', async () => {
    expect(await names('--filter', 'a*')).toEqual(['a.yaml']);
    expect(await names('--filter', '/IT F/i')).toEqual(['c: it fails']);
    expect(await names('--tag', 'slow')).toEqual(['b.yaml']);
    expect(await names('--skip-tag', 'slow')).toEqual(['a.yaml', 'c: it fails', 'd.yaml']);
    expect([await names('--shard', '1/2'), await names('--shard', '2/2')]).toEqual([
      ['a.yaml', 'c: it fails'],
      ['b.yaml', 'd.yaml'],
    ]);
    expect([await code('run', 'mixed', '--filter', 'nothing'), await code('run', 'mixed', '--shard', '3/2')]).toEqual([
      1, 2,
    ]);
  });

  it('lists what would run, and starts nothing', async () => {
    const { stdout, code: exit } = await work.call(['run', 'mixed', '--list']);
    expect([exit, stdout.trimEnd().split('\n').length, stdout]).toEqual([
      0,
      5,
      expect.stringMatching(/mixed\/b\.yaml:1 {2}b\.yaml {2}\[slow\]\n[^]*d\.yaml {2}\(skipped\)\n4 cases\n$/),
    ]);
    expect(JSON.parse((await work.call(['run', 'mixed', '--list', '--json', '--filter', 'c*'])).stdout)).toEqual([
      { name: 'c: it fails', file: 'mixed/c.yaml', line: 1, tags: [], skip: null },
    ]);
    expect(await code('run', 'mixed', '--list', '--filter', 'nothing')).toBe(1);
  });

  it('tells cases of one file apart, in whatever form its documents are, and reads a file once', async () => {
    const env = { XDG_CACHE_HOME: work.path('both-cache') };
    const native = (name: string): string =>
      `version: 1\ncases: [{ name: ${name} 1, steps: [] }, { name: ${name} 2, steps: [{ run: ["false"] }] }]\n`;
    work.write('both.yaml', [native('native'), passes, native('later'), fails].join('---\n'));
    const outcome = await work.call(
      ['run', 'both.yaml', '--suite', './both.yaml', '--format', 'json', '--trace', 'both.trace.jsonl'],
      { env },
    );
    const report = JSON.parse(outcome.stdout) as SuiteReport;
    expect(report.cases.map(({ id, status }) => `${id} ${status}`)).toEqual([
      'both.yaml#1 empty',
      'both.yaml#2 fail',
      'both.yaml#3 pass',
      'both.yaml#4 empty',
      'both.yaml#5 fail',
      'both.yaml#6 fail',
    ]);
    const judged = JSON.parse(
      (await work.call(['run', 'both.yaml', '--recording', 'both.trace.jsonl', '--format', 'json'])).stdout,
    ) as SuiteReport;
    expect(judged.cases.map(({ id, detail }) => [id, detail])).toEqual(
      report.cases.map(({ id, detail }) => [id, detail]),
    );
    expect(
      (
        JSON.parse(
          (await work.call(['run', 'both.yaml', '--suite', './both.yaml', '--failed', '--list', '--json'], { env }))
            .stdout,
        ) as { name: string }[]
      ).map(({ name }) => name),
    ).toEqual(['native 2', 'later 2', 'both.yaml']);
  });

  it('tells the command that runs a case alone, with what decides how it runs', async () => {
    work.write(
      'apart.yaml',
      `version: 1\ncases: [{ name: -x, steps: [{ run: ["false"] }] }, { name: "/a/ it's", steps: [{ run: ["false"] }] }]\n`,
    );
    const rerun = async (file: string, ...args: string[]): Promise<string[]> =>
      (JSON.parse((await work.call(['run', file, '--format', 'json', ...args])).stdout) as SuiteReport).cases.map(
        (one) => one.rerun,
      );
    expect(
      await rerun(
        'mixed/c.yaml',
        '--all-expectations',
        '--conformance',
        'fail',
        '--env',
        'A=secret-value',
        '--',
        'node',
        'a b.js',
      ),
    ).toEqual([`mcpc run mixed/c.yaml --conformance fail --all-expectations --env 'A=…' -- node 'a b.js'`]);
    expect(await rerun('apart.yaml')).toEqual([
      'mcpc run apart.yaml --filter=-x',
      `mcpc run apart.yaml --filter '/a/ it'\\''s'`,
    ]);
    expect(await rerun('both.yaml', '--filter', '/native 2|both/')).toEqual([
      `mcpc run both.yaml --filter 'native 2'`,
      `mcpc run both.yaml --filter 'both.yaml#3'`,
      `mcpc run both.yaml --filter 'both.yaml#6'`,
    ]);
    expect(
      JSON.parse((await work.call(['run', 'both.yaml', '--list', '--json', '--filter', 'both.yaml#6'])).stdout),
    ).toEqual([expect.objectContaining({ line: 10 })]);
    expect(
      (
        JSON.parse(
          (await work.call(['run', 'apart.yaml', '--list', '--json', `--filter=/a/ it's`])).stdout,
        ) as unknown[]
      ).length,
    ).toBe(1);
  });

  it('runs those again that failed last', async () => {
    const env = { XDG_CACHE_HOME: work.path('cache') };
    const again = async () =>
      (JSON.parse((await work.call(['run', 'mixed', '--json', '--failed'], { env })).stdout) as { name: string }[]).map(
        ({ name }) => name,
      );
    expect((await work.call(['run', 'mixed', '--failed'], { env })).stderr).toContain(
      'No run of these suites from this folder is known',
    );
    await work.call(['run', 'mixed'], { env });
    expect(await again()).toEqual(['c: it fails']);
    // What was not run now is known from before.
    await work.call(['run', 'mixed', '--filter', 'a*'], { env });
    expect(await again()).toEqual(['c: it fails']);
  });

  it('runs in an order of chance that comes again with its seed', async () => {
    const order = async (...args: string[]) => {
      const { stdout, stderr } = await work.call(['run', 'mixed', '--json', '--shuffle', ...args]);
      return {
        names: (JSON.parse(stdout) as { name: string }[]).map(({ name }) => name),
        seed: /--seed (\d+)/.exec(stderr)?.[1],
      };
    };
    const first = await order();
    expect((await order('--seed', first.seed!)).names).toEqual(first.names);
    expect(first.names.toSorted()).toEqual(['a.yaml', 'b.yaml', 'c: it fails', 'd.yaml']);
    const all = new Set(
      (await Promise.all(['1', '2', '3', '4', '5'].map((seed) => order('--seed', seed)))).map(({ names: one }) =>
        one.join(),
      ),
    );
    expect(all.size).toBeGreaterThan(1);
    expect(await code('run', 'mixed', '--seed', '1')).toBe(2);
  });

  it.runIf(thorough)('a case that passes when it is run again is flaky; one that fails at last is found', async () => {
    work.write(
      'counts.mjs',
      `import { appendFileSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  if (method === 'tools/call') appendFileSync('calls.txt', 'x');
  const results = { initialize: { protocolVersion: params?.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'c', version: '1' } }, 'tools/call': { content: [{ type: 'text', text: method === 'tools/call' ? String(readFileSync('calls.txt').length) : '' }] } };
  console.log(JSON.stringify({ jsonrpc: '2.0', id, ...(results[method] ? { result: results[method] } : { error: { code: -32601, message: 'no' } }) }));
});`,
    );
    const wants = (regex: string): string =>
      `name: counts\nserver: { command: node, args: [counts.mjs] }\nassert: { tool: count, expect: { matches_regex: ["${regex}"] } }\n`;
    work.write('third.yaml', wants('^3$'));
    const { stdout, code: exit } = await work.call(['run', 'third.yaml', '--retries', '4', '--trace', 'retries.jsonl']);
    expect([exit, stdout]).toEqual([
      0,
      expect.stringMatching(
        /FAIL counts \(trial 1, run again\)[^]*FAIL counts \(trial 1, run again\)[^]*PASS counts \(trial 1\)[^]*flaky/,
      ),
    ]);
    expect((await work.call(['run', 'third.yaml', '--recording', 'retries.jsonl'])).stdout).toMatch(
      /PASS counts \(trial 1\)[^]*flaky/,
    );
    work.write('calls.txt', '');
    expect(await code('run', 'third.yaml', '--retries', '1')).toBe(1);
    work.write('calls.txt', '');
    work.write('early.yaml', wants('^[1-3]$'));
    const until = JSON.parse((await work.call(['run', 'early.yaml', '--until-fail', '--json'])).stdout) as {
      status: string;
      trial: number;
    }[];
    expect(until.map(({ status, trial }) => `${status} ${trial}`)).toEqual(['PASS 1', 'PASS 2', 'PASS 3', 'FAIL 4']);
    // A kept run says the same of repeated trials, of those that were not made any more, and of what was left out.
    work.write(
      'noted.yaml',
      `server: { command: node, args: [counts.mjs], env: { A: "$NOT_SET_ANYWHERE" } }\nassert: { tool: count }\n`,
    );
    for (const [file, ...args] of [
      ['third.yaml', '--retries', '4'],
      ['early.yaml', '--until-fail'],
      ['early.yaml', '--trials', '3'],
      ['mixed', '--trials', '2'],
      ['mixed', '--bail', '1', '--jobs', '1'],
      ['noted.yaml', '--session', 'auto'],
    ] as const) {
      work.write('calls.txt', '');
      const live = JSON.parse(
        (await work.call(['run', file, ...args, '--trace', 'kept.jsonl', '--overwrite', '--format', 'json'])).stdout,
      ) as SuiteReport;
      const kept = JSON.parse(
        (await work.call(['run', file, ...args, '--recording', 'kept.jsonl', '--format', 'json'])).stdout,
      ) as SuiteReport;
      expect(timeless(kept), `${file} ${args.join(' ')}`).toEqual(timeless(live));
    }
    const other = await work.call(['run', 'good', '--recording', 'kept.jsonl']);
    expect([other.code, other.stderr]).toEqual([
      2,
      expect.stringContaining('kept.jsonl holds none of the cases that were chosen.'),
    ]);
    work.write('calls.txt', '');
    expect((await work.call(['run', 'early.yaml', '--until-fail'])).stdout).toContain('pass^k: 0/1 reliable (k = 4)');
  });

  it('ends after so many failures', async () => {
    const { stdout, code: exit } = await work.call(['run', 'mixed', '--jobs', '1', '--bail', '1']);
    expect([exit, stdout]).toEqual([
      1,
      expect.stringContaining('Incomplete: ended after 1 failed; 1 cases were not run'),
    ]);
  });

  it('a report that cannot be written is a warning (A-103); Markdown is appended (A-110)', async () => {
    work.write('file', '');
    expect(await work.call(['run', 'good', '--junit', 'file/x.xml'])).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('Warning: file/x.xml could not be written'),
    });
    await work.call(['run', 'good', '--markdown', 'm.md']);
    await work.call(['run', 'good', '--markdown', 'm.md']);
    expect(work.read('m.md').match(/^### mcpc: 1\/1 passed$/gm)).toHaveLength(2);
  });

  it('compares with a baseline: a pass that is one no more is a regression (A-099, A-101, A-102)', async () => {
    work.write('base/a.yaml', passes);
    work.write('base/b.yaml', passes);
    work.write('base/c.yaml', fails);
    await work.call(['run', 'base', '--save-baseline', 'base.json']);
    expect(JSON.parse(work.read('base.json'))).toEqual({
      entries: [
        { name: 'a.yaml', status: 'PASS' },
        { name: 'b.yaml', status: 'PASS' },
        { name: 'c.yaml', status: 'FAIL' },
      ],
    });
    expect((await work.call(['run', 'base', '--baseline', 'base.json'])).stdout).not.toContain('regression');
    work.write('base/a.yaml', `skip: true\n${passes}`);
    work.write('base/c.yaml', passes);
    const changed = await work.call(['run', 'base', '--baseline', 'base.json']);
    expect(changed).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(
        /regression: a\.yaml: PASS -> SKIP[\s\S]*passes now, unlike in the baseline: c\.yaml/,
      ),
    });
    expect(await code('run', 'base', '--baseline', 'none.json')).toBe(2);
  });
});

describe('mcpc ci', () => {
  it('holds the share of passed cases against a threshold; skips alone fail (A-097)', async () => {
    expect(await work.run(['ci', 'mixed'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('pass rate 66% is below threshold 100%'),
    });
    expect([
      await code('ci', 'mixed', '--threshold', '66'),
      await code('ci', 'good'),
      await code('ci', 'skips'),
      await code('ci', 'skips', '--threshold', '0'),
    ]).toEqual([0, 0, 1, 1]);
  });

  it('fails on regressions only when told to (A-096, A-098)', async () => {
    work.write('old.json', { entries: [{ name: 'c: it fails', status: 'PASS' }] });
    const args = ['ci', 'mixed', '--threshold', '0', '--baseline', 'old.json'];
    expect([
      await code(...args),
      await code(...args, '--fail-on-regression'),
      await code('ci', 'good', '--fail-on-regression'),
    ]).toEqual([0, 1, 2]);
  });

  it('annotations of a saved report are commands as those of the run are', async () => {
    await work.call(['run', 'mixed', '--format', 'json', '--output', 'saved.json', '--overwrite']);
    expect((await work.call(['report', 'saved.json', '--format', 'github'])).stdout).toMatch(
      /^::error file=mixed\/c\.yaml,line=3/,
    );
  });

  it('writes the step summary and annotations of GitHub (A-100)', async () => {
    work.write('summary.md', 'before\n');
    const { stdout } = await work.call(['ci', 'mixed'], {
      env: { GITHUB_STEP_SUMMARY: work.path('summary.md'), GITHUB_ACTIONS: 'true' },
    });
    expect(work.read('summary.md')).toMatch(/^before\n### mcpc: 2 passed, 1 failed/);
    expect(stdout).toContain('::error file=mixed/c.yaml,line=3,col=14,title=c%3A it fails::presence: "a" not found');
    await work.call(['run', 'mixed'], { env: { GITHUB_STEP_SUMMARY: work.path('summary.md') } });
    expect(work.read('summary.md').match(/### mcpc/g)).toHaveLength(1);
  });
});
