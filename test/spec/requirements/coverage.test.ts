/** COVERAGE.md: true denominators, and every gap by name. */
import { describe, expect, it } from 'vitest';
import { buildCatalogue } from '../../../src/core/spec/requirements/catalogue.ts';
import { coverageOf, extensionCoverages } from '../../../src/core/spec/requirements/coverage.ts';
import { parseRequirements } from '../../../src/core/spec/requirements/parse-requirements.ts';
import { renderCoverage } from '../../../src/tools/generate/coverage.ts';

const catalogue = buildCatalogue([
  parseRequirements(
    [
      '# T',
      'Revision: 2025-11-25',
      '- **MUST** server `a.must.one` One. [x] {observe: server-active}',
      '- **MUST NOT** both `a.must.two` Two. [x] {observe: client-passive, server-passive}',
      '- **SHOULD** server `b.should.one` Three. [x] {observe: server-passive}',
      '- **MAY** server `b.may.one` Four. [x] {observe: server-active}',
      '- **MUST** client `c.client.one` Five. [x] {observe: client-active}',
      '- **MUST** server `c.auth.one` Six. [x] {observe: auth}',
      '- **MUST** host `d.none.one` Seven. [x] {observe: none; reason: Unseen}',
    ].join('\n'),
    't.md',
  ),
]);
const rules = [
  { id: 'a/one', requirements: ['a.must.one', 'b.should.one'] },
  { id: 'a/again', requirements: ['a.must.one'] },
];

describe('coverage', () => {
  it('counts each requirement once, unobservable ones apart', () => {
    const { uncovered, clientUncovered, unobservable, ...figures } = coverageOf(catalogue, rules, '2025-11-25');
    expect(figures).toEqual({
      revision: '2025-11-25',
      requirements: 7,
      observable: 6,
      serverObservable: 4,
      must: { covered: 1, total: 2 },
      should: { covered: 1, total: 1 },
      may: { covered: 0, total: 1 },
      client: { covered: 0, total: 2 },
      auth: { covered: 0, total: 1 },
    });
    expect(clientUncovered.map(({ id }) => id)).toEqual(['a.must.two', 'c.client.one']);
    expect(uncovered.map(({ id }) => id)).toEqual(['a.must.two', 'b.may.one', 'c.auth.one', 'c.client.one']);
    expect(unobservable.map(({ id }) => id)).toEqual(['d.none.one']);
  });

  it('counts an extension by itself, in the revision that it belongs to', () => {
    const both = buildCatalogue([
      parseRequirements(
        '# T\nRevision: 2026-07-28\n- **MUST** server `a.one` One. [x] {observe: server-active}\n',
        '2026-07-28.md',
      ),
      parseRequirements(
        '# E\nExtension: io.example/e\nRevision: 2026-07-28\n- **MUST** server `ext-e.one` One. [x] {observe: server-active}\n- **SHOULD** server `ext-e.two` Two. [x] {observe: server-active}\n',
        'ext-e.md',
      ),
    ]);
    const own = [{ id: 'ext-e/one', requirements: ['ext-e.one'] }];
    expect(coverageOf(both, own, '2026-07-28').must).toEqual({ covered: 0, total: 1 });
    expect(extensionCoverages(both, own, '2026-07-28')).toMatchObject([
      { extension: 'io.example/e', requirements: 2, must: { covered: 1, total: 1 }, should: { covered: 0, total: 1 } },
    ]);
    expect(extensionCoverages(both, own, '2025-11-25')).toEqual([]);
    const page = renderCoverage(both, own);
    expect(page).toContain('| io.example/e (2026-07-28) | 2 | 2 | 2 | 1 of 1 (100%) | 0 of 1 (0%) |');
    expect(page).toContain('\n## io.example/e\n');
  });

  it('counts no rule that the era of the revision never lets decide, nor one about a party that is not bound', () => {
    const uncovered = (...given: Parameters<typeof coverageOf>[1][number][]): string[] =>
      coverageOf(catalogue, given, '2025-11-25').uncovered.map(({ id }) => id);
    const rule = { id: 'a/one', requirements: ['a.must.one', 'a.must.two', 'c.client.one'] };
    const inEra = (value: string): Parameters<typeof coverageOf>[1][number] => ({
      ...rule,
      role: 'server',
      when: {
        all: [
          { all: [{ fact: 'session.era', operator: 'is', value }] },
          { fact: 'subject.x', operator: 'exists', value: true },
        ],
      },
    });
    expect(uncovered(rule)).not.toContain('c.client.one');
    expect(uncovered(inEra('stateful'))).toEqual(['b.may.one', 'b.should.one', 'c.auth.one', 'c.client.one']);
    expect(uncovered({ ...rule, role: 'client' })).toEqual([
      'a.must.one',
      'a.must.two',
      'b.may.one',
      'b.should.one',
      'c.auth.one',
    ]);
    expect(uncovered(inEra('stateless'))).toContain('a.must.one');
    expect(
      uncovered({
        ...inEra('stateful'),
        when: {
          any: [
            { fact: 'session.era', operator: 'is', value: 'stateless' },
            { fact: 'subject.x', operator: 'exists', value: true },
          ],
        },
      }),
    ).not.toContain('a.must.one');
  });

  it('wants a rule about each party that a requirement binds', () => {
    const of = (...roles: ('server' | 'client')[]): ReturnType<typeof coverageOf> =>
      coverageOf(
        catalogue,
        roles.map((role) => ({ id: `a/${role}`, requirements: ['a.must.two'], role })),
        '2025-11-25',
      );
    const ids = (list: readonly { id: string }[]): string[] => list.map(({ id }) => id);
    expect(ids(of('server').uncovered)).not.toContain('a.must.two');
    expect(ids(of('server').clientUncovered)).toEqual(['a.must.two', 'c.client.one']);
    expect(of('server').client).toEqual({ covered: 0, total: 2 });
    expect(ids(of('client').uncovered)).toContain('a.must.two');
    expect(of('client').client).toEqual({ covered: 1, total: 2 });
    expect(ids(of('server', 'client').clientUncovered)).toEqual(['c.client.one']);
    expect(renderCoverage(catalogue, [{ id: 'a/one', requirements: ['a.must.two'], role: 'server' }])).toContain(
      '### Client: 0 of 2 (0%) with a rule\n\nWithout a rule:\n\n- **a** (1): `a.must.two`',
    );
  });

  it('shows figures, gaps by area and the dates of the to-do list', () => {
    const text = renderCoverage(catalogue, rules, [{ requirement: 'a.must.two', since: '2026-09-01' }]);
    expect(text).toContain(
      '| 2025-11-25 | 7 | 6 | 4 | 1 of 2 (50%) | 1 of 1 (100%) | 0 of 1 (0%) | 0 of 2 (0%) | 0 of 1 (0%) |',
    );
    expect(text).toContain('| 2024-11-05 | 0 | 0 | 0 | 0 of 0 | 0 of 0 | 0 of 0 | 0 of 0 | 0 of 0 |');
    expect(text).toContain('- **a** (1): `a.must.two` (to do since 2026-09-01)\n');
    expect(text).toContain('- **c** (1): `c.auth.one`\n');
    expect(text).toContain('- **c** (1): `c.client.one`\n');
    expect(text).toContain('### Not observable: 1\n\n- **d** (1): `d.none.one`\n');
    expect(text).toContain('### Server, SHOULD and SHOULD NOT: 1 of 1 (100%) with a rule\n\n### Server, MAY');
    expect(text).not.toContain('`a.must.one`');
    expect(renderCoverage(catalogue, [...rules].reverse(), [{ requirement: 'a.must.two', since: '2026-09-01' }])).toBe(
      text,
    );
  });

  it('refuses names that the catalogue does not have', () => {
    expect(() => renderCoverage(catalogue, [{ id: 'x/y', requirements: ['a.b'] }])).toThrow(
      'rule x/y names the unknown requirement a.b',
    );
    expect(() => renderCoverage(catalogue, [], [{ requirement: 'a.b', since: '2026-09-01' }])).toThrow(
      'unknown requirement a.b',
    );
  });
});
