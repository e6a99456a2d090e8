/**
 * Gate over the words of reports: each failing example of a rule is rendered, and no text may hold what only mcpc
 * understands, name properties of another revision, stumble, or be too long to be read. A third of the rules is due in a
 * run, and those that changed; all with --mode all.
 */
import { describe, expect, test } from 'vitest';
import { createTextRenderer, verdictOf } from '../../src/check/reporting/verdict-text.ts';
import { openRuleWords } from '../../src/check/authoring/rule-words.ts';
import { exampleTrace } from '../../src/core/rules/examples/example-trace.ts';
import { judgeTrace, loadProject, settingsOf } from '../support/rules.ts';
import { changed } from '../support/run/options.ts';
import { someOf } from '../support/run/some-of.ts';

const project = await loadProject();
const render = createTextRenderer();
const words = openRuleWords([]);

describe.each(
  someOf(
    project.sources,
    3,
    ({ id }) => `words ${id}`,
    ({ id }) => changed.has(id),
  ),
)('$id', ({ id, rule }) => {
  const compiled = project.rule(id);
  const failing = rule.examples.flatMap((example, index) =>
    example.verdict === 'fail' ? [{ example, index, setting: settingsOf(compiled, example)[0]! }] : [],
  );

  test('says what is wrong in words of the specification', async () => {
    const found: string[] = [];
    for (const { example, index, setting } of failing) {
      const trace = exampleTrace(example, setting);
      const outcome = (await judgeTrace(compiled, trace))!;
      for (const { text, why } of words.ofVerdict(
        verdictOf(outcome, setting, render),
        compiled,
        JSON.stringify(trace.events),
      ))
        found.push(`example ${index}: ${text} ${why}`);
      for (const { text, why } of words.zeroes(compiled, outcome.facts)) found.push(`example ${index}: ${text} ${why}`);
    }
    for (const { text, why } of words.foreign(compiled, JSON.stringify(rule.examples))) found.push(`${text}: ${why}`);
    expect([...new Set(found)]).toEqual([]);
  });
});
