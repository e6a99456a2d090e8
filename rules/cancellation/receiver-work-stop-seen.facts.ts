/**
 * Follows work that shows in a resource: what reads of it gave while no tool ran, while one did, and after the call of
 * that tool was cancelled (2026-07-28: basic/patterns/cancellation). A tool of any connection may change a resource, so
 * times with several possible calls are no evidence. It makes no judgement.
 */
import { BoundedSet } from '../../src/core/model/bounded.ts';
import { asObject, canonical, isObject } from '../../src/core/model/json.ts';
import { append } from '../../src/core/model/lists.ts';
import { perSession } from '../../src/core/facts/state/per-session.ts';
import type { Definitions, Feature, Hooks } from '../../src/core/facts/core/plugin.ts';
import type { RpcRecord } from '../../src/core/facts/requests/rpc-record.ts';
import { paramsOf } from '../../src/core/facts/values/rpc.ts';
import { textMark } from '../../src/core/facts/tool-surface/text-mark.ts';
import type { SessionState } from '../../src/core/facts/state/session-state.ts';
import { createWorkPace, type WorkPace } from '../../src/core/facts/features/work-pace.ts';

const keptUris = 500;
const keptTools = 500;
const keptEvents = 200;
/** Contents up to this many characters are kept as they are, longer ones by a mark of them. */
const keptText = 2000;
const longestKey = 10_000;
/** Larger resources are not compared state by state. */
const largestContents = 1_000_000;
/** Silence is evidence only after this multiple of the longest pause of the work. */
const pausesToWait = 2;

/** Calls at work at a moment, on any connection. */
interface Moment {
  /** Calls sent so far. */
  sent: number;
  /** The only call that may be at work; none, or several. */
  at: RpcRecord | 'none' | 'several';
}

interface Read {
  mark: string;
  /** When it was sent, and what was at work then. */
  seq: number;
  moment: Moment;
  t: number;
}

/** A call that was left alone, as far as reads of one resource showed it. */
interface Work {
  pace: WorkPace;
  /** When it was over, and how long it had taken. */
  end: number;
  durationMs: number;
  events: number[];
}

/** The same of a call that was cancelled. */
interface Cancelled {
  before: number;
  late: number;
  /** The first read at a time when the server had known of it. */
  from: number | undefined;
  events: number[];
}

interface Watched {
  last: Read | undefined;
  /** While no tool was at work: changes, when the resource stopped changing, and the longest time that it did not. */
  changedAlone: number;
  steadySince: number | undefined;
  steadyMs: number;
  /** Calls that came to an end, by tool and arguments. */
  whole: Map<string, Work>;
  running: { record: RpcRecord; work: Work } | undefined;
  cancelled: { record: RpcRecord; seen: Cancelled } | undefined;
  events: number[];
}

const exchangeFacts: Definitions<RpcRecord> = {
  cancelledWork: {
    says: 'resources/read after a tools/call was cancelled (in the stateless era over HTTP: its reply closed), when the server had answered a request that was sent after that, and no other call was at work on any connection: whole (changes of the resource that were seen while an equal call ran that was left alone), before (changes while this one ran), late (changes since), alone (changes while no tool was at work), quiet (without a tool it had stayed the same for as long as is looked at here), waited (twice as long as the resource stays the same while the work goes on has passed since, and the call that was left alone would still run).',
    rests: ['order', 'start'],
  },
};

export const feature: Feature = { name: 'seen-work', facts: { exchange: exchangeFacts }, create: createSeenWork };

function createSeenWork(): Hooks {
  const sessions = perSession(() => new Map<string, Watched>());
  /** Calls that may be at work: not answered yet, or left without an answer. */
  const atWork = new BoundedSet<RpcRecord>(keptTools);
  /** Calls at work when unanswered reads were sent. */
  const reads = new Map<RpcRecord, Moment>();
  /** Of a cancelled call: a request that was sent later has been answered, at this place. */
  const known = new WeakMap<RpcRecord, number>();
  let sent = 0;
  /** Further calls may be at work that are no longer followed. */
  let othersAtWork = false;

  /** Nothing was at work; the same for all reads until a tool is called. */
  let idle: Moment = { sent, at: 'none' };

  function now(): Moment {
    if (atWork.size === 0 && !othersAtWork) return idle.sent === sent ? idle : (idle = { sent, at: 'none' });
    const [only] = atWork;
    return { sent, at: othersAtWork || atWork.size > 1 ? 'several' : (only ?? 'none') };
  }

  function watchedBy({ session }: RpcRecord, uri: string): Watched | undefined {
    const uris = sessions.of(session);
    const found = uris.get(uri);
    if (found !== undefined || uris.size >= keptUris) return found;
    const made: Watched = {
      last: undefined,
      changedAlone: 0,
      steadySince: undefined,
      steadyMs: 0,
      whole: new Map(),
      running: undefined,
      cancelled: undefined,
      events: [],
    };
    uris.set(uri, made);
    return made;
  }

  return {
    request(record) {
      if (record.from !== 'client') return undefined;
      if (record.method === 'tools/call') {
        sent += 1;
        if (atWork.isFull) othersAtWork = true;
        else atWork.add(record);
      } else if (record.method === 'resources/read') reads.set(record, now());
      return undefined;
    },

    answered(record) {
      if (record.from !== 'client') return undefined;
      if (atWork.size === 0 && record.method !== 'resources/read') return undefined;
      const responded = record.outcome === 'result' || record.outcome === 'error';
      if (record.method === 'tools/call') {
        if (responded && !becameTask(record)) {
          atWork.delete(record);
          for (const watched of sessions.of(record.session).values()) ended(watched, record);
        }
        return undefined;
      }
      const moment = reads.get(record);
      if (moment) reads.delete(record);
      if (!responded) return undefined;
      for (const call of atWork)
        if (call.session === record.session && record.seq > (cancelledAt(call) ?? Infinity) && !known.has(call))
          known.set(call, record.replySeq ?? record.seq);
      if (!moment) return undefined;
      const uri = paramsOf(record.message)?.uri;
      const contents = asObject(asObject(record.reply)?.result)?.contents;
      if (typeof uri !== 'string' || !Array.isArray(contents)) return undefined;
      const watched = watchedBy(record, uri);
      const text = textOf(contents);
      if (!watched || text.length > largestContents) return undefined;
      const read: Read = {
        mark: text.length <= keptText ? text : textMark(text),
        seq: record.seq,
        moment,
        t: record.replyT ?? record.t,
      };
      const before = watched.last;
      watched.last = read;
      if (before)
        compare(watched, {
          before,
          read,
          moment: now(),
          knownAt: (call) => known.get(call),
          session: record.session,
          events: record.events,
        });
      const found = cancelledWork(watched, read);
      return found && { facts: { cancelledWork: found.fact }, events: found.events };
    },

    letGo(record) {
      reads.delete(record);
      if (atWork.delete(record)) othersAtWork = true;
      return undefined;
    },

    sessionOver(session) {
      sessions.forget(session);
      for (const call of atWork) {
        if (call.session !== session) continue;
        atWork.delete(call);
        // On stdio the process is gone, and its work with it.
        if (session.transport !== 'stdio') othersAtWork = true;
      }
      return undefined;
    },
  };
}

/** Shows the work: usually one text. */
function textOf(contents: readonly unknown[]): string {
  const [first] = contents;
  return contents.length === 1 && isObject(first) && typeof first.text === 'string'
    ? first.text
    : JSON.stringify(contents);
}

interface Compared {
  before: Read;
  read: Read;
  /** Calls at work when the read is answered. */
  moment: Moment;
  knownAt(call: RpcRecord): number | undefined;
  session: SessionState;
  events: readonly number[];
}

/** Says of two reads that follow one another what was at work between them, and whether that showed. */
function compare(watched: Watched, { before, read, moment, knownAt, session, events }: Compared): void {
  const changed = before.mark !== read.mark;
  const begun = moment.sent - before.moment.sent;
  const first = before.moment.at;
  const last = moment.at;
  if (first === 'none' && last === 'none' && begun === 0) {
    alone(watched, before, read, changed);
    if (watched.events.length < keptEvents) append(watched.events, events);
    return;
  }
  watched.steadySince = undefined;
  const only =
    last !== 'none' && last !== 'several' && ((first === last && begun === 0) || (first === 'none' && begun === 1))
      ? last
      : undefined;
  if (only?.session !== session) {
    if (begun > 0 || last === 'several') watched.running = watched.cancelled = undefined;
    return;
  }
  if (cancelledAt(only) === undefined) goesOn(watched, only, { read, changed, events });
  else stopped(watched, only, { before, changed, knownAt: knownAt(only), events });
}

/** While no tool is at work. */
function alone(watched: Watched, before: Read, read: Read, changed: boolean): void {
  if (changed) {
    watched.changedAlone += 1;
    watched.steadySince = undefined;
    return;
  }
  watched.steadySince ??= before.t;
  watched.steadyMs = Math.max(watched.steadyMs, read.t - watched.steadySince);
}

/** While one call is at work that was not cancelled. */
function goesOn(
  watched: Watched,
  record: RpcRecord,
  { read, changed, events }: { read: Read; changed: boolean; events: readonly number[] },
): void {
  if (watched.running?.record !== record)
    watched.running = { record, work: { pace: createWorkPace(record.t), end: record.t, durationMs: 0, events: [] } };
  const { work } = watched.running;
  if (work.events.length < keptEvents) append(work.events, events);
  work.pace.look(changed, read.t);
}

/** While the only call that may be at work is a cancelled one. */
function stopped(
  watched: Watched,
  record: RpcRecord,
  {
    before,
    changed,
    knownAt,
    events,
  }: { before: Read; changed: boolean; knownAt: number | undefined; events: readonly number[] },
): void {
  if (watched.cancelled?.record !== record) {
    const { running } = watched;
    const ran = running?.record === record ? running.work : undefined;
    watched.cancelled = {
      record,
      seen: {
        before: ran?.pace.changes ?? 0,
        late: 0,
        from: undefined,
        events: [...record.events, ...(ran?.events ?? [])],
      },
    };
    watched.running = undefined;
  }
  const { seen } = watched.cancelled;
  if (seen.events.length < keptEvents) append(seen.events, events);
  // Actions of the server before and while it learned of the cancellation are no evidence.
  if (knownAt === undefined || before.seq < knownAt) return;
  seen.from ??= before.t;
  if (changed) seen.late += 1;
}

/** A call was answered: it was left alone until then, or could not be cancelled. */
function ended(watched: Watched, record: RpcRecord): void {
  const { running, cancelled } = watched;
  if (cancelled?.record === record) watched.cancelled = undefined;
  if (running?.record !== record) return;
  watched.running = undefined;
  const { work } = running;
  const key = keyOf(record);
  if (
    record.outcome !== 'result' ||
    cancelledAt(record) !== undefined ||
    key === undefined ||
    watched.whole.size >= keptTools
  )
    return;
  work.end = record.replyT ?? record.t;
  work.durationMs = work.end - record.t;
  append(work.events, record.events);
  watched.whole.set(key, work);
}

function cancelledWork(
  { cancelled, whole, changedAlone, steadyMs, events }: Watched,
  { t }: Read,
): { fact: Record<string, unknown>; events: number[] } | undefined {
  const key = cancelled && keyOf(cancelled.record);
  const work = key === undefined ? undefined : whole.get(key);
  if (!cancelled || !work || cancelled.seen.from === undefined) return undefined;
  const { before, late, from } = cancelled.seen;
  const due = Math.min(t, cancelled.record.t + work.durationMs) - from;
  return {
    fact: {
      whole: work.pace.changes,
      before,
      late,
      alone: changedAlone,
      quiet: steadyMs >= t - from,
      waited: due >= pausesToWait * (work.pace.longestPause(work.end) ?? Infinity),
    },
    events: [...events, ...work.events, ...cancelled.seen.events],
  };
}

/** The answer is not the end of the work. */
function becameTask({ becameTask: isTask, reply }: RpcRecord): boolean {
  return isTask || asObject(asObject(reply)?.result)?.resultType === 'task';
}

/** Where a call was cancelled; undefined for others. */
function cancelledAt({ cancelSeq, dropSeq }: RpcRecord): number | undefined {
  return cancelSeq ?? dropSeq;
}

/** Tool and arguments: another call may take another time. */
function keyOf({ message }: RpcRecord): string | undefined {
  const { name, arguments: given } = paramsOf(message) ?? {};
  const key = canonical([name, given ?? {}]);
  return key.length <= longestKey ? key : undefined;
}
