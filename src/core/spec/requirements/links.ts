/** Addresses of clauses on the official site, from the places that requirements name. Makes no request. */
import { tasksExtension } from '../../model/tasks.ts';
import type { Revision } from '../../model/rules/requirement.ts';
import { isAtLeast } from '../revisions.ts';

const site = 'https://modelcontextprotocol.io/specification';
const repository = 'https://github.com/modelcontextprotocol/modelcontextprotocol/blob/main';

/** The site renders a page of schema types from this revision on. */
const firstSchemaPage: Revision = '2025-06-18';

/** Types that schema.ts exports and the schema page does not show. */
const typesWithoutHeading: ReadonlySet<string> = new Set(['PaginatedRequest', 'PaginatedResult']);

/** Where the pages of an extension lie, by its identifier. */
const extensionPages: Readonly<Record<string, string>> = {
  [tasksExtension]: 'https://github.com/modelcontextprotocol/ext-tasks/blob/main/specification/draft',
};

/**
 * The address of a clause.
 * @param ref `page`, `page#anchor`, `schema#Type`, a full address (returned as it is), or empty
 * @param extension the extension whose specification the place is in
 * @returns null when `ref` is empty, or nobody knows where the extension has its pages
 */
export function linkFor(ref: string, revision: Revision, extension?: string): string | null {
  if (ref === '') return null;
  if (/^https?:\/\//.test(ref)) return ref;
  const hash = ref.indexOf('#');
  const page = hash < 0 ? ref : ref.slice(0, hash);
  const anchor = hash < 0 ? '' : ref.slice(hash + 1);
  if (extension !== undefined) {
    const pages = Object.hasOwn(extensionPages, extension) ? extensionPages[extension] : undefined;
    return pages === undefined ? null : `${pages}/${page}.md${anchor === '' ? '' : `#${anchor}`}`;
  }
  if (page === 'schema') return schemaLink(anchor, revision);
  // The site serves the page `basic/index` as `basic`, and `index` as the specification's front page.
  const path = page.replace(/(^|\/)index$/, '');
  return `${site}/${revision}${path === '' ? '' : `/${path}`}${anchor === '' ? '' : `#${anchor}`}`;
}

function schemaLink(type: string, revision: Revision): string {
  const name = type.split('.')[0] ?? '';
  if (!isAtLeast(revision, firstSchemaPage) || typesWithoutHeading.has(name)) {
    return `${repository}/schema/${revision}/schema.ts`;
  }
  // Headings of members join type and member with a hyphen.
  return `${site}/${revision}/schema${type === '' ? '' : `#${type.toLowerCase().replaceAll('.', '-')}`}`;
}
