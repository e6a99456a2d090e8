/** The traffic of cases, judged by the rules beside their own expectations. */
import { describe, expect, it } from 'vitest';
import type { SuiteReport } from '../../src/core/model/reports/suite-report.ts';
import { exampleServer, Workspace } from '../cli/harness.ts';

const work = new Workspace();
/** A server that breaks a rule in what it answers to a ping. */
const suite = (flags: string): string => `version: 1
servers:
  reference: { command: node, args: [${JSON.stringify(exampleServer)}, stdio, --fixtures${flags}] }
defaults: { timeout: 60s, spec: "2025-11-25" }
cases:
  - { name: pings, steps: [{ ping: true }, { list: tools }] }
`;

async function run(yaml: string, args: string[]): Promise<SuiteReport['cases'][number]> {
  const file = work.write('suite.yaml', yaml);
  const { stderr } = await work.call([
    'run',
    file,
    '--format',
    'json',
    '--output',
    work.path('r.json'),
    '--overwrite',
    ...args,
  ]);
  if (!work.has('r.json')) throw new Error(stderr);
  return (JSON.parse(work.read('r.json')) as SuiteReport).cases[0]!;
}

describe('--conformance', () => {
  it('finds nothing in a sound server', async () => {
    const seen = await run(suite(''), ['--conformance', 'fail']);
    expect([seen.status, seen.trials[0]!.violations?.filter(({ severity }) => severity === 'error')]).toEqual([
      'pass',
      [],
    ]);
  });

  it('shows what breaks a rule, and fails the case when told to', async () => {
    const broken = suite(', --mutation, ping/answer-empty-result');
    const warned = await run(broken, ['--conformance', 'warn']);
    expect([warned.status, warned.trials[0]!.violations?.map(({ rule }) => rule)]).toEqual([
      'pass',
      expect.arrayContaining(['ping/answer-empty-result']),
    ]);
    const failed = await run(broken, ['--conformance', 'fail']);
    expect([failed.status, failed.detail]).toEqual([
      'fail',
      expect.stringMatching(/^conformance: MUST (?:jsonrpc|ping)\/[\w-]+: .*ping/),
    ]);
    expect(failed.trials[0]!.failures[0]!.evidence.map(({ label }) => label)).toEqual([
      expect.stringMatching(/^request \d+ ping$/),
      expect.stringMatching(/^result \d+$/),
    ]);
    expect((await run(broken, [])).trials[0]).not.toHaveProperty('violations');
  });

  it('is what the file says where no flag does, of a kept run as well', async () => {
    const strict = suite(', --mutation, ping/answer-empty-result').replace(
      'version: 1\n',
      'version: 1\nconformance: fail\n',
    );
    const failed = await run(strict, ['--trace', work.path('kept.jsonl')]);
    expect([failed.status, failed.detail]).toEqual(['fail', expect.stringMatching(/^conformance: MUST /)]);
    const kept = await run(strict, ['--recording', work.path('kept.jsonl')]);
    expect([kept.detail, kept.trials[0]!.violations]).toEqual([failed.detail, failed.trials[0]!.violations]);
    expect(kept.trials[0]!.failures).toEqual(failed.trials[0]!.failures);
    expect((await run(strict, ['--conformance', 'off', '--recording', work.path('kept.jsonl')])).status).toBe('pass');
    const own = await run(strict.replace('{ name: pings,', '{ name: pings, conformance: warn,'), [
      '--recording',
      work.path('kept.jsonl'),
    ]);
    expect([own.status, own.trials[0]!.violations?.length]).toEqual(['pass', failed.trials[0]!.violations?.length]);
  });
});

describe('the step check', () => {
  const suite = (step: string, flags = ''): string => `version: 1
servers: { reference: { command: node, args: [${JSON.stringify(exampleServer)}, stdio${flags}] } }
defaults: { timeout: 100s, spec: "2025-11-25" }
cases: [{ name: checked, steps: [{ check: ${step}, expect: { structured: { compliant: true } } }] }]
`;

  it('passes for a sound server, and fails with the rule that is broken, as a kept run tells again', async () => {
    expect((await run(suite('{ only: [ping/*], min_grade: A }'), [])).status).toBe('pass');
    const failed = await run(suite('{ level: must, only: [ping/*] }', ', --mutation, ping/answer-empty-result'), [
      '--trace',
      work.path('check.jsonl'),
    ]);
    expect([failed.status, failed.detail]).toEqual([
      'fail',
      expect.stringMatching(/^check: not compliant: MUST ping\/answer-empty-result: /),
    ]);
    expect(
      (
        await run(suite('{ level: must, only: [ping/*] }', ', --mutation, ping/answer-empty-result'), [
          '--recording',
          work.path('check.jsonl'),
        ])
      ).detail,
    ).toBe(failed.detail);
  });

  it('of rules that do not exist is told', async () => {
    const seen = await run(suite('{ only: [no/such-rule] }'), []);
    expect([seen.status, seen.detail]).toEqual(['fail', expect.stringMatching(/^check failed: /)]);
  });
});
