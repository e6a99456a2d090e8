/**
 * Compares complete walks through one list, made in the stateless era on several connections, behind other requests and
 * in the name of other clients (2026-07-28: basic/index, Statelessness). A list may change at any time, so one
 * differing walk proves nothing. An entry counts only if all walks of one kind have it and none of the other, both
 * kinds alternated, and no tool was called on the connections. Keeps the newest walks, without judgement.
 */
import { isObject, type JsonObject } from '../../model/json.ts';
import { perSession } from '../state/per-session.ts';
import type { Facts } from '../core/plugin.ts';
import { clientInfoKey, metaOf } from '../values/rpc.ts';
import type { RpcRecord } from '../requests/rpc-record.ts';
import type { SessionState } from '../state/session-state.ts';

/** Context of a request besides its params, by which a server may distinguish clients. */
export interface RequestContext {
  client: string;
  /** The rest of its _meta. */
  rest: string;
  credentials: string;
}

/** A complete walk through a list. */
export interface ListWalk {
  session: SessionState;
  context: RequestContext;
  /** Seqs of its first request and of its last answer, and when that came. */
  from: number;
  to: number;
  t: number;
  /** Entries in order: names with a mark of the whole entry. */
  entries: ReadonlyMap<string, string>;
  /** Requests in another name, or with another _meta, came before it on the connection. */
  behindOthers: boolean;
  /** Results of tools/call on the connection so far, and wherever they can have had an effect on the list. */
  callsHere: number;
  callsAround: number;
  /** The server announced a change of the list on the connection. */
  told: boolean;
  events: readonly number[];
}

type Finding = 'same' | 'differs';
type Names = ReadonlySet<string>;

export interface ListContexts {
  /** A request of a client was sent. */
  sent(record: RpcRecord): void;
  /** True if an earlier request on the connection had another context. */
  isBehindOthers(session: SessionState, context: RequestContext): boolean;
  /** A connection is over. */
  forget(session: SessionState): void;
  /**
   * Adds a walk.
   * @returns its facts in comparison with earlier ones, and their events
   */
  beside(method: string, walk: ListWalk): { facts: Facts; events: number[] };
}

/** Maximum number of kept walks of one list, of compared entries, and of reported names. */
const keptWalks = 60;
const mostEntries = 2000;
const reportedNames = 20;
const pairMs = 60_000;
const citedEvents = 100;

const progressTokenKey = 'progressToken';

/** The context of a request; undefined for one whose _meta is none of this era's. */
export function contextOf(record: RpcRecord): RequestContext | undefined {
  const meta = metaOf(record.message);
  return meta === undefined || !isFaultless(meta, record.session) ? undefined : contextIn(meta, record);
}

function contextIn(meta: JsonObject, { http }: RpcRecord): RequestContext {
  const rest = Object.entries(meta).filter(([key]) => key !== clientInfoKey && key !== progressTokenKey);
  return {
    client: JSON.stringify(meta[clientInfoKey]) ?? 'none',
    rest: JSON.stringify(rest.sort(([a], [b]) => (a < b ? -1 : 1))),
    credentials: String(http?.requestHeaders.authorization),
  };
}

function isFaultless(meta: JsonObject, session: SessionState): boolean {
  return (
    meta['io.modelcontextprotocol/protocolVersion'] === session.revision &&
    isObject(meta['io.modelcontextprotocol/clientCapabilities'])
  );
}

export function sameContext(one: RequestContext, other: RequestContext): boolean {
  return one.client === other.client && one.rest === other.rest && one.credentials === other.credentials;
}

export function createListContexts(): ListContexts {
  const lists = new Map<string, { walks: ListWalk[]; pairs: OrderPairs }>();
  /** The context of the first request of each connection, or that there were several. */
  const contexts = perSession<{ only?: RequestContext; several: boolean }>(() => ({ several: false }));
  return {
    sent(record) {
      if (record.from !== 'client' || record.session.era === 'stateful') return;
      const seen = contexts.of(record.session);
      const meta = metaOf(record.message);
      // The first request of a connection determines the revision.
      const context = meta === undefined ? undefined : contextIn(meta, record);
      if (context === undefined || (seen.only !== undefined && !sameContext(seen.only, context))) seen.several = true;
      else seen.only = context;
    },
    isBehindOthers(session, context) {
      const seen = contexts.of(session);
      return seen.several || (seen.only !== undefined && !sameContext(seen.only, context));
    },
    forget: contexts.forget,
    beside(method, walk) {
      if (walk.entries.size > mostEntries) return { facts: {}, events: [] };
      const list = lists.get(method) ?? { walks: [], pairs: { changed: 0, same: 0, events: [] } };
      lists.set(method, list);
      const { walks } = list;
      const order = afterLast(
        list.pairs,
        walks.findLast((one) => reaches(one, walk)),
        walk,
      );
      walks.push(walk);
      if (walks.length > keptWalks) walks.shift();
      const alike = walks.filter(
        ({ context }) => context.credentials === walk.context.credentials && context.rest === walk.context.rest,
      );
      const sameClient = alike.filter(({ context }) => context.client === walk.context.client);
      const connections = acrossConnections(sameClient, walk);
      const requests = acrossRequests(sameClient, walk);
      const clients = acrossClients(
        alike.filter(({ session }) => session === walk.session),
        walk,
      );
      const found = [connections, requests, clients].filter((one) => one !== undefined);
      const apart = new Set(found.flatMap(({ names }) => names));
      return {
        facts: {
          acrossConnections: connections?.finding,
          acrossRequests: requests?.finding,
          acrossClients: clients?.finding,
          order,
          apart: [...apart].slice(0, reportedNames),
        },
        events: [
          ...new Set([
            ...found.flatMap(({ walks: of }) => of.flatMap(({ events }) => events)),
            ...(order === 'differs' ? list.pairs.events : []),
          ]),
        ].slice(0, citedEvents),
      };
    },
  };
}

interface OrderPairs {
  /** Walks that gave the same entries as the one before, in another order or the same one. */
  changed: number;
  same: number;
  events: number[];
}

/** True if changes between two walks are visible: on stdio each process has its own list. */
function reaches(one: ListWalk, later: ListWalk): boolean {
  return (
    one.context.credentials === later.context.credentials &&
    (later.session.transport !== 'stdio' || one.session === later.session)
  );
}

/**
 * The order in comparison with the previous walk: twice another one for the same entries, without a possible cause in
 * between.
 */
function afterLast(pairs: OrderPairs, before: ListWalk | undefined, walk: ListWalk): Finding | undefined {
  if (!before) return undefined;
  const [names, earlier] = [[...walk.entries.keys()], [...before.entries.keys()]];
  if (names.length < 2 || names.length !== earlier.length || !names.every((name) => before.entries.has(name)))
    return undefined;
  if (names.every((name, at) => name === earlier[at])) {
    pairs.same += 1;
    return pairs.changed === 0 && pairs.same >= 2 ? 'same' : undefined;
  }
  if (walk.callsAround !== before.callsAround || walk.told !== before.told || walk.t - before.t > pairMs)
    return undefined;
  pairs.changed += 1;
  if (pairs.events.length < citedEvents) for (const seq of [...before.events, ...walk.events]) pairs.events.push(seq);
  return pairs.changed >= 2 ? 'differs' : undefined;
}

interface Found {
  finding: Finding;
  names: string[];
  walks: readonly ListWalk[];
}

/** This connection twice, a second one twice, this one again, a third one twice, and this one once more. */
function acrossConnections(walks: readonly ListWalk[], walk: ListWalk): Found | undefined {
  const own = walks.filter(({ session }) => session === walk.session);
  const twice = own[1]?.to;
  if (twice === undefined) return undefined;
  const others = [...grouped(walks, ({ session }) => session)]
    .filter(
      ([session, of]) =>
        session !== walk.session &&
        of.length >= 2 &&
        of[0]!.from > twice &&
        of.at(-1)!.to < walk.from &&
        of.every(isUntouched),
    )
    .map(([, of]) => of);
  const inTurn = others.some((second) => others.some((third) => liesBetween(own, second.at(-1)!.to, third[0]!.from)));
  return inTurn
    ? foundIn(
        [...own, ...others.flat()],
        others.map((of) => compare(own, of, namesOf)),
      )
    : undefined;
}

/** On two connections, one after the other: twice at first, and again behind requests in another name or with another _meta. */
function acrossRequests(walks: readonly ListWalk[], walk: ListWalk): Found | undefined {
  if (!walk.behindOthers) return undefined;
  const phases = [...grouped(walks.filter(isUntouched), ({ session }) => session).values()]
    .map((of) => ({
      before: of.filter(({ behindOthers }) => !behindOthers),
      behind: of.filter(({ behindOthers }) => behindOthers),
    }))
    .filter(({ before, behind }) => before.length >= 2 && behind.length >= 1);
  const [one, other] = phases.sort((a, b) => a.before[0]!.from - b.before[0]!.from);
  if (!one || !other || one.behind[0]!.to > other.before[0]!.from || one.behind.length + other.behind.length < 3)
    return undefined;
  const [before, behind] = [
    [...one.before, ...other.before],
    [...one.behind, ...other.behind],
  ];
  return foundIn([...before, ...behind], [compare(before, behind, namesOf)]);
}

/** On one connection: one client twice, another, the first again, the other, and the first once more. */
function acrossClients(own: readonly ListWalk[], walk: ListWalk): Found | undefined {
  const byClient = grouped(own, ({ context }) => context.client);
  const mine = byClient.get(walk.context.client)!;
  for (const [client, theirs] of byClient) {
    const [first, last] = [theirs[0]!, theirs.at(-1)!];
    if (client === walk.context.client || first === last || walk.from < last.to) continue;
    if (mine.filter(({ to }) => to < first.from).length < 2 || !liesBetween(mine, first.to, last.from)) continue;
    return foundIn([...mine, ...theirs], [compare(mine, theirs, marksOf)]);
  }
  return undefined;
}

function grouped<K>(walks: readonly ListWalk[], by: (walk: ListWalk) => K): Map<K, ListWalk[]> {
  const groups = new Map<K, ListWalk[]>();
  for (const walk of walks) {
    const group = groups.get(by(walk));
    if (group) group.push(walk);
    else groups.set(by(walk), [walk]);
  }
  return groups;
}

function liesBetween(walks: readonly ListWalk[], from: number, to: number): boolean {
  return walks.some((one) => one.from > from && one.to < to);
}

/** Nothing had happened on the connection that may change a list. */
function isUntouched({ callsHere, told: reported }: ListWalk): boolean {
  return callsHere === 0 && !reported;
}

/** All comparisons say the same, of connections on which nothing happened that may change a list. */
function foundIn(walks: readonly ListWalk[], compared: readonly Compared[]): Found | undefined {
  const [first] = compared;
  if (!first || !walks.every(isUntouched) || compared.some((one) => one?.finding !== first.finding)) return undefined;
  return { finding: first.finding, names: compared.flatMap((one) => one!.names), walks };
}

type Compared = Pick<Found, 'finding' | 'names'> | undefined;

/**
 * Entries that all walks of one kind have, and none of the other. A list that always changes is only that. If tools on
 * other connections may change it meanwhile, it is enough that most entries agree, and the differences may be their
 * work.
 */
function compare(ones: readonly ListWalk[], others: readonly ListWalk[], read: (walk: ListWalk) => Names): Compared {
  const [left, right] = [ones.map(read), others.map(read)];
  const called =
    ones[0]!.session.transport === 'http' &&
    new Set([...ones, ...others].map(({ callsAround }) => callsAround)).size > 1;
  if (![left, right].every((sort) => isSteady(sort, called))) return undefined;
  const apart = [...onlyIn(left, right), ...onlyIn(right, left)];
  if (apart.length === 0) return { finding: 'same', names: [] };
  return called ? undefined : { finding: 'differs', names: apart.map((name) => name.split('\n')[0]!) };
}

function onlyIn(ones: readonly Names[], others: readonly Names[]): string[] {
  const [first, ...more] = ones;
  return [...first!].filter((name) => more.every((one) => one.has(name)) && !others.some((one) => one.has(name)));
}

/** @param mostly a few names may come and go */
function isSteady(walks: readonly Names[], mostly: boolean): boolean {
  const all = new Set(walks.flatMap((names) => [...names]));
  const always = [...all].filter((name) => walks.every((names) => names.has(name))).length;
  return always === all.size || (mostly && (all.size - always) * 4 <= always);
}

function namesOf({ entries }: ListWalk): Names {
  return new Set(entries.keys());
}

function marksOf({ entries }: ListWalk): Names {
  return new Set([...entries].map(([name, mark]) => `${name}\n${mark}`));
}
