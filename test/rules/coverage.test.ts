/**
 * Gate 6: every requirement that can be observed has a rule about each party that it binds and shows on, or stands on
 * rules/todo.json. That list
 * is dated and may only shrink, so what leaves it must have a rule, and nothing new may come onto it.
 */
import { describe, expect, test } from 'vitest';
import type { RequirementAt } from '../../src/core/model/rules/requirement.ts';
import {
  bindsParty,
  extensionsOf,
  isClientObservable,
  isObservable,
  isServerObservable,
  requirementsOf,
} from '../../src/core/spec/requirements/catalogue.ts';
import { revisions } from '../../src/core/spec/revisions.ts';
import { loadProject } from '../support/rules.ts';
import { todo } from '../support/todo.ts';

/**
 * How many entries the list had when it was last cut, and the date; lower both, never raise them. What an extension
 * demands came onto it when its file did, and is counted by itself; '' stands for the revisions.
 */
const limits: Record<string, { longest: number; closed: string }> = {
  '': { longest: 24, closed: '2026-11-29' },
  'io.modelcontextprotocol/tasks': { longest: 0, closed: '2026-11-29' },
};

const { catalogue, plan } = await loadProject();
const parties = ['server', 'client'] as const;
type Party = (typeof parties)[number];

const ruled: Record<Party, ReadonlySet<string>> = { server: ruledOf('server'), client: ruledOf('client') };
const listed = new Set(todo.filter(({ party }) => party === undefined).map(({ requirement }) => requirement));
const listedOfClients = new Set(todo.filter(({ party }) => party === 'client').map(({ requirement }) => requirement));

function ruledOf(party: Party): ReadonlySet<string> {
  return new Set(plan.rules.filter(({ role }) => role === party).flatMap(({ requirements }) => requirements));
}

/** The parties about which a rule is due: each that it binds and shows on; either where only authorization shows it. */
function sides(requirement: RequirementAt): Party[] {
  const seen = { server: isServerObservable, client: isClientObservable };
  return parties.filter((party) => bindsParty(requirement, party) && seen[party](requirement));
}

/** What lacks a rule and stands on no list, as `<id>, <party>`. */
function gaps(all: readonly RequirementAt[]): string[] {
  return all.flatMap((requirement) => {
    const { id } = requirement;
    if (listed.has(id)) return [];
    const due = sides(requirement);
    if (due.length === 0) return ruled.server.has(id) || ruled.client.has(id) ? [] : [`${id}, either`];
    return due
      .filter((party) => !ruled[party].has(id) && !(party === 'client' && listedOfClients.has(id)))
      .map((party) => `${id}, ${party}`);
  });
}

describe.each(revisions)('revision %s', (revision) => {
  const due = requirementsOf(catalogue, revision).filter((requirement) => isObservable(requirement));

  test('has requirements to cover', () => {
    expect(due.length).toBeGreaterThan(50);
  });

  test('leaves none without a rule about each party that it binds, or an entry on the to-do list', () => {
    expect(gaps(due)).toEqual([]);
  });

  test('has none that shows only on a party that it does not bind', () => {
    const astray = due.filter((one) => sides(one).length === 0 && !one.observe.includes('auth'));
    expect(astray.map(({ id }) => id)).toEqual([]);
  });
});

describe.each(
  revisions.flatMap((revision) => extensionsOf(catalogue, revision).map((extension) => ({ extension, revision }))),
)('extension $extension of $revision', ({ extension, revision }) => {
  test('leaves none without a rule about each party that it binds, or an entry on the to-do list', () => {
    const due = requirementsOf(catalogue, revision, extension).filter((requirement) => isObservable(requirement));
    expect(due.length).toBeGreaterThan(0);
    expect(gaps(due)).toEqual([]);
  });
});

describe('the to-do list', () => {
  test('names requirements that exist, once each', () => {
    expect(todo.filter(({ requirement }) => !catalogue.byId.has(requirement))).toEqual([]);
    expect(listed.size + listedOfClients.size).toBe(todo.length);
    expect([...listedOfClients].filter((id) => listed.has(id))).toEqual([]);
  });

  test('has nothing on it that has a rule by now', () => {
    expect([...listed].filter((id) => ruled.server.has(id) || ruled.client.has(id))).toEqual([]);
    expect([...listedOfClients].filter((id) => ruled.client.has(id))).toEqual([]);
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
