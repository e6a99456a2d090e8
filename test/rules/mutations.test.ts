/**
 * Gate 5: every mutation of the reference server is failed by the rule that it names, and by no rule that has
 * nothing to do with it. One revision of each transport; MCPC_ALL=1 takes every revision.
 */
import pLimit from 'p-limit';
import { afterAll, describe, expect, test } from 'vitest';
import { mutations } from '../reference/mutations/catalogue.ts';
import { lineOf, mutationCases, runMutation } from '../support/accuracy.ts';
import { openReferenceLab } from '../support/reference-server.ts';
import { loadProject } from '../support/rules.ts';
import { rulesWithoutMutation } from './rules-without-mutation.ts';

const project = await loadProject();
const lab = await openReferenceLab();
afterAll(() => lab.close());

/** Checks spend most of their time waiting, so several run at a time; vitest reports them one by one. */
const limit = pLimit(4);
const runs = new Map(mutationCases().map((one) => [`${one.id} ${one.transport} ${one.revision}`, { ...one, outcome: limit(() => runMutation(lab, one)) }]));
for (const { outcome } of runs.values()) outcome.catch(() => {});

describe('every mutation', () => {
  test.each([...runs.values()])(
    '$id is failed by its rule on $transport at $revision',
    async ({ mutation, outcome }) => {
      const { byName, named, unrelated, errors } = await outcome;
      expect(errors.map(lineOf)).toEqual([]);
      expect(unrelated.map(lineOf)).toEqual([]);
      if (mutation.advisory !== true) expect({ [mutation.rule]: byName ? 'fail' : named }).toEqual({ [mutation.rule]: 'fail' });
    },
    600_000,
  );

  test.each(mutations.map(({ id, rule, alsoBreaks }) => ({ id, names: [rule, ...(alsoBreaks ?? [])].filter((name) => name !== '*') })))(
    '$id names rules that exist',
    ({ names }) => {
      expect(names.filter((name) => project.rule(name) === undefined)).toEqual([]);
    },
  );
});

describe('every rule', () => {
  const mutated = new Set(mutations.map(({ rule }) => rule));
  test('has a mutation, or a written reason for having none', () => {
    const bare = project.plan.rules.filter(({ id, role }) => role === 'server' && !mutated.has(id) && rulesWithoutMutation[id] === undefined);
    expect(bare.map(({ id }) => id)).toEqual([]);
  });

  test('has no reason left over', () => {
    const stale = Object.keys(rulesWithoutMutation).filter((id) => mutated.has(id) || project.rule(id) === undefined);
    expect(stale).toEqual([]);
  });
});
