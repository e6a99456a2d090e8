/**
 * Follows the subscriptions of the stateless era by the ids of their requests (2026-07-28:
 * basic/patterns/subscriptions): what was asked for, what was granted, and which messages came under which id. It makes
 * no judgement.
 */
import { BoundedMap } from '../../model/bounded.ts';
import { asObject, asText, isObject, type JsonObject } from '../../model/json.ts';
import type { Definitions, Facts, Feature, Given, Hooks } from '../core/plugin.ts';
import { storeOf } from '../state/store.ts';
import type { SessionState } from '../state/session-state.ts';
import type { MessageView } from '../requests/message-view.ts';
import type { RpcRecord } from '../requests/rpc-record.ts';
import { metaOf, paramsOf, typedKey, type IdKey } from '../values/rpc.ts';

const idKey = 'io.modelcontextprotocol/subscriptionId';
const acknowledgement = 'notifications/subscriptions/acknowledged';
const updated = 'notifications/resources/updated';
/** The flag of the filter by which each kind of change is asked for. */
const flags: Readonly<Record<string, string>> = {
  'notifications/tools/list_changed': 'toolsListChanged',
  'notifications/prompts/list_changed': 'promptsListChanged',
  'notifications/resources/list_changed': 'resourcesListChanged',
};

const mostSubscriptions = 500;
const listed = 50;
/** Number of announcements to another subscription before a missing one counts as left out. */
const reportedTwice = 2;

interface Subscription {
  record: RpcRecord;
  filter: JsonObject;
  granted?: unknown;
  acknowledged: boolean;
  acknowledgedSeq?: number;
  /** A client waited for the acknowledgement for as long as it waits for answers, while others came. */
  overdue: boolean;
  /** Method of the first message under its id. */
  first?: string;
  early: string[];
  events: string[];
  unasked: string[];
  unaskedUris: string[];
  untagged: string[];
  logs: number;
  progress: number;
  /** Messages under its id after its end. */
  late: string[];
  /** Changes announced on the connection while it was open. */
  changes: number;
  updates: number;
  /** Log messages on the connection while it was open. */
  logsElsewhere: number;
  cancelled: boolean;
  /** Results of tool calls since it was cancelled. */
  callsSinceEnd: number;
  /** A result came for it after it was cancelled. */
  answeredLate: boolean;
  /** Changes announced to another subscription while this one was open: times, by method. */
  toldElsewhere: Map<string, number[]>;
  /** The newest change under its id. */
  toldSeq?: number;
  seen: number[];
}

interface Kept {
  byId: Map<IdKey, Subscription>;
  /** Subscriptions that were open when the client asked the server to end, and the event of that request. */
  atEnd?: { open: Subscription[]; seq: number };
}

const kept = storeOf<Kept>(() => ({ byId: new BoundedMap(mostSubscriptions) }));

const exchangeFacts: Definitions<RpcRecord> = {
  listened: {
    says: 'subscriptions/listen: filter, acknowledged, overdue (the client waited for it without success, although a later request was answered), granted (notifications of the acknowledgement), grantedBeyond (what of that was not asked for), first (method of the first message under its id), early (notifications before the acknowledgement), events, unasked and unaskedUris (changes under its id that the filter does not name), untagged (notifications on its HTTP reply without id), logs and progress (notifications/message and notifications/progress under its id or on its reply), late (what came under its id after its end), changes, updates and logsElsewhere (told on the connection while it was open), callsSinceEnd (results of tools/call since the client cancelled it), answeredCancels (it was cancelled, and a result came all the same: of how many subscriptions of the connection this is true by then; absent where one that nobody had cancelled was answered, or none is older and still open), untold (changes that it grants and never told, though another subscription told them twice since, and it told another change behind the first of these), end (how the server ended it: result, cancelled, or silent, by the end of the HTTP reply alone).',
    rests: ['order', 'start'],
  },
};

const messageFacts: Definitions<MessageView> = {
  subscriptionState: {
    says: 'Messages of the server that carry a subscription id: known (that of a subscription), other (over HTTP: not that of the reply it came on), type-changed or unknown.',
    rests: ['order', 'start'],
  },
  subscriptionAnswered: {
    says: 'Messages under the id of a subscription: its request had been answered before.',
    rests: ['order', 'start'],
  },
  subscriptionAsked: {
    says: 'Changes under the id of a subscription: its filter names them.',
    rests: ['order', 'start'],
  },
  taskListened: {
    says: 'tasks/get: a subscription of the connection that is open names the task.',
    rests: ['order', 'start'],
  },
  subscriptions: {
    says: 'Messages under the id of a subscription: how many subscriptions the client had opened on the connection.',
    rests: ['order', 'start'],
  },
};

const sessionFacts: Definitions<SessionState> = {
  subscriptionsAtEnd: {
    says: 'Stateless era: how each subscription ended that was open when the client asked the server to end (step shutDown): result, cancelled, or silent.',
    rests: ['order', 'start'],
  },
};

export const subscriptions: Feature = {
  name: 'subscriptions',
  facts: { exchange: exchangeFacts, message: messageFacts, session: sessionFacts },
  create: createSubscriptions,
};

/** True if a subscription that grants updates of a resource has been open all the time since an event. */
export function isWatchedSince(session: SessionState, uri: string, seq: number): boolean {
  return isGrantedSince(session, seq, ({ resourceSubscriptions: uris }) => Array.isArray(uris) && uris.includes(uri));
}

/**
 * The same for a kind of list change.
 * @param method of its notification
 */
export function isListWatchedSince(session: SessionState, method: string, seq: number): boolean {
  const flag = flags[method];
  return flag !== undefined && isGrantedSince(session, seq, (granted) => granted[flag] === true);
}

function isGrantedSince(session: SessionState, seq: number, grants: (granted: JsonObject) => boolean): boolean {
  return [...kept(session).byId.values()].some(
    (one) => isGoingOn(one) && (one.acknowledgedSeq ?? seq) < seq && isObject(one.granted) && grants(one.granted),
  );
}

function createSubscriptions(): Hooks {
  return {
    request(record) {
      if (record.from !== 'client' || record.method !== 'subscriptions/listen') return undefined;
      const { byId } = kept(record.session);
      byId.set(typedKey(record.id), begun(record));
      return undefined;
    },

    event({ event, session }) {
      if (event.kind === 'closed' && event.what === 'server') {
        const own = kept(session);
        own.atEnd = { open: [...own.byId.values()].filter(isGoingOn), seq: event.seq };
      }
      if (event.kind !== 'timeout' || event.what !== 'acknowledgement') return undefined;
      for (const one of kept(session).byId.values()) {
        if (one.record.seq !== event.awaited) continue;
        one.overdue = true;
        one.seen.push(event.seq);
      }
      return undefined;
    },

    message(view) {
      const { byId } = kept(view.session);
      // Without any subscription, the id of one can still stand in a notification.
      const isOpen = byId.size > 0 || (view.item.from === 'server' && view.item.shape === 'notification');
      if (!isOpen || view.replay) return undefined;
      if (view.item.from === 'client')
        return view.method === 'tasks/get' ? polled(view, byId) : cancelledBy(view, byId);
      return received(view, byId);
    },

    answered(record) {
      const { byId } = kept(record.session);
      if (record.from === 'client' && record.method === 'tools/call' && record.outcome === 'result') {
        for (const one of byId.values()) if (one.cancelled) one.callsSinceEnd += 1;
      }
      const own = record.method === 'subscriptions/listen' ? byId.get(typedKey(record.id)) : undefined;
      if (own?.record !== record) return undefined;
      own.answeredLate = own.cancelled && record.outcome === 'result';
      const reported = { answeredCancels: answeredCancels(own, byId), untold: untold(own) };
      return { facts: { listened: { ...factsOf(own), ...reported } }, events: own.seen };
    },

    sessionOver(session) {
      const { atEnd } = kept(session);
      if (atEnd === undefined) return undefined;
      const cited = [atEnd.seq, ...atEnd.open.flatMap(({ record }) => record.events)];
      return {
        facts: { subscriptionsAtEnd: atEnd.open.map(({ record }) => endOf(record) ?? 'silent') },
        cites: { subscriptionsAtEnd: cited },
        events: cited,
      };
    },
  };
}

function begun(record: RpcRecord): Subscription {
  const filter = asObject(paramsOf(record.message)?.notifications) ?? {};
  return {
    record,
    filter,
    acknowledged: false,
    overdue: false,
    early: [],
    events: [],
    unasked: [],
    unaskedUris: [],
    untagged: [],
    logs: 0,
    progress: 0,
    late: [],
    changes: 0,
    updates: 0,
    logsElsewhere: 0,
    cancelled: false,
    callsSinceEnd: 0,
    answeredLate: false,
    toldElsewhere: new Map(),
    seen: [],
  };
}

function cancelledBy({ method, item }: MessageView, byId: Map<IdKey, Subscription>): undefined {
  const own = method === 'notifications/cancelled' ? byId.get(typedKey(paramsOf(item.message)?.requestId)) : undefined;
  if (own) own.cancelled = true;
}

/** True if a polled task also has a subscription (extension: tasks#task-status-notifications). */
function polled({ item }: MessageView, byId: Map<IdKey, Subscription>): Given {
  const taskId = paramsOf(item.message)?.taskId;
  const own = [...byId.values()].find(
    (one) =>
      isGoingOn(one) &&
      isObject(one.granted) &&
      Array.isArray(one.granted.taskIds) &&
      one.granted.taskIds.includes(taskId),
  );
  return { facts: { taskListened: own !== undefined }, events: own ? [own.record.seq] : [] };
}

/** Relation of a server message to subscriptions. */
function received(view: MessageView, byId: Map<IdKey, Subscription>): Given | undefined {
  const { method, http, item } = view;
  const result = asObject(asObject(item.message)?.result);
  const meta = asObject(result?._meta) ?? metaOf(item.message);
  const tag = meta?.[idKey];
  const carrier = http?.rpcMethod === 'subscriptions/listen' ? byId.get(typedKey(http.rpcIds[0])) : undefined;
  const named = tag === undefined ? undefined : byId.get(typedKey(tag));
  const isChange = typeof method === 'string' && (method in flags || method === updated);
  for (const one of byId.values()) {
    if (one.record.outcome !== undefined || one.cancelled) continue;
    if (isChange) one.changes += 1;
    if (method === updated) one.updates += 1;
    if (method === 'notifications/message') one.logsElsewhere += 1;
  }
  const own = carrier ?? named;
  if (own && typeof method === 'string') note(own, method, view, tag);
  if (named && isChange && method in flags)
    for (const one of byId.values()) if (one !== named && isGoingOn(one)) noteElsewhere(one, method, item.seq);
  if (tag === undefined) return undefined;
  const facts: Facts = { subscriptionState: stateOf(tag, named, carrier, byId), subscriptions: byId.size };
  if (named) facts.subscriptionAnswered = named.record.outcome !== undefined && view.item.shape !== 'result';
  if (named && isChange) facts.subscriptionAsked = isAsked(named.filter, method, view);
  return { facts };
}

function stateOf(
  tag: unknown,
  named: Subscription | undefined,
  carrier: Subscription | undefined,
  byId: Map<IdKey, Subscription>,
): string {
  if (named) return carrier === undefined || carrier === named ? 'known' : 'other';
  const twin = typeof tag === 'string' ? Number(tag) : asText(tag);
  return byId.has(typedKey(twin)) ? 'type-changed' : 'unknown';
}

function note(own: Subscription, method: string, view: MessageView, tag: unknown): void {
  if (own.seen.length < listed) own.seen.push(view.item.seq);
  if (tag === undefined) add(own.untagged, method);
  else own.first ??= method;
  if (own.cancelled || own.record.outcome !== undefined) add(own.late, method);
  if (method === acknowledgement) {
    if (!own.acknowledged) own.granted = paramsOf(view.item.message)?.notifications;
    own.acknowledged = true;
    own.acknowledgedSeq ??= view.item.seq;
    return;
  }
  if (!own.acknowledged) add(own.early, method);
  if (method === 'notifications/message') own.logs += 1;
  if (method === 'notifications/progress') own.progress += 1;
  if (!(method in flags) && method !== updated) return;
  add(own.events, method);
  own.toldSeq = view.item.seq;
  if (isAsked(own.filter, method, view)) return;
  const uri = paramsOf(view.item.message)?.uri;
  if (method === updated && Array.isArray(own.filter.resourceSubscriptions)) add(own.unaskedUris, asText(uri));
  else add(own.unasked, method);
}

function isAsked(filter: JsonObject, method: string, { item }: MessageView): boolean {
  if (method !== updated) return filter[flags[method]!] === true;
  const { resourceSubscriptions: uris } = filter;
  const uri = paramsOf(item.message)?.uri;
  return Array.isArray(uris) && uris.some((one) => one === uri || isPartOf(uri, one));
}

/**
 * The announced address may be that of a part of the requested resource (2026-07-28: schema,
 * ResourceUpdatedNotificationParams).
 */
function isPartOf(uri: unknown, whole: unknown): boolean {
  if (typeof uri !== 'string' || typeof whole !== 'string' || whole === '' || !uri.startsWith(whole)) return false;
  return whole.endsWith('/') || '/?#'.includes(uri[whole.length] ?? ' ');
}

function add(list: string[], one: string): void {
  if (list.length < listed) list.push(one);
}

/**
 * How the server ended it, if at all: by its result, by notifications/cancelled, or only by the end of the HTTP reply.
 */
function endOf({ outcome, tornDown, http }: RpcRecord): string | undefined {
  if (outcome === 'result') return 'result';
  if (tornDown) return 'cancelled';
  return outcome === 'missing' && http?.stream?.closedBy === 'server' ? 'silent' : undefined;
}

/** Acknowledged, and not ended. */
function isGoingOn({ record, cancelled, acknowledged }: Subscription): boolean {
  return (
    acknowledged &&
    !cancelled &&
    record.outcome === undefined &&
    record.dropSeq === undefined &&
    record.tornDown !== true
  );
}

function noteElsewhere(one: Subscription, method: string, seq: number): void {
  const seen = one.toldElsewhere.get(method) ?? [];
  if (seen.length < reportedTwice) one.toldElsewhere.set(method, [...seen, seq]);
}

/**
 * Granted changes that others repeatedly received and that never came under its own id, although it was still known.
 */
function untold({ granted, events, toldSeq: reportedSeq = 0, toldElsewhere }: Subscription): string[] {
  if (!isObject(granted) || events.length === listed) return [];
  return [...toldElsewhere].flatMap(([method, [first = 0, ...more]]) =>
    granted[flags[method]!] === true && more.length > 0 && first < reportedSeq && !events.includes(method)
      ? [method]
      : [],
  );
}

/**
 * A result that crosses the cancellation is chance. A subscription for each cancelled one is none, while older
 * uncancelled ones stay open.
 */
function answeredCancels(own: Subscription, byId: Map<IdKey, Subscription>): number | undefined {
  const all = [...byId.values()];
  const left = all.filter(({ cancelled }) => !cancelled);
  if (
    left.some(({ record }) => record.outcome !== undefined) ||
    !left.some((one) => isGoingOn(one) && one.record.seq < own.record.seq)
  )
    return undefined;
  return all.filter(({ answeredLate }) => answeredLate).length;
}

function factsOf({
  record,
  cancelled: _cancelled,
  seen: _seen,
  acknowledgedSeq: _seq,
  answeredLate: _late,
  toldElsewhere: _told,
  toldSeq: _toldSeq,
  ...reported
}: Subscription): JsonObject {
  const end = endOf(record);
  return {
    ...reported,
    ...(end === undefined ? {} : { end }),
    grantedBeyond: beyond(reported.granted, reported.filter),
  };
}

/** Unrequested grants of an acknowledgement. */
function beyond(granted: unknown, filter: JsonObject): string[] {
  if (!isObject(granted)) return [];
  return Object.entries(granted).flatMap(([name, value]) => {
    const asked = filter[name];
    if (Array.isArray(value))
      return value
        .filter((one) => !Array.isArray(asked) || !asked.includes(one))
        .map((one) => `${name}: ${String(one)}`);
    return value === true && asked !== true ? [name] : [];
  });
}
