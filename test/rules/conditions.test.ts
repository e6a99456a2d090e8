/**
 * Gate 3: each condition of `expect` is false in some example that fails, so that none of them is dead, and without any of
 * those of `uses` some example would say something else: of a third of the
 * rules in `npm test`, and of those that the commit changes; of all with --mode all.
 */
import { describe, expect, test } from 'vitest';
import { exampleTrace } from '../../src/core/rules/examples/example-trace.ts';
import type { Condition, LeafCondition } from '../../src/core/model/rules/rule.ts';
import { leavesOf } from '../../src/core/rules/shared-definitions.ts';
import { judgeAny, judgeTrace, loadProject, settingsOf } from '../support/rules.ts';
import { changed } from '../support/run/options.ts';
import { someOf } from '../support/run/some-of.ts';

const project = await loadProject();

const features = project.sources.filter(({ rule }) => rule.uses !== undefined);

describe('conditions of uses', () => {
  test.each(
    someOf(
      features,
      3,
      ({ id }) => `conditions ${id}`,
      ({ id }) => changed.has(id),
    ),
  )('$id', async ({ id, rule }) => {
    const compiled = project.rule(id);
    for (const { leaf } of leavesOf(compiled.expect, '')) {
      const blind = {
        ...compiled,
        when: compiled.when && withoutLeaf(compiled.when, leaf),
        expect: withoutLeaf(compiled.expect, leaf),
      };
      const said = await Promise.all(
        rule.examples.map(
          async (example) =>
            (await judgeAny(blind, exampleTrace(example, settingsOf(compiled, example)[0]!)))?.status ===
            example.verdict,
        ),
      );
      expect(said, `no example needs ${JSON.stringify(leaf)}`).toContain(false);
    }
  });
});

/** The condition as if a leaf said nothing: in "all" it holds, in "any" it does not. */
function withoutLeaf(condition: Condition, leaf: LeafCondition, without = true): Condition {
  if ('all' in condition) return { all: condition.all.map((one) => withoutLeaf(one, leaf, true)) };
  if ('any' in condition) return { any: condition.any.map((one) => withoutLeaf(one, leaf, false)) };
  if ('not' in condition) return { not: withoutLeaf(condition.not, leaf, !without) };
  if ('condition' in condition || JSON.stringify(condition) !== JSON.stringify(leaf)) return condition;
  return without ? { any: [condition, { not: condition }] } : { all: [condition, { not: condition }] };
}

describe('conditions of expect', () => {
  test.each(
    someOf(
      project.sources.filter(({ rule }) => rule.uses === undefined),
      3,
      ({ id }) => `conditions ${id}`,
      ({ id }) => changed.has(id),
    ),
  )('$id', async ({ id, rule }) => {
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
    const dead = conditions
      .filter((_, index) => !broken.has(index))
      .map(({ leaf, path }) => `${path}: ${JSON.stringify(leaf)}`);
    expect(dead).toEqual([]);
  });
});
