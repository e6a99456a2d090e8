/**
 * Pages that are fetched more than once: whether a page came back as it was, and what came in its place in between. A
 * page that differs once proves nothing, since a list may change. A page that differs, and is the same again when
 * fetched once more, does. Pages are identified by their cursor. If the first page is fetched again and has another
 * cursor, that one means the same second page.
 */
import { BoundedMap } from '../../model/bounded.ts';

/** A page as it was fetched first, or again. */
interface Page {
  text: string;
  /** When it was last fetched so, and the tool results that had been seen then. */
  t: number;
  calls: number;
  /** Other results of its cursor since then; an error has no text. */
  other?: { text?: string; events: readonly number[] };
}

export interface PageRepeats {
  pages: Map<string, Page>;
  /** The cursor that the newest first page led on to. */
  second?: string;
}

/** One fetch of a page. */
export interface Fetch {
  cursor: unknown;
  /** The entries, as a text to compare with; absent for an error. */
  text: string | undefined;
  failed: boolean;
  next: unknown;
  t: number;
  calls: number;
  events: readonly number[];
}

const keptPages = 2000;
const firstPage = 'first';

export function newPageRepeats(): PageRepeats {
  return { pages: new BoundedMap(keptPages) };
}

export function firstPageText({ pages }: PageRepeats): string | undefined {
  return pages.get(firstPage)?.text;
}

/** Relation of a fetch to earlier ones; `events` are those in between. */
export function earlierOnes(
  { pages }: PageRepeats,
  { cursor, text, t, calls }: Fetch,
): { facts: Record<string, unknown>; events: readonly number[] } {
  const page = pages.get(keyOf(cursor));
  if (page === undefined) return { facts: { askedBefore: false }, events: [] };
  const equals = text === undefined ? undefined : page.text === text;
  return {
    facts: {
      askedBefore: true,
      equalsEarlierPage: equals,
      otherInBetween: page.other !== undefined,
      sincePageMs: t - page.t,
      callsSincePage: calls - page.calls,
    },
    events: equals === true && page.other ? page.other.events : [],
  };
}

/** Takes in a fetch whose cursor the server gave out, or a first page. */
export function noteFetch(repeats: PageRepeats, fetch: Fetch): void {
  const { pages } = repeats;
  const { cursor, text, next } = fetch;
  const before = pages.get(keyOf(cursor));
  const same = before !== undefined && before.text === text;
  notePage(pages, fetch, before);
  if (cursor !== undefined || text === undefined) return;
  const second = repeats.second === undefined ? undefined : pages.get(keyOf(repeats.second));
  if (same && second && typeof next === 'string' && !pages.has(keyOf(next)) && pages.size < keptPages)
    pages.set(keyOf(next), second);
  if (typeof next === 'string') repeats.second = next;
  else delete repeats.second;
}

function notePage(
  pages: Map<string, Page>,
  { cursor, text, failed, t, calls, events }: Fetch,
  before: Page | undefined,
): void {
  if (text === undefined) {
    if (before && failed) before.other ??= { events: [...events] };
  } else if (before === undefined) {
    pages.set(keyOf(cursor), { text, t, calls });
  } else if (before.text === text) {
    Object.assign(before, { t, calls });
    delete before.other;
  } else if (before.other?.text === undefined) before.other = { text, events: [...events] };
  else {
    // It has changed for good, or changes with every fetch.
    Object.assign(before, { text, t, calls });
    delete before.other;
  }
}

function keyOf(cursor: unknown): string {
  return typeof cursor === 'string' ? `cursor ${cursor}` : firstPage;
}
