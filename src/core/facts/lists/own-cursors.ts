/**
 * The cursors that a server gave out for a list: whether it accepts any of them itself. One rejection proves little,
 * since the list may have changed meanwhile. If none is ever accepted, no client can read past the first page.
 */
import { BoundedMap } from '../../model/bounded.ts';
import { asObject } from '../../model/json.ts';
import type { RpcRecord } from '../requests/rpc-record.ts';
import { paramsOf } from '../values/rpc.ts';

/** State when a cursor was issued: the time, and the number of tool results so far. */
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
/** Minimum time for which a cursor should be valid. */
const soonMs = 60_000;
const invalidParams = -32602;
const noEvents: readonly number[] = [];

export function newOwnCursors(): OwnCursors {
  return { given: new BoundedMap(kept), accepted: false, refused: [] };
}

export function noteGiven({ given }: OwnCursors, cursor: string, { t, calls }: Moment): void {
  given.set(cursor, { t, calls });
}

/** The server announced a changed list: a rejected cursor may belong to the old one. */
export function forgetRefusals(own: OwnCursors): void {
  own.refused = [];
}

/**
 * The server's reaction to its own cursor soon after it was issued, without a tool call in between that may change the
 * list; `events` are earlier rejections.
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
