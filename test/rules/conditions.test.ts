/**
 * Gate 3: each condition of `expect` is false in some example that fails, so that none of them is dead: of a third of the
 * rules in a run, by turns, and of those that the commit changes; of all with --mode all.
 */
import { describe, expect, test } from 'vitest';
import { exampleTrace } from '../../src/rules/examples/example-trace.ts';
import { leavesOf } from '../../src/rules/shared-definitions.ts';
import { judgeTrace, loadProject, settingsOf } from '../support/rules.ts';
import { changed } from '../support/run/options.ts';
import { someOf } from '../support/run/some-of.ts';

const project = await loadProject();

describe('conditions of expect', () => {
  test.each(someOf(project.sources, 3, ({ id }) => `conditions ${id}`, ({ id }) => changed.has(id)))('$id', async ({ id, rule }) => {
    const compiled = project.rule(id);
    const conditions = leavesOf(compiled.expect, 'expect');
    const broken = new Set<number>();
    for (const example of rule.examples.filter((one) => one.verdict === 'fail')) {
      for (const setting of settingsOf(compiled, example)) {
        const outcome = await judgeTrace(compiled, exampleTrace(example, setting));
        if (outcome?.status !== 'fail') continue;
        expect(outcome.leaves, 'the evaluator tells every condition').toHaveLength(conditions.length);
        outcome.leaves.forEach((leaf, index) => !leaf.holds && broken.add(index));
      }
    }
    const dead = conditions.filter((_, index) => !broken.has(index)).map(({ leaf, path }) => `${path}: ${JSON.stringify(leaf)}`);
    expect(dead).toEqual([]);
  });
});
