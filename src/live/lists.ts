/** Lists of a server with all their pages. */
import { asObject } from '../core/model/json.ts';
import { jsonOf, parseJson } from '../suites/language/json-text.ts';
import type { Outcome } from './outcome.ts';

/** Methods of lists, and the member that each holds. */
export const listMembers = {
  tools: ['tools/list', 'tools'],
  resources: ['resources/list', 'resources'],
  templates: ['resources/templates/list', 'resourceTemplates'],
  prompts: ['prompts/list', 'prompts'],
} as const;

export type ListKind = keyof typeof listMembers;

const mostPages = 1000;

/**
 * Requests all pages of a list.
 * @param ask sends a request with these params
 * @returns the unchanged result of a single page, else that of the first page with the entries of all and no cursor;
 * the first outcome that is not a result
 */
export async function askList(
  kind: ListKind,
  ask: (method: string, params: { cursor: string } | undefined) => Promise<Outcome>,
): Promise<Outcome> {
  const [method, member] = listMembers[kind];
  const pages: Extract<Outcome, { kind: 'result' }>[] = [];
  const seen = new Set<string>();
  for (let cursor: string | undefined; pages.length < mostPages; ) {
    const outcome = await ask(method, cursor === undefined ? undefined : { cursor });
    if (outcome.kind !== 'result') return outcome;
    pages.push(outcome);
    const next = asObject(outcome.result)?.['nextCursor'];
    // A repeated cursor would loop forever.
    if (typeof next !== 'string' || seen.has(next)) break;
    seen.add((cursor = next));
  }
  if (pages.length === 1) return pages[0]!;
  const exact = pages.map((page) => parseJson(page.text()) as Record<string, unknown>);
  return joined(
    pages.map(({ result }) => result as Record<string, unknown>),
    member,
    () => jsonOf(joinedPages(exact, member)),
  );
}

function joined(results: readonly Record<string, unknown>[], member: string, text: () => string): Outcome {
  return { kind: 'result', result: joinedPages(results, member), text };
}

function joinedPages(pages: readonly Record<string, unknown>[], member: string): Record<string, unknown> {
  const { nextCursor: _next, ...first } = pages[0]!;
  return { ...first, [member]: pages.flatMap((page) => (Array.isArray(page[member]) ? page[member] : [])) };
}
