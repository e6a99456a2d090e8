/** Merging parsed files to one catalogue, reading it back for a revision, severities and links. */
import { describe, expect, it } from 'vitest';
import { parseCatalogue, stringifyCatalogue } from '../../../src/core/spec/requirements/catalogue-file.ts';
import {
  buildCatalogue,
  requirementAt,
  requirementsOf,
  withHouseRequirements,
} from '../../../src/core/spec/requirements/catalogue.ts';
import { linkFor } from '../../../src/core/spec/requirements/links.ts';
import { parseRequirements } from '../../../src/core/spec/requirements/parse-requirements.ts';
import { severityOf } from '../../../src/core/spec/requirements/severity.ts';
import {
  compareRevisions,
  eraOf,
  isAtLeast,
  isKnownRevision,
  newestRevision,
  newestStatefulRevision,
  revisions,
  revisionsOf,
} from '../../../src/core/spec/revisions.ts';

function parse(revision: string, ...bullets: string[]) {
  return parseRequirements(`# ${revision}\nRevision: ${revision}\n${bullets.join('\n')}\n`, `${revision}.md`);
}

const older = parse(
  '2025-06-18',
  '- **SHOULD** both `a.b.c` Old words. [basic/x#old] {observe: none; reason: Hidden then}',
  '- **MAY** client `a.b.only-old` Gone later. [basic/x] {observe: client-active}',
);
const newer = parse(
  '2026-07-28',
  '- **MUST** server `a.b.c` New words. [basic/y#new] {observe: server-active; transports: http}',
  '- **MUST** server `a.a.first` Comes first. [basic/y] {observe: server-passive}',
);

describe('merging', () => {
  it('keeps levels and places for each revision, and other facts only where they differ from the newest', () => {
    expect(buildCatalogue([newer, older]).byId.get('a.b.c')).toEqual({
      id: 'a.b.c',
      area: 'a',
      role: 'server',
      statement: 'New words.',
      observe: ['server-active'],
      transports: ['http'],
      basis: 'keyword',
      reason: null,
      note: null,
      levels: { '2025-06-18': 'SHOULD', '2026-07-28': 'MUST' },
      refs: { '2025-06-18': 'basic/x#old', '2026-07-28': 'basic/y#new' },
      variants: {
        '2025-06-18': {
          role: 'both',
          statement: 'Old words.',
          observe: ['none'],
          transports: ['*'],
          reason: 'Hidden then',
        },
      },
    });
  });

  it('gives a requirement as a revision has it', () => {
    const catalogue = buildCatalogue([older, newer]);
    expect(requirementAt(catalogue, 'a.b.c', '2025-06-18')).toEqual({
      id: 'a.b.c',
      area: 'a',
      revision: '2025-06-18',
      level: 'SHOULD',
      ref: 'basic/x#old',
      house: false,
      role: 'both',
      statement: 'Old words.',
      observe: ['none'],
      transports: ['*'],
      basis: 'keyword',
      reason: 'Hidden then',
      note: null,
    });
    expect(requirementAt(catalogue, 'a.b.c', '2026-07-28')).toMatchObject({
      level: 'MUST',
      statement: 'New words.',
      reason: null,
    });
    expect(requirementAt(catalogue, 'a.b.c', '2025-11-25')).toBeNull();
    expect(requirementAt(catalogue, 'a.b.unknown', '2026-07-28')).toBeNull();
    expect(requirementsOf(catalogue, '2026-07-28').map(({ id }) => id)).toEqual(['a.a.first', 'a.b.c']);
    expect(requirementsOf(catalogue, '2024-11-05')).toEqual([]);
  });

  it('does not depend on the order of files, and survives the compact form', () => {
    const text = stringifyCatalogue(buildCatalogue([older, newer]));
    expect(stringifyCatalogue(buildCatalogue([newer, older]))).toBe(text);
    expect(parseCatalogue(text).requirements).toEqual(buildCatalogue([older, newer]).requirements);
    expect(text.trimEnd().split('\n')).toHaveLength(2 + 3);
  });

  it('rejects a foreign compact file', () => {
    expect(() => parseCatalogue('{"format":"mcpc-requirements","version":2,"requirements":[]}')).toThrow(SyntaxError);
    expect(() => parseCatalogue('[]')).toThrow(SyntaxError);
  });

  it('reports an id that two files give for one revision, with both places', () => {
    const again = parse('2025-06-18', '- **MUST** both `a.b.c` Again. [-] {observe: auth}');
    expect(() => buildCatalogue([older, { ...again, file: 'again.md' }])).toThrow(
      'again.md:3: "a.b.c" already stands in 2025-06-18.md:3 for revision 2025-06-18',
    );
  });
});

describe('house requirements', () => {
  const official = buildCatalogue([older, newer]);

  it('join the official ones, marked as house', () => {
    const house = parse(
      'all',
      '- **MUST** server `acme.x` Ours. [https://wiki.example.com/x] {observe: server-passive}',
    );
    const catalogue = withHouseRequirements(official, [house]);
    expect(catalogue.requirements.map(({ id }) => id)).toEqual(['a.a.first', 'a.b.c', 'a.b.only-old', 'acme.x']);
    for (const revision of revisions) {
      expect(requirementAt(catalogue, 'acme.x', revision)).toMatchObject({ house: true, level: 'MUST', revision });
    }
    expect(requirementAt(catalogue, 'a.b.c', '2026-07-28')?.house).toBe(false);
  });

  it('must not stand in an official area', () => {
    const house = parse('all', '- **MUST** server `a.x` Ours. [-] {observe: server-passive}');
    expect(() => withHouseRequirements(official, [house])).toThrow(
      /^all\.md:3: area "a" of "a\.x" belongs to the official requirements; .* house-a\.x$/,
    );
  });
});

describe('links', () => {
  it.each([
    [
      'basic/lifecycle#version-negotiation',
      '2025-11-25',
      'https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle#version-negotiation',
    ],
    ['basic/index', '2025-06-18', 'https://modelcontextprotocol.io/specification/2025-06-18/basic'],
    ['basic/index#meta', '2025-06-18', 'https://modelcontextprotocol.io/specification/2025-06-18/basic#meta'],
    [
      'basic/authorization/index#overview',
      '2026-07-28',
      'https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization#overview',
    ],
    [
      'index#implementation-guidelines',
      '2024-11-05',
      'https://modelcontextprotocol.io/specification/2024-11-05#implementation-guidelines',
    ],
    [
      'schema#InitializeResult',
      '2025-11-25',
      'https://modelcontextprotocol.io/specification/2025-11-25/schema#initializeresult',
    ],
    [
      'schema#Annotations.lastModified',
      '2025-06-18',
      'https://modelcontextprotocol.io/specification/2025-06-18/schema#annotations-lastmodified',
    ],
    [
      'schema#InitializeResult',
      '2025-03-26',
      'https://github.com/modelcontextprotocol/modelcontextprotocol/blob/main/schema/2025-03-26/schema.ts',
    ],
    [
      'schema#PaginatedResult',
      '2025-11-25',
      'https://github.com/modelcontextprotocol/modelcontextprotocol/blob/main/schema/2025-11-25/schema.ts',
    ],
    ['https://wiki.example.com/mcp#names', '2025-11-25', 'https://wiki.example.com/mcp#names'],
    ['', '2025-11-25', null],
  ] as const)('%s in %s', (ref, revision, link) => {
    expect(linkFor(ref, revision)).toBe(link);
  });
});

describe('severity', () => {
  it('follows the level, and is a warning at most where the basis is doubtful', () => {
    for (const basis of ['keyword', 'schema'] as const) {
      expect([severityOf('MUST', basis), severityOf('MUST NOT', basis)]).toEqual(['error', 'error']);
    }
    for (const basis of ['prose', 'contested'] as const) {
      expect([severityOf('MUST', basis), severityOf('MUST NOT', basis)]).toEqual(['warning', 'warning']);
    }
    for (const basis of ['keyword', 'schema', 'prose', 'contested'] as const) {
      expect([severityOf('SHOULD', basis), severityOf('SHOULD NOT', basis), severityOf('MAY', basis)]).toEqual([
        'warning',
        'warning',
        'info',
      ]);
    }
  });
});

describe('the revision timeline', () => {
  it('is in order, with an era for each', () => {
    expect([...revisions].sort(compareRevisions)).toEqual(revisions);
    expect([...revisions].reverse().sort(compareRevisions)).toEqual(revisions);
    expect(newestRevision).toBe(revisions.at(-1));
    expect(newestStatefulRevision).toBe(revisionsOf('stateful').at(-1));
    expect([...revisionsOf('stateful'), ...revisionsOf('stateless')]).toEqual(revisions);
    expect(eraOf('2025-11-25')).toBe('stateful');
    expect(eraOf('2026-07-28')).toBe('stateless');
    expect([
      isAtLeast('2025-06-18', '2025-06-18'),
      isAtLeast('2025-03-26', '2025-06-18'),
      isAtLeast('2026-07-28', '2025-06-18'),
    ]).toEqual([true, false, true]);
  });

  it('knows its own names only', () => {
    expect(revisions.every(isKnownRevision)).toBe(true);
    expect(['1999-01-01', '2025-11-25 ', 'draft', '', undefined, 20251125].some(isKnownRevision)).toBe(false);
  });
});
