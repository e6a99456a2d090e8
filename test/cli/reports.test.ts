/** What a check prints and writes, and the exit code that it ends with. */
import { XMLParser } from 'fast-xml-parser';
import { beforeAll, describe, expect, test } from 'vitest';
import type { PartReport } from '../../src/core/model/reports/run-parts.ts';
import { parseReport } from '../support/read-report.ts';
import { errorOf, exampleServer, Workspace } from './harness.ts';
import { sound, wrongPing } from './servers.ts';

const space = new Workspace();
const ping = ['--spec', '2025-11-25', '--only', 'ping'];
const good = ['--', 'node', 'sound.mjs'];
const bad = ['--', 'node', 'wrong-ping.mjs'];
const brokenRule = 'ping/answer-empty-result';

beforeAll(() => {
  space.write('sound.mjs', sound);
  space.write('wrong-ping.mjs', wrongPing);
});

function verdictOf(report: PartReport, rule: string) {
  return report.verdicts.find((verdict) => verdict.rule === rule)!;
}

describe('check', () => {
  test('a sound server: 0, scorecard on stdout, one line of talk on stderr', async () => {
    const { code, stdout, stderr } = await space.run(['check', ...ping, ...good]);
    expect(code).toBe(0);
    expect(stdout).toContain('COMPLIANT  score 100.0  grade A');
    expect(stdout).toContain('sound.mjs');
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  });

  test('a server that breaks a MUST: 1, with requirement, proof and fix', async () => {
    const { code, stdout, stderr } = await space.call(['check', ...ping, ...bad]);
    expect(code).toBe(1);
    for (const text of [
      'NOT COMPLIANT',
      brokenRule,
      '"pong"',
      'Clause',
      'Fix',
      'https://modelcontextprotocol.io/specification/2025-11-25/',
    ])
      expect(stdout).toContain(text);
    expect(stderr).toContain(`Exit 1: 1 requirement violated: ${brokenRule}.`);
  });

  test('--json prints a report that validates, and nothing else on stdout', async () => {
    const { code, stdout } = await space.call(['check', '--json', ...ping, ...bad]);
    expect(code).toBe(1);
    const report = parseReport(stdout, 'stdout');
    expect(report).toMatchObject({
      format: 'mcpc-run-report',
      version: 2,
      transport: 'stdio',
      revision: '2025-11-25',
      compliant: false,
      trace: null,
      incomplete: null,
    });
    expect(verdictOf(report, brokenRule)).toMatchObject({ status: 'fail', level: 'MUST' });
    // The proof is in the report itself.
    const cited = verdictOf(report, brokenRule).evidence[0]!.events;
    expect(report.wire.filter((entry) => cited.includes(entry.seq)).some((entry) => entry.body.includes('pong'))).toBe(
      true,
    );
  });

  test('--quiet prints the score and the failures only', async () => {
    const { code, stdout, stderr } = await space.call(['check', '--quiet', ...ping, ...bad]);
    expect(code).toBe(1);
    expect(stdout.trimEnd().split('\n')).toHaveLength(2);
    expect(stdout).toContain(brokenRule);
    expect(stderr).toBe(`Exit 1: 1 requirement violated: ${brokenRule}.\n`);
  });

  test('--verbose shows progress and the stderr of the server', async () => {
    space.write('talks.mjs', `process.stderr.write('listening to you\\n');\n${sound}`);
    const { stdout, stderr } = await space.call(['check', '--verbose', ...ping, '--', 'node', 'talks.mjs']);
    expect(stderr).toContain('  | listening to you');
    expect(stderr).toMatch(/Connecting[\s\S]*Probing talks\.mjs: \d+ of \d+[\s\S]*Judging/);
    expect(stdout).toMatch(/Passed|passed/);
  });

  test('formats go to their files in pairs, the scorecard stays on stdout', async () => {
    const pairs = [
      '-f',
      'html',
      '-o',
      'out/page.html',
      '-f',
      'junit',
      '-o',
      'out/junit.xml',
      '-f',
      'sarif',
      '-o',
      'out/mcp.sarif',
      '-f',
      'markdown',
      '-o',
      'out/summary.md',
    ];
    const { code, stdout, stderr } = await space.call([
      'check',
      ...ping,
      ...pairs,
      '-o',
      'out/run.json',
      '-o',
      'out/badge.svg',
      ...bad,
    ]);
    expect(code).toBe(1);
    expect(stdout).toContain('NOT COMPLIANT');
    for (const file of ['page.html', 'junit.xml', 'mcp.sarif', 'summary.md', 'run.json', 'badge.svg'])
      expect(stderr).toContain(`to out/${file}`);
    expect(space.read('out/page.html')).toMatch(/^<!doctype html>/i);
    expect(() => new XMLParser().parse(space.read('out/junit.xml'), true)).not.toThrow();
    expect(JSON.parse(space.read('out/mcp.sarif'))).toMatchObject({ version: '2.1.0' });
    expect(space.read('out/summary.md')).toContain(brokenRule);
    expect(space.read('out/badge.svg')).toContain('<svg');
    expect(verdictOf(parseReport(space.read('out/run.json'), 'run.json'), brokenRule).status).toBe('fail');
  });

  test('one format without a file goes to stdout', async () => {
    const { stdout } = await space.call([
      'check',
      ...ping,
      '-f',
      'markdown',
      '-f',
      'badge-json',
      '-o',
      'badge.json',
      ...good,
    ]);
    expect(stdout).toMatch(/^#/m);
    expect(JSON.parse(space.read('badge.json'))).toMatchObject({ schemaVersion: 1 });
  });

  test('templates of the user replace ours', async () => {
    space.write('mine/markdown/report.hbs', 'Mine: {{target.name}}\n');
    const { stdout } = await space.call(['check', ...ping, '--templates', 'mine', '-f', 'markdown', ...good]);
    expect(stdout).toBe('Mine: sound.mjs\n');
  });

  test('a broken template is told with its file', async () => {
    space.write('broken/markdown/report.hbs', '{{#if}}');
    const outcome = await space.call(['check', ...ping, '--templates', 'broken', '-f', 'markdown', ...good]);
    expect(outcome.code).toBe(2);
    expect(errorOf(outcome).why).toContain('broken/markdown/report.hbs');
  });

  test.each([
    [['--min-score', '100'], good, 0],
    [['--min-grade', 'a'], good, 0],
    [['--min-score', '100'], bad, 1],
  ])('%j', async (gate, server, expected) => {
    expect((await space.call(['check', '--quiet', ...ping, ...gate, ...server])).code).toBe(expected);
  });

  test('a score below the minimum fails a run that is compliant', async () => {
    const server = ['--', 'node', exampleServer, 'stdio', '--mutation', 'tools/name-character-set'];
    const area = ['check', '--spec', '2025-11-25', '--only', 'tools/name-*'];
    const free = await space.call([...area, '--json', ...server]);
    const report = parseReport(free.stdout, 'stdout');
    expect({ code: free.code, compliant: report.compliant, failed: report.counts.fail }).toEqual({
      code: 0,
      compliant: true,
      failed: 1,
    });
    const bound = await space.call([...area, '--min-score', '100', ...server]);
    expect(bound.code).toBe(1);
    expect(bound.stderr).toContain(`The score ${report.score} is below 100.`);
  });

  test('a selection that decides nothing proves nothing', async () => {
    const { code, stderr } = await space.call([
      'check',
      '--spec',
      '2025-11-25',
      '--only',
      'cancellation/receiver-work-stop',
      ...good,
    ]);
    expect(code).toBe(1);
    expect(stderr).toContain('Nothing was decided, so nothing is proven.');
  });
});

describe('judge and report', () => {
  test('a saved trace gives the report of the run', async () => {
    const live = await space.call(['check', '--json', '--trace', 'run.jsonl', ...ping, ...bad]);
    const again = await space.call(['judge', '--json', '--only', 'ping', 'run.jsonl']);
    expect([live.code, again.code]).toEqual([1, 1]);
    const [first, second] = [live.stdout, again.stdout].map((text) => ({
      ...parseReport(text, 'stdout'),
      startedAt: '',
      durationMs: 0,
    }));
    expect(second).toEqual(first);
  });

  test('report reads a file or stdin, and says by its code only whether that worked', async () => {
    const { stdout: json } = await space.call(['check', '--json', ...ping, ...bad]);
    space.write('run.json', json);
    const [file, pipe] = await Promise.all([
      space.call(['report', 'run.json']),
      space.run(['report', '-'], { input: json }),
    ]);
    expect(file.code).toBe(0);
    expect(file.stdout).toContain('NOT COMPLIANT');
    expect(pipe).toEqual(file);
    const same = await space.call(['report', 'run.json', '--json']);
    expect(same.stdout).toBe(json);
  });

  test('report with files prints nothing on stdout', async () => {
    const { stdout: json } = await space.call(['check', '--json', ...ping, ...good]);
    space.write('run.json', json);
    const { code, stdout, stderr } = await space.call([
      'report',
      'run.json',
      '--format',
      'html',
      '--output',
      'report.html',
    ]);
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: '', stderr: 'Wrote html to report.html\n' });
  });
});

describe('baseline', () => {
  test('from writing it to the day when it is stale', async () => {
    const args = ['check', ...ping, '--baseline', 'known.json'];
    const written = await space.call([...args, '--update-baseline', ...bad]);
    expect(written.code, written.stderr).toBe(0);
    expect(JSON.parse(space.read('known.json'))).toMatchObject({
      format: 'mcpc-baseline',
      revision: '2025-11-25',
      failures: [{ rule: brokenRule }],
    });

    const within = await space.call([...args, '--json', ...bad]);
    expect(within.code).toBe(0);
    expect(parseReport(within.stdout, 'stdout').baseline).toEqual({
      file: 'known.json',
      known: [brokenRule],
      fresh: [],
      stale: [],
    });
    expect(within.stderr).toContain('Within the baseline: 1 known failure, none new.');

    const mended = await space.call([...args, ...good]);
    expect(mended.code).toBe(1);
    expect(mended.stderr).toContain(`1 baseline entry passing now; remove with --update-baseline: ${brokenRule}`);

    expect((await space.call([...args, '--update-baseline', ...good])).code).toBe(0);
    const afterwards = await space.call([...args, ...bad]);
    expect(afterwards.code).toBe(1);
    expect(afterwards.stderr).toContain('violated and not in the baseline');
  });

  test('of another revision', async () => {
    space.write('old.json', { format: 'mcpc-baseline', version: 1, revision: '2024-11-05', failures: [] });
    const outcome = await space.call(['check', ...ping, '--baseline', 'old.json', ...good]);
    expect(outcome.code).toBe(2);
    expect(errorOf({ ...outcome, stdout: '' }).why).toContain('written for revision 2024-11-05');
    // What was checked is not lost for it.
    expect(outcome.stdout).toContain('COMPLIANT');
  });
});
