/**
 * Follows the pages of list methods: which cursors were issued, whether a page came back the same, and the
 * walks from a first page to the end (the `walk` subjects). Cursors are opaque here as everywhere.
 */
import { asObject, isObject, type JsonObject } from '../../model/json.ts';
import { append } from '../../model/lists.ts';
import { perSession } from '../core/per-session.ts';
import type { Definitions, Facts, Feature, Given, Hooks } from '../core/plugin.ts';
import type { Subject } from '../core/subject.ts';
import type { RpcRecord } from '../jsonrpc/rpc-record.ts';
import { paramsOf } from '../jsonrpc/rpc.ts';
import type { SessionState } from '../session/session-state.ts';
import { hasHeardSince } from '../transports/listening.ts';
import { besideEarlier, type Fetch, firstPageText, newPageRepeats, noteFetch, type PageRepeats } from './page-repeats.ts';
import { toolResultsOf } from './tool-call.ts';

/** Paginated methods and the member of a result that holds the items, with the member that names an item. */
const lists: Record<string, { member: string; key: string }> = {
  'tools/list': { member: 'tools', key: 'name' },
  'prompts/list': { member: 'prompts', key: 'name' },
  'resources/list': { member: 'resources', key: 'uri' },
  'resources/templates/list': { member: 'resourceTemplates', key: 'uriTemplate' },
  'tasks/list': { member: 'tasks', key: 'taskId' },
};

interface Walk {
  method: string;
  /** Seq of the first request, and the tool results that the session had seen then. */
  seq: number;
  calls: number;
  pages: number;
  items: number;
  next?: string;
  cursors: Set<string>;
  keys: Set<string>;
  repeatedItems: string[];
  /** Names on a page that an earlier page had. */
  overlap: string[];
  repeatedCursor: boolean;
  /** Values of cacheScope. */
  scopes: Set<string>;
  /** The server told of a change of the list in between. */
  changed: boolean;
  events: number[];
}

interface ListState {
  issued: Set<string>;
  repeats: PageRepeats;
  walk?: Walk;
  /** The newest walk that came to its end, and what there was at its beginning. */
  complete?: { keys: Set<string>; seq: number; calls: number };
  /** The server told of a change of the list since that walk began. */
  told: boolean;
  /** The list had a second page at some time in the session. */
  paginates: boolean;
}

const keptCursors = 2000;
const keptNames = 20;
const keptScopes = 5;

const pageFacts: Definitions<RpcRecord> = {
  cursor: { says: 'List methods: the cursor that was sent.', rests: [] },
  cursorState: { says: 'List methods: none (first page), issued (came as nextCursor) or unknown (never issued); absent for one that is no string.', rests: [], doubtful: ({ cursorState }, { wholeOrder }) => !wholeOrder && cursorState === 'unknown' },
  listPaginates: { says: 'List methods: a nextCursor was seen for the method earlier in the session.', rests: ['order'] },
  itemCount: { says: 'List methods: entries on the page.', rests: [] },
  nextCursor: { says: 'List methods: the nextCursor member.', rests: [] },
  askedBefore: { says: 'List methods: the same page was fetched before in the session.', rests: ['order'] },
  equalsEarlierPage: { says: 'List methods: the page equals the one fetched before with the same cursor, or behind the same first page (unless the server told of a change since).', rests: ['order'] },
  otherInBetween: { says: 'List methods, where the same page was fetched before: another page or an error came for it since.', rests: ['order'] },
  sincePageMs: { says: 'List methods: milliseconds since that page was last fetched so.', rests: ['timing'] },
  callsSincePage: { says: 'List methods: results of tools/call since then (in the stateless era on whatever connection); a tool may change a list.' },
  equalsFirstPage: { says: 'List methods: the page equals the first page.', rests: ['order'] },
};

const walkFacts: Definitions = {
  method: { says: 'The list method.', rests: [] },
  pages: { says: 'Pages fetched.', rests: [] },
  items: { says: 'Entries on them.', rests: [] },
  ended: { says: 'The last page had no nextCursor.', rests: [] },
  repeatedItems: { says: 'Names of entries that came twice, at most 20.', rests: [] },
  overlap: { says: 'Names of entries on a page that an earlier page had, at most 20.', rests: [] },
  repeatedCursor: { says: 'A nextCursor came twice.', rests: [] },
  scopes: { says: 'Values of cacheScope on its pages, each once, at most 5.', rests: [] },
  changed: { says: 'The server told of a change of the list in between.', rests: ['order'] },
  differs: { says: 'Complete walks: the names are others than in the complete walk before, in the same session; this and the next ones are absent at the first.' },
  callsSinceWalk: { says: 'Results of tools/call from the beginning of that walk to the beginning of this one.' },
  toldOfChange: { says: 'The server told of a change of the list since that walk began.' },
  heardSinceWalk: { says: 'A notification could reach the client since that walk began (over HTTP: a listening stream was open).' },
};

export const paging: Feature = {
  name: 'paging',
  after: ['listening'],
  kinds: { pagination: 'The pages of one list from the first on. Complete at the last page, when the list is begun anew, or at the end.' },
  facts: { exchange: pageFacts, pagination: walkFacts },
  create: createPaging,
};

function createPaging(): Hooks {
  const sessions = perSession(() => new Map<string, ListState>());
  /** Results of tools/call on all connections: what one changes in the stateless era, others see. */
  let callsAnywhere = 0;

  function stateOf(session: SessionState, method: string): ListState {
    const perMethod = sessions.of(session);
    let state = perMethod.get(method);
    if (!state) perMethod.set(method, (state = { issued: new Set(), repeats: newPageRepeats(), paginates: false, told: false }));
    return state;
  }

  /** How the entries stand to those of the complete walk before. */
  function besideBefore(session: SessionState, state: ListState, walk: Walk): Facts {
    const before = state.complete;
    if (!before) return {};
    return {
      differs: before.keys.size !== walk.keys.size || [...walk.keys].some((key) => !before.keys.has(key)),
      callsSinceWalk: walk.calls - before.calls,
      toldOfChange: state.told,
      heardSinceWalk: hasHeardSince(session, before.seq),
    };
  }

  function subjectOf(session: SessionState, state: ListState, walk: Walk, ended: boolean): Subject {
    const beside = ended ? besideBefore(session, state, walk) : {};
    if (ended) {
      state.complete = { keys: walk.keys, seq: walk.seq, calls: walk.calls };
      state.told = walk.changed;
    }
    return {
      kind: 'pagination',
      session,
      events: walk.events,
      facts: {
        method: walk.method,
        pages: walk.pages,
        items: walk.items,
        ended,
        repeatedItems: walk.repeatedItems,
        overlap: walk.overlap,
        repeatedCursor: walk.repeatedCursor,
        scopes: [...walk.scopes],
        changed: walk.changed,
        ...beside,
      },
    };
  }

  return {
    answered(record): Given | undefined {
      const method = String(record.method);
      if (record.from === 'client' && method === 'tools/call' && record.outcome === 'result') callsAnywhere += 1;
      const list = record.from === 'client' ? lists[method] : undefined;
      if (!list) return undefined;
      const state = stateOf(record.session, method);
      const cursor = paramsOf(record.message)?.cursor;
      const result = asObject(asObject(record.reply)?.result);
      const items = Array.isArray(result?.[list.member]) ? (result[list.member] as unknown[]) : undefined;
      const text = items === undefined ? undefined : markOf(JSON.stringify(items));
      const fetch: Fetch = {
        cursor,
        text,
        failed: record.outcome === 'error',
        next: result?.nextCursor,
        t: record.replyT ?? record.t,
        calls: record.session.era === 'stateless' ? callsAnywhere : toolResultsOf(record.session),
        events: record.events,
      };
      const beside = besideEarlier(state.repeats, fetch);
      const facts: Facts = {
        cursor,
        cursorState: stateOfCursor(cursor, state.issued),
        listPaginates: state.paginates,
        itemCount: items?.length,
        nextCursor: result?.nextCursor,
        ...beside.facts,
        equalsFirstPage: text === undefined ? undefined : firstPageText(state.repeats) === text,
      };
      const known = facts.cursorState === 'none' || facts.cursorState === 'issued';
      if (known) noteFetch(state.repeats, fetch);
      const next = result?.nextCursor;
      if (typeof next === 'string') {
        state.paginates = true;
        if (state.issued.size < keptCursors) state.issued.add(next);
      }
      const subjects: Subject[] = [];
      if (items && known) append(subjects, step(record, state, method, list.key, cursor, items, result!));
      else if (state.walk && cursor === state.walk.next && cursor !== undefined) append(state.walk.events, record.events);
      return { facts, subjects, events: beside.events };
    },

    /** After list_changed, pages seen before are no measure any more. */
    message({ item, session, method }) {
      if (item.from !== 'server' || item.shape !== 'notification' || typeof method !== 'string' || !method.endsWith('/list_changed')) return undefined;
      for (const [list, state] of sessions.find(session) ?? []) {
        if (method !== changeOf(list)) continue;
        state.repeats = newPageRepeats();
        state.told = true;
        if (state.walk) state.walk.changed = true;
      }
      return undefined;
    },

    sessionOver(session) {
      const states = [...(sessions.find(session)?.values() ?? [])];
      sessions.forget(session);
      return { subjects: states.flatMap((state) => (state.walk ? [subjectOf(session, state, state.walk, false)] : [])) };
    },
  };

  function step(
    record: RpcRecord,
    state: ListState,
    method: string,
    key: string,
    cursor: unknown,
    items: unknown[],
    { nextCursor: next, cacheScope: scope }: JsonObject,
  ): Subject[] {
    const subjects: Subject[] = [];
    if (cursor === undefined) {
      if (state.walk) subjects.push(subjectOf(record.session, state, state.walk, false));
      state.walk = newWalk(method, record);
    }
    const walk = state.walk;
    if (!walk || (cursor !== undefined && cursor !== walk.next)) return subjects;
    walk.pages += 1;
    walk.items += items.length;
    if (typeof scope === 'string' && walk.scopes.size < keptScopes) walk.scopes.add(scope);
    if (walk.events.length < 200) append(walk.events, record.events);
    const onPage = new Set<string>();
    for (const item of items) {
      const name = isObject(item) ? item[key] : undefined;
      if (typeof name !== 'string') continue;
      const earlier = walk.keys.has(name);
      if ((earlier || onPage.has(name)) && walk.repeatedItems.length < keptNames) walk.repeatedItems.push(name);
      if (earlier && walk.overlap.length < keptNames) walk.overlap.push(name);
      onPage.add(name);
    }
    for (const name of onPage) walk.keys.add(name);
    if (typeof next !== 'string') {
      subjects.push(subjectOf(record.session, state, walk, true));
      delete state.walk;
      return subjects;
    }
    if (walk.cursors.has(next)) walk.repeatedCursor = true;
    walk.cursors.add(next);
    walk.next = next;
    return subjects;
  }
}

function stateOfCursor(cursor: unknown, issued: ReadonlySet<string>): string | undefined {
  if (cursor === undefined) return 'none';
  if (typeof cursor !== 'string') return undefined;
  return issued.has(cursor) ? 'issued' : 'unknown';
}

/** The notification that tells of a change of the list: templates belong to the resources. */
function changeOf(list: string): string {
  return `notifications/${list.split('/')[0]}/list_changed`;
}

function newWalk(method: string, record: RpcRecord): Walk {
  return {
    method,
    seq: record.seq,
    calls: toolResultsOf(record.session),
    pages: 0,
    items: 0,
    cursors: new Set(),
    keys: new Set(),
    repeatedItems: [],
    overlap: [],
    repeatedCursor: false,
    scopes: new Set(),
    changed: false,
    events: [],
  };
}

/** Stands for a text: of a long one its length and a hash, so that thousands of pages take little room. */
function markOf(text: string): string {
  if (text.length <= 100) return text;
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    a = Math.imul(a ^ code, 2654435761);
    b = Math.imul(b ^ code, 1597334677);
  }
  return `${text.length} ${a} ${b}`;
}
