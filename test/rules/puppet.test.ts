/** Gate 2: played live by the puppet, over every transport of the rule, each example gets its verdict again. */
import { afterAll, describe, expect, test } from 'vitest';
import { buildPuppetProgram } from '../support/puppet-program.ts';
import { runExample } from '../support/live-run.ts';
import { loadProject, settingsOf } from '../support/rules.ts';
import { traceText } from '../support/trace-text.ts';

const project = await loadProject();
const played = project.sources.filter(({ rule }) => rule.role === 'server' && rule.examples.some((example) => example.notLive === undefined));
const program = await buildPuppetProgram();
afterAll(() => program.dispose());

describe.concurrent.each(played)('$id', ({ id, rule }) => {
  const compiled = project.rule(id);
  const cases = rule.examples.flatMap((example, index) =>
    example.notLive === undefined ? settingsOf(compiled, example).map((setting) => ({ example, index, ...setting })) : [],
  );
  test.each(cases)('example $index ($example.verdict) on $transport at $revision', async ({ example, index: _index, ...setting }) => {
    const run = await runExample(compiled, example, setting, program);
    const seen = run.outcome?.status ?? `no verdict (${run.unreachable ?? 'the rule was not judged'})`;
    const told = () => [
      `wanted ${example.verdict}, came to ${seen}`,
      run.outcome?.actual && `actual: ${run.outcome.actual}`,
      run.unreachable && `probing: ${run.unreachable}`,
      ...example.trace,
      'live:',
      traceText(run.trace),
    ];
    expect(seen, seen === example.verdict ? '' : told().filter(Boolean).join('\n')).toBe(example.verdict);
  });
});
