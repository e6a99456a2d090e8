/**
 * The cursors that a server gave out for a list: whether it accepts any of them itself. One that is refused proves
 * little, since the list may have changed meanwhile; when none is ever accepted, nobody can read on behind the first page.
 */
import { asObject } from '../../model/json.ts';
import type { RpcRecord } from '../jsonrpc/rpc-record.ts';
import { paramsOf } from '../jsonrpc/rpc.ts';

/** What there was when a cursor was given out: the time, and the tool results seen until then. */
interface Moment {
  t: number;
  calls: number;
}

export interface OwnCursors {
  given: Map<string, Moment>;
  accepted: boolean;
  /** Events of requests with such a cursor that were refused. */
  refused: number[][];
}

const kept = 2000;
/** How long a cursor has to hold at the least, before anybody may wonder that it does not. */
const soonMs = 60_000;
const invalidParams = -32602;
const noEvents: readonly number[] = [];

export function newOwnCursors(): OwnCursors {
  return { given: new Map(), accepted: false, refused: [] };
}

export function noteGiven({ given }: OwnCursors, cursor: string, { t, calls }: Moment): void {
  if (given.size < kept || given.has(cursor)) given.set(cursor, { t, calls });
}

/** The server told that the list is another one: what it refuses now may be of the old one. */
export function forgetRefusals(own: OwnCursors): void {
  own.refused = [];
}

/**
 * How the server met its own cursor, which a request sent soon after it was given out, with no tool call in between
 * that may change the list; `events` are those of the refusals before.
 */
export function meetingOf(
  own: OwnCursors,
  record: RpcRecord,
  { t, calls }: Moment,
): { facts: Record<string, unknown>; events: readonly number[] } {
  const params = paramsOf(record.message);
  const moment = typeof params?.cursor === 'string' ? own.given.get(params.cursor) : undefined;
  if (moment === undefined) return { facts: {}, events: noEvents };
  if (record.outcome === 'result') {
    own.accepted = true;
    return { facts: { ownCursors: 'accepted' }, events: noEvents };
  }
  const isPlain = Object.keys(params!).every((name) => name === 'cursor' || name === '_meta');
  const isRefused = asObject(asObject(record.reply)?.error)?.code === invalidParams;
  if (own.accepted || !isPlain || !isRefused || t - moment.t > soonMs || calls !== moment.calls)
    return { facts: {}, events: noEvents };
  const before = own.refused.flat();
  if (own.refused.length < 2) own.refused.push(record.events.slice());
  return before.length === 0 ? { facts: {}, events: noEvents } : { facts: { ownCursors: 'refused' }, events: before };
}
