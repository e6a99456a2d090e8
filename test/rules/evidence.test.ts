/**
 * Gate 4: without the events that a pass cites as its evidence, a trace never passes, and shows no use without those of a use: of an eighth of the rules in a run, by
 * turns, and of those that the commit changes; of all with --mode all.
 */
import { describe, expect, test } from 'vitest';
import { exampleTrace } from '../../src/core/rules/examples/example-trace.ts';
import { judgeAny, loadProject, settingsOf } from '../support/rules.ts';
import { changed } from '../support/run/options.ts';
import { someOf } from '../support/run/some-of.ts';
import { traceText } from '../support/trace-text.ts';

const project = await loadProject();

describe.each(
  someOf(
    project.sources,
    8,
    ({ id }) => `evidence ${id}`,
    ({ id }) => changed.has(id),
  ),
)('$id', ({ id, rule }) => {
  const compiled = project.rule(id);
  const cases = rule.examples.flatMap((example, index) =>
    example.verdict === 'pass' || example.verdict === 'used'
      ? settingsOf(compiled, example).map((setting) => ({ example, index, ...setting }))
      : [],
  );
  test.each(cases)('example $index on $transport at $revision', async ({ example, index: _index, ...setting }) => {
    const trace = exampleTrace(example, setting);
    const cited = new Set((await judgeAny(compiled, trace))?.evidence);
    expect(cited.size, 'a pass or a use cites events').toBeGreaterThan(0);
    const rest = { ...trace, events: trace.events.filter((event) => !cited.has(event.seq)) };
    const outcome = await judgeAny(compiled, rest);
    expect(outcome?.status, `without ${[...cited].join(', ')}:\n${traceText(rest)}`).not.toBe(example.verdict);
  });
});
