/**
 * Every clause link leads somewhere: pages, anchors and types that requirements name exist in the official
 * specification of the revision, as listed in official-clauses.json. No request is made.
 */
import { describe, expect, test } from 'vitest';
import { openCatalogue } from '../../src/check/project.ts';
import { requirementsOf } from '../../src/core/spec/requirements/catalogue.ts';
import { linkFor } from '../../src/core/spec/requirements/links.ts';
import { revisions } from '../../src/core/spec/revisions.ts';
import listed from './official-clauses.json' with { type: 'json' };

interface Clauses {
  /** Anchors by page. */
  pages: Record<string, string[]>;
  schemaTypes: string[];
  /** Empty where the site has no schema page. */
  schemaAnchors: string[];
}

const official = listed as unknown as Record<string, Clauses>;
const site = 'https://modelcontextprotocol.io/specification/';
const schemaFile = 'https://github.com/modelcontextprotocol/modelcontextprotocol/blob/main/schema/';

/** What is wrong with a link; undefined when it leads to a clause. */
function fault(ref: string, link: string | null, revision: string): string | undefined {
  const { pages, schemaTypes, schemaAnchors } = official[revision]!;
  if (link === null) return 'there is no link';
  const [page, anchor] = ref.split('#');
  if (page === 'schema' && anchor !== undefined && !schemaTypes.includes(anchor.split('.')[0]!))
    return 'schema.ts has no such type';
  if (link === `${schemaFile}${revision}/schema.ts`)
    return page === 'schema' ? undefined : 'only types are shown by their file';
  if (!link.startsWith(`${site}${revision}`)) return 'it leads elsewhere';
  const [place = '', fragment] = link.slice(`${site}${revision}`.length).replace(/^\//, '').split('#');
  if (place === 'schema')
    return fragment === undefined || schemaAnchors.includes(fragment)
      ? undefined
      : 'the schema page has no such heading';
  const anchors = pages[place === '' ? 'index' : place] ?? pages[`${place}/index`];
  if (!anchors) return 'there is no such page';
  return fragment === undefined || anchors.includes(fragment) ? undefined : 'the page has no such heading';
}

describe.each(revisions)('%s', (revision) => {
  const requirements = requirementsOf(openCatalogue(), revision);

  test('links lead to clauses', () => {
    expect(requirements.length).toBeGreaterThan(100);
    const broken = requirements.flatMap(({ id, ref }) => {
      const why = fault(ref, linkFor(ref, revision), revision);
      return why === undefined ? [] : [`${id}: ${ref}: ${why}`];
    });
    expect(broken).toEqual([]);
  });

  test('a link to nowhere would be noticed', () => {
    expect(fault('basic/index#no-such-heading', linkFor('basic/index#no-such-heading', revision), revision)).toBe(
      'the page has no such heading',
    );
    expect(fault('basic/no-such-page', linkFor('basic/no-such-page', revision), revision)).toBe(
      'there is no such page',
    );
    expect(fault('schema#NoSuchType', linkFor('schema#NoSuchType', revision), revision)).toBe(
      'schema.ts has no such type',
    );
  });
});
