/**
 * Follows the pages of list methods: which cursors were issued, whether a page came back the same, and the
 * walks from a first page to the end (the `walk` subjects). Cursors are opaque here as everywhere.
 */
import { asObject, asText, isObject, type JsonObject } from '../../model/json.ts';
import { append } from '../../model/lists.ts';
import { perSession } from '../state/per-session.ts';
import type { Facts, Feature, Given, Hooks } from '../core/plugin.ts';
import type { Subject } from '../state/subject.ts';
import type { RpcRecord } from '../requests/rpc-record.ts';
import { listOf, type ListShape } from '../values/lists.ts';
import { paramsOf } from '../values/rpc.ts';
import type { SessionState } from '../state/session-state.ts';
import { hasHeardSince } from '../transports/listening/listening.ts';
import { createListContexts, sameContext, type ListContexts } from './list-contexts.ts';
import { newWalk, noteContext, noteCursor, type Walk } from './list-walk.ts';
import { forgetRefusals, meetingOf, newOwnCursors, noteGiven, type OwnCursors } from './own-cursors.ts';
import { pageFacts, walkFacts } from './page-facts.ts';
import { earlierOnes, type Fetch, firstPageText, newPageRepeats, noteFetch, type PageRepeats } from './page-repeats.ts';
import { isListWatchedSince } from '../features/subscription-facts.ts';
import { textMark } from '../tool-surface/text-mark.ts';
import { toolResultsOf } from '../features/tool-call.ts';

const taskList: ListShape = { member: 'tasks', key: 'taskId' };

interface ListState {
  own: OwnCursors;
  repeats: PageRepeats;
  walk?: Walk;
  /** The newest walk that came to its end, and what there was at its beginning. */
  complete?: { entries: ReadonlyMap<string, string>; seq: number; calls: number; context: Walk['context'] };
  /** The server announced a change of the list since that walk began. */
  told: boolean;
  /** The same, at any time. */
  everTold: boolean;
  /** The list had a second page at some time in the session. */
  paginates: boolean;
}

const keptNames = 20;

export const paging: Feature = {
  name: 'paging',
  after: ['listening', 'subscriptions'],
  kinds: {
    pagination:
      'The pages of one list from the first on. Complete at the last page, when the list is begun again, or at the end.',
  },
  facts: { exchange: pageFacts, pagination: walkFacts },
  create: createPaging,
};

function createPaging(): Hooks {
  const sessions = perSession(() => new Map<string, ListState>());
  /** Results of tools/call on all connections: what one changes in the stateless era, others see. */
  let callsAnywhere = 0;
  const contexts = createListContexts();

  function stateOf(session: SessionState, method: string): ListState {
    const perMethod = sessions.of(session);
    let state = perMethod.get(method);
    if (!state)
      perMethod.set(
        method,
        (state = { own: newOwnCursors(), repeats: newPageRepeats(), paginates: false, told: false, everTold: false }),
      );
    return state;
  }

  /** Comparison of the entries with the previous complete walk. */
  function earlierBefore(session: SessionState, state: ListState, walk: Walk): Facts {
    const before = state.complete;
    const stateless = session.era === 'stateless';
    // There each request says for itself who asks, and what he may see.
    if (
      !before ||
      (stateless &&
        !(walk.context !== undefined && before.context !== undefined && sameContext(walk.context, before.context)))
    )
      return {};
    return {
      differs:
        before.entries.size !== walk.entries.size || [...walk.entries.keys()].some((name) => !before.entries.has(name)),
      callsSinceWalk: walk.calls - before.calls,
      toldOfChange: state.told,
      heardSinceWalk: stateless
        ? isListWatchedSince(session, changeOf(walk.method), before.seq)
        : hasHeardSince(session, before.seq),
    };
  }

  /** Comparison with walks on other connections, after other requests and for other clients. */
  function besideOthers(
    session: SessionState,
    state: ListState,
    { method, seq: from, context, ...walk }: Walk,
    last: RpcRecord,
  ): ReturnType<ListContexts['beside']> {
    if (context === undefined || session.era !== 'stateless' || walk.repeated.circles) return { facts: {}, events: [] };
    const callsHere = toolResultsOf(session);
    const when = { from, to: last.replySeq ?? last.seq, t: last.replyT ?? last.t };
    const calls = { callsHere, callsAround: session.transport === 'stdio' ? callsHere : callsAnywhere };
    return contexts.beside(method, {
      session,
      context,
      ...when,
      ...calls,
      entries: walk.entries,
      behindOthers: walk.behindOthers,
      told: state.everTold,
      events: walk.events,
    });
  }

  function subjectOf(session: SessionState, state: ListState, walk: Walk, last?: RpcRecord): Subject {
    const ended = last !== undefined;
    const beside = ended ? earlierBefore(session, state, walk) : {};
    const others = ended ? besideOthers(session, state, walk, last) : undefined;
    if (ended) {
      state.complete = { entries: walk.entries, seq: walk.seq, calls: walk.calls, context: walk.context };
      state.told = walk.changed;
    }
    return {
      kind: 'pagination',
      session,
      events: others && others.events.length > 0 ? [...walk.events, ...others.events] : walk.events,
      facts: {
        method: walk.method,
        pages: walk.pages,
        items: walk.items,
        ended,
        repeated: walk.repeated,
        scopes: [...walk.scopes],
        changed: walk.changed,
        ...beside,
        ...others?.facts,
      },
    };
  }

  return {
    request(record) {
      contexts.sent(record);
      return undefined;
    },

    answered(record): Given | undefined {
      const method = asText(record.method);
      if (record.from === 'client' && method === 'tools/call' && record.outcome === 'result') callsAnywhere += 1;
      const list = record.from === 'client' ? (method === 'tasks/list' ? taskList : listOf(method)) : undefined;
      if (!list) return undefined;
      const state = stateOf(record.session, method);
      const cursor = paramsOf(record.message)?.cursor;
      const result = asObject(asObject(record.reply)?.result);
      const items = Array.isArray(result?.[list.member]) ? (result[list.member] as unknown[]) : undefined;
      const text = items === undefined ? undefined : textMark(JSON.stringify(items));
      const fetch: Fetch = {
        cursor,
        text,
        failed: record.outcome === 'error',
        next: result?.nextCursor,
        t: record.replyT ?? record.t,
        calls: record.session.era === 'stateless' ? callsAnywhere : toolResultsOf(record.session),
        events: record.events,
      };
      const beside = earlierOnes(state.repeats, fetch);
      const meeting = meetingOf(state.own, record, fetch);
      const facts: Facts = {
        cursor,
        cursorState: stateOfCursor(cursor, state.own.given),
        listPaginates: state.paginates,
        itemCount: items?.length,
        nextCursor: result?.nextCursor,
        ...beside.facts,
        ...meeting.facts,
        equalsFirstPage: text === undefined ? undefined : firstPageText(state.repeats) === text,
      };
      const known = facts.cursorState === 'none' || facts.cursorState === 'issued';
      if (known) noteFetch(state.repeats, fetch);
      const next = result?.nextCursor;
      if (typeof next === 'string') {
        state.paginates = true;
        noteGiven(state.own, next, fetch);
      }
      const subjects: Subject[] = [];
      if (items && known) append(subjects, step(record, state, method, list.key, cursor, items, result!));
      else if (state.walk && cursor === state.walk.next && cursor !== undefined)
        append(state.walk.events, record.events);
      return {
        facts,
        subjects,
        events: meeting.events.length === 0 ? beside.events : [...beside.events, ...meeting.events],
      };
    },

    /** After list_changed, pages seen before are no measure any more. */
    message({ item, session, method }) {
      if (
        item.from !== 'server' ||
        item.shape !== 'notification' ||
        typeof method !== 'string' ||
        !method.endsWith('/list_changed')
      )
        return undefined;
      for (const [list, state] of sessions.find(session) ?? []) {
        if (method !== changeOf(list)) continue;
        state.repeats = newPageRepeats();
        forgetRefusals(state.own);
        state.told = state.everTold = true;
        if (state.walk) state.walk.changed = true;
      }
      return undefined;
    },

    sessionOver(session) {
      const states = [...(sessions.find(session)?.values() ?? [])];
      const subjects = states.flatMap((state) => (state.walk ? [subjectOf(session, state, state.walk)] : []));
      sessions.forget(session);
      contexts.forget(session);
      return { subjects };
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
      if (state.walk) subjects.push(subjectOf(record.session, state, state.walk));
      state.walk = newWalk(method, record);
      state.walk.behindOthers =
        state.walk.context !== undefined && contexts.isBehindOthers(record.session, state.walk.context);
    }
    const walk = state.walk;
    if (!walk || (cursor !== undefined && cursor !== walk.next)) return subjects;
    noteContext(walk, record);
    noteCursor(walk, cursor, `${textMark(JSON.stringify(items))} ${JSON.stringify(next)}`, typeof next === 'string');
    walk.pages += 1;
    walk.items += items.length;
    if (typeof scope === 'string') walk.scopes.add(scope);
    if (walk.events.length < 200) append(walk.events, record.events);
    const onPage = new Map<string, string>();
    for (const item of items) {
      const name = isObject(item) ? item[key] : undefined;
      if (typeof name !== 'string') continue;
      const earlier = walk.entries.has(name);
      if ((earlier || onPage.has(name)) && walk.repeated.items.length < keptNames) walk.repeated.items.push(name);
      if (earlier && walk.repeated.overlap.length < keptNames) walk.repeated.overlap.push(name);
      onPage.set(name, walk.context ? textMark(JSON.stringify(item)) : '');
    }
    for (const [name, mark] of onPage) walk.entries.set(name, mark);
    if (typeof next !== 'string') {
      subjects.push(subjectOf(record.session, state, walk, record));
      delete state.walk;
      return subjects;
    }
    if (walk.cursors.has(next)) walk.repeated.cursor = true;
    walk.cursors.add(next);
    walk.next = next;
    return subjects;
  }
}

function stateOfCursor(cursor: unknown, given: OwnCursors['given']): string | undefined {
  if (cursor === undefined) return 'none';
  if (typeof cursor !== 'string') return undefined;
  return given.has(cursor) ? 'issued' : 'unknown';
}

/** The notification for a change of the list: templates belong to the resources. */
function changeOf(list: string): string {
  return `notifications/${list.split('/')[0]}/list_changed`;
}
