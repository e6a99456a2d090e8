/**
 * Gate 5, the catalogue of mutations: it names rules that exist, and covers every rule. That each mutation is
 * caught is tested by transport in mutations-*.test.ts; --mode all takes every transport and revision there.
 */
import { describe, expect, test } from 'vitest';
import { serverFaultList, serverFaults } from '../../src/server/authorization/server-faults.ts';
import { mutations } from '../../src/testkit/example-server/mutations/catalogue.ts';
import { resolveRule } from '../support/accuracy.ts';
import { loadProject } from '../support/rules.ts';
import { isToDo } from '../support/todo.ts';

const project = await loadProject();

describe('every mutation', () => {
  test.each(
    mutations.map(({ id, rule, alsoBreaks }) => ({
      id,
      names: [rule, ...(alsoBreaks ?? [])].filter((name) => name !== '*'),
    })),
  )('$id names rules that exist or are to do', ({ names }) => {
    expect(names.filter((name) => resolveRule(name) === undefined && !isToDo(name))).toEqual([]);
  });
});

describe('every rule', () => {
  // Faults of an authorization server are those of the test authorization server (test/server/authorization).
  const broken = serverFaults.flatMap((fault) => serverFaultList[fault].breaks);
  const mutated = new Set<string | undefined>([...mutations.map(({ rule }) => resolveRule(rule)), ...broken]);

  // A rule of level MAY tells what a server uses; there is nothing to break.
  const telling = new Set(project.sources.filter(({ rule }) => rule.uses !== undefined).map(({ id }) => id));

  test('has a mutation, if it can fail', () => {
    const bare = project.plan.rules.filter(({ id, role }) => role === 'server' && !mutated.has(id) && !telling.has(id));
    expect(bare.map(({ id }) => id)).toEqual([]);
  });
});
