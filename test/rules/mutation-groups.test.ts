/** Mutations that share a server: each takes part, and a fault among them is found and named. */
import { afterAll, describe, expect, test } from 'vitest';
import { editing, resultOf, withResult } from '../../src/testkit/example-server/mutations/edits.ts';
import { mutation } from '../../src/testkit/example-server/mutations/mutation.ts';
import { mutations } from '../../src/testkit/example-server/mutations/catalogue.ts';
import { mutationCases, type MutationCase } from '../support/accuracy.ts';
import { casesInTurn, checkGroup, groupMutations, hiding } from '../support/mutation-groups.ts';
import { openReferenceLab } from '../support/reference-server.ts';
import { thorough } from '../support/run/options.ts';

const lab = await openReferenceLab();
afterAll(() => lab.close());

function grouped(): string[][] {
  return groupMutations(casesInTurn(mutationCases(false))).map(({ cases }) => cases.map(({ id }) => id).sort());
}

describe('groups of mutations', () => {
  test('hold each mutation once', () => {
    expect(grouped().flat().sort()).toEqual(mutations.map(({ id }) => id).sort());
  });

  test('keep apart mutations that exist', () => {
    expect(Object.keys(hiding).filter((id) => !mutations.some((one) => one.id === id))).toEqual([]);
    const together = grouped()
      .filter((ids) => ids.includes('prompts/capability-declaration'))
      .flat();
    expect(together.filter((id) => id.startsWith('prompts/') || id.startsWith('completion/'))).toEqual([
      'prompts/capability-declaration',
    ]);
  });

  test('spread the mutations over every transport', () => {
    const drawn = casesInTurn(mutationCases(false)).map(({ transport }) => transport);
    for (const transport of ['stdio', 'http', 'sse'] as const)
      expect(drawn.filter((one) => one === transport).length).toBeGreaterThan(drawn.length / 20);
  });
});

const setting = { transport: 'stdio', revision: '2025-11-25' } as const;

function listed(id: string): MutationCase {
  return { ...setting, id, mutation: mutations.find((one) => one.id === id)!, whole: true };
}

const companions = ['ping/answer-empty-result', 'completion/result-schema'].map(listed);

describe('a group', { timeout: 300_000 }, () => {
  test.runIf(thorough)('finds the mutation that also breaks a rule that it does not name', async () => {
    const planted = mutation({
      rule: 'prompts/list-result-schema',
      id: 'prompts/list-result-schema@planted',
      description: 'The list of prompts is an object, and that of resources as well.',
      change: {
        outgoing: (message, about) =>
          editing(
            resultOf('prompts/list'),
            withResult(() => ({ prompts: {} })),
          )(message, about).flatMap((one) =>
            editing(
              resultOf('resources/list'),
              withResult(() => ({ resources: {} })),
            )(one, about),
          ),
      },
    });
    const { wrong, alone } = await checkGroup(lab, {
      ...setting,
      cases: [...companions, { ...setting, id: planted.id, mutation: planted, whole: true }],
    });
    expect(alone).toEqual([...companions.map(({ id }) => id), planted.id]);
    expect(wrong.length).toBeGreaterThan(0);
    for (const line of wrong)
      expect(line).toContain(`${planted.id}, stdio, 2025-11-25 also breaks a rule that it does not name`);
    expect(wrong.join('\n')).toContain('fail resources/list-result-schema');
  });

  test.runIf(thorough)('finds the mutation that its rule does not fail', async () => {
    const idle = mutation({
      rule: 'prompts/list-result-schema',
      id: 'prompts/list-result-schema@idle',
      description: 'Nothing changes.',
      change: {},
    });
    const { wrong, alone } = await checkGroup(lab, {
      ...setting,
      cases: [...companions, { ...setting, id: idle.id, mutation: idle, whole: true }],
    });
    expect(alone).toEqual([idle.id]);
    expect(wrong).toEqual([
      `${idle.id}, stdio, 2025-11-25 is not failed by its rule prompts/list-result-schema, which came to pass`,
    ]);
  });
});
