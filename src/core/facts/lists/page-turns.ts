/**
 * Follows if a client asks for the next page of a list (the `turn` subjects), which shows that it has read the page
 * before. Connections are compared, since a client may never go on.
 */
import { append } from '../../model/lists.ts';
import { BoundedMap } from '../../model/bounded.ts';
import { asObject, asText, isObject, type JsonObject } from '../../model/json.ts';
import type { Definitions, Feature, Hooks } from '../core/plugin.ts';
import type { RpcRecord } from '../requests/rpc-record.ts';
import type { SessionState } from '../state/session-state.ts';
import type { Subject } from '../state/subject.ts';
import { textMark } from '../tool-surface/text-mark.ts';
import { listOf } from '../values/lists.ts';
import { paramsOf } from '../values/rpc.ts';

/** Keys of _meta that are reserved, and that no revision defines. */
const oddKey =
  /^(?!io\.modelcontextprotocol\/(?:related-task|model-immediate-response|protocolVersion|clientInfo|clientCapabilities|serverInfo|subscriptionId|logLevel|ui)$)(?:[^/.]+\.)?(?:modelcontextprotocol|mcp)[^/]*\//;

const keptTurns = 2_000;
const keptPages = 200;
const keptEvents = 20;
/** A client may have given up waiting for a page that takes longer, milliseconds. */
const promptMs = 1_000;

interface Form {
  media: string;
  comments: boolean;
  oddHeaders: readonly string[];
  resultType: 'complete' | 'absent' | 'other';
  emptyCursor: boolean;
  oddMeta: boolean;
}

interface Turn extends Form {
  session: SessionState;
  method: string;
  /** Method and entries. */
  page: string;
  /** Nothing about it is unusual. */
  plain: boolean;
  cursors: Set<string>;
  followed: boolean;
  /** The client may not have gone on for another reason: the page came late, or the client had refused a request. */
  doubtful: boolean;
  events: number[];
}

const turnFacts: Definitions = {
  method: { says: 'The list method.', rests: [] },
  followed: { says: 'The client asked for the next page.', rests: ['order'] },
  comments: { says: 'The event stream that brought it had comment lines.', rests: ['exchanges', 'streams', 'bytes'] },
  oddHeaders: { says: 'Names of headers of that reply in letters of an unusual case.', rests: ['exchanges', 'bytes'] },
  resultType: { says: 'Its resultType: complete, absent or other.', rests: [] },
  emptyCursor: { says: 'Its nextCursor is the empty string.', rests: [] },
  oddMeta: { says: 'The _meta of the result has reserved keys that no revision defines.', rests: [] },
  elsewhere: {
    says: 'Plain pages with the same entries on other connections: followed and left (how many the client went on from, or not), otherMedia (all followed ones came otherwise).',
    rests: ['start', 'order', 'exchanges'],
  },
};

export const pageTurns: Feature = {
  name: 'page-turns',
  kinds: {
    turn: 'A page of a list with a nextCursor, with its repetitions in the same form on the connection. Complete at the end of the connection.',
  },
  facts: { turn: turnFacts },
  create: createPageTurns,
};

/** The part of a turn that is kept once its connection is over. */
interface Past {
  media: string;
  followed: boolean;
  events: readonly number[];
}

function createPageTurns(): Hooks {
  const turns = new Map<SessionState, Map<string, Turn>>();
  const past = new BoundedMap<string, Past[]>(keptTurns);
  /** Connections on which the client refused a request of the server. */
  const refusing = new WeakSet<SessionState>();

  function note(session: SessionState, method: string, page: string, form: Form): Turn | undefined {
    const known = turns.get(session) ?? new Map<string, Turn>();
    turns.set(session, known);
    const key = `${page} ${JSON.stringify(form)}`;
    const found = known.get(key);
    if (found !== undefined || known.size >= keptPages) return found;
    const turn: Turn = {
      ...form,
      session,
      method,
      page,
      plain: isPlain(session, form),
      cursors: new Set(),
      followed: false,
      doubtful: refusing.has(session),
      events: [],
    };
    known.set(key, turn);
    return turn;
  }

  /** Plain forms of the page on other connections, by now. */
  function elsewhere({ session, page, ...turn }: Turn): Past[] {
    const open = [...turns].flatMap(([other, of]) => (other === session ? [] : [...of.values()]));
    const same = open.filter((one) => one.page === page && one.plain && isKnown(one));
    return [...(past.get(page) ?? []), ...same].filter(({ media }) => !turn.plain || media !== turn.media);
  }

  return {
    request({ from, session, message, method, seq }) {
      const cursor = from === 'client' ? paramsOf(message)?.cursor : undefined;
      if (typeof cursor !== 'string') return undefined;
      for (const turn of turns.get(session)?.values() ?? []) {
        if (turn.method !== method || !turn.cursors.has(cursor)) continue;
        turn.followed = true;
        if (turn.events.length < keptEvents) turn.events.push(seq);
      }
      return undefined;
    },
    answered(record) {
      const method = asText(record.method);
      const list = record.from === 'client' ? listOf(method) : undefined;
      const result = list && asObject(asObject(record.reply)?.result);
      const next = result?.nextCursor;
      const entries = list && result?.[list.member];
      if (typeof next !== 'string' || !Array.isArray(entries)) return undefined;
      const names = entries.map((one: unknown) => (isObject(one) ? one[list!.key] : undefined));
      const turn = note(record.session, method, textMark(JSON.stringify([method, names])), formOf(record, result!));
      if (turn === undefined) return undefined;
      turn.cursors.add(next);
      turn.doubtful ||= record.cancelSeq !== undefined || (record.replyT ?? record.t) - record.t > promptMs;
      if (turn.events.length < keptEvents) append(turn.events, record.events.slice(0, keptEvents));
      return undefined;
    },
    message({ item, session }) {
      if (item.from !== 'client' || item.shape !== 'error') return undefined;
      refusing.add(session);
      for (const turn of turns.get(session)?.values() ?? []) turn.doubtful = true;
      return undefined;
    },
    sessionOver(session) {
      const own = [...(turns.get(session)?.values() ?? [])].filter(isKnown);
      const subjects = own.map((turn) => subjectOf(turn, elsewhere(turn)));
      turns.delete(session);
      for (const { plain, page, media, followed, events } of own) {
        if (plain) past.set(page, [...(past.get(page) ?? []).slice(-keptEvents), { media, followed, events }]);
      }
      return { subjects };
    },
  };
}

/** False where it is open why the client did not go on. */
function isKnown({ followed, doubtful }: Turn): boolean {
  return followed || !doubtful;
}

function subjectOf(turn: Turn, others: readonly Past[]): Subject {
  const { session, media, page: _page, plain: _plain, cursors: _cursors, doubtful: _doubtful, events, ...facts } = turn;
  const followed = others.filter((one) => one.followed);
  return {
    kind: 'turn',
    session,
    events: [...events, ...followed.flatMap((one) => one.events)],
    facts: {
      ...facts,
      elsewhere: {
        followed: followed.length,
        otherMedia: followed.length > 0 && followed.every((one) => one.media !== media),
        left: others.length - followed.length,
      },
    },
  };
}

function isPlain({ era }: SessionState, form: Form): boolean {
  const isUsual = form.resultType === (era === 'stateless' ? 'complete' : 'absent');
  return isUsual && !form.comments && form.oddHeaders.length === 0 && !form.emptyCursor && !form.oddMeta;
}

function formOf({ session, http, replyHttp }: RpcRecord, { resultType, nextCursor, _meta }: JsonObject): Form {
  const reply = replyHttp ?? http;
  return {
    media:
      session.transport === 'http' ? (reply?.stream === undefined ? 'json' : 'stream') : (session.transport ?? 'stdio'),
    comments: reply?.commented === true,
    oddHeaders: reply?.replySpelled ?? [],
    resultType: resultType === undefined ? 'absent' : resultType === 'complete' ? 'complete' : 'other',
    emptyCursor: nextCursor === '',
    oddMeta: isObject(_meta) && Object.keys(_meta).some((name) => oddKey.test(name)),
  };
}
