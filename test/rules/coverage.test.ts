/**
 * Gate 6: every requirement that can be observed has a rule, or stands on rules/todo.json. That list
 * is dated and may only shrink, so what leaves it must have a rule, and nothing new may come onto it.
 */
import { describe, expect, test } from 'vitest';
import { extensionsOf, isObservable, requirementsOf } from '../../src/core/spec/requirements/catalogue.ts';
import { revisions } from '../../src/core/spec/revisions.ts';
import { loadProject } from '../support/rules.ts';
import { todo } from '../support/todo.ts';

/**
 * How many entries the list had when it was last cut, and the date; lower both, never raise them. What an extension
 * demands came onto it when its file did, and is counted by itself; '' stands for the revisions.
 */
const limits: Record<string, { longest: number; closed: string }> = {
  '': { longest: 344, closed: '2026-11-22' },
  'io.modelcontextprotocol/tasks': { longest: 11, closed: '2026-11-23' },
};

const { catalogue, plan } = await loadProject();
const listed = new Set(todo.map(({ requirement }) => requirement));
const ruled = new Set(plan.rules.flatMap(({ requirements }) => requirements));

describe.each(revisions)('revision %s', (revision) => {
  const due = requirementsOf(catalogue, revision).filter((requirement) => isObservable(requirement));

  test('has requirements to cover', () => {
    expect(due.length).toBeGreaterThan(50);
  });

  test('leaves none without a rule or an entry on the to-do list', () => {
    expect(due.filter(({ id }) => !ruled.has(id) && !listed.has(id)).map(({ id }) => id)).toEqual([]);
  });
});

describe.each(
  revisions.flatMap((revision) => extensionsOf(catalogue, revision).map((extension) => ({ extension, revision }))),
)('extension $extension of $revision', ({ extension, revision }) => {
  test('leaves none without a rule or an entry on the to-do list', () => {
    const due = requirementsOf(catalogue, revision, extension).filter((requirement) => isObservable(requirement));
    expect(due.length).toBeGreaterThan(0);
    expect(due.filter(({ id }) => !ruled.has(id) && !listed.has(id)).map(({ id }) => id)).toEqual([]);
  });
});

describe('the to-do list', () => {
  test('names requirements that exist, once each', () => {
    expect(todo.filter(({ requirement }) => !catalogue.byId.has(requirement))).toEqual([]);
    expect(listed.size).toBe(todo.length);
  });

  test('has nothing on it that has a rule by now', () => {
    expect([...listed].filter((id) => ruled.has(id))).toEqual([]);
  });

  test('does not grow', () => {
    const extensionOf = (id: string): string => catalogue.byId.get(id)?.extension ?? '';
    for (const [extension, { longest, closed }] of Object.entries(limits)) {
      const own = todo.filter(({ requirement }) => extensionOf(requirement) === extension);
      expect(own.length, extension).toBeLessThanOrEqual(longest);
      for (const { since } of own) {
        expect(since).toMatch(/^\d{4}-\d\d-\d\d$/);
        expect(since <= closed).toBe(true);
      }
    }
    expect(todo.filter(({ requirement }) => !Object.hasOwn(limits, extensionOf(requirement)))).toEqual([]);
  });
});
