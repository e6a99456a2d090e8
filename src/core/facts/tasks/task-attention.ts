/**
 * Follows what the requestor of a task does for it: its requests about the task, their pace, and whether they stop
 * while the task is under way. It makes no judgement.
 */
import type { RpcRecord } from '../requests/rpc-record.ts';
import { asObject } from '../../model/json.ts';
import { paramsOf } from '../values/rpc.ts';

export interface TaskAttention {
  polls: number;
  /** Requests about it that nothing answered yet. */
  waiting: number;
  /** When one of them was sent or answered last, milliseconds since the trace began. */
  lastT: number;
  /** The longest time between two polls, or between its creation and the first one. */
  paceMs: number;
  polledT: number;
  /** tasks/result requests, and the results of tasks/get before the first that showed input_required. */
  results: number;
  unheeded: number;
  cancels: boolean;
  listens: boolean;
  /** A request about it brought no result: there may be nothing left to ask for. */
  refused: boolean;
  notices: TaskNotices;
}

/** What the requestor did once notifications showed that the task was under way. */
export interface TaskNotices {
  /** Number of these notifications. */
  count: number;
  /** tasks/get requests behind the first of them, until a notification showed the end. */
  polls: number;
  /** The requestor had turned away from the task when that one came. */
  awaited: boolean;
  over: boolean;
}

/** Silence is no pause only behind this many milliseconds, and this multiple of the pause that the requestor made before. */
const leastMs = 1_000;
const pausesToWait = 3;
/** The same of the interval that the receiver wishes. */
const intervalsToWait = 10;
/** Polls that may have been under way when the notification came. */
const pollsUnderWay = 1;
/** With fewer polls there is no pace to compare with. */
const fewestPolls = 2;

export function createAttention(t: number): TaskAttention {
  return {
    polls: 0,
    waiting: 0,
    lastT: t,
    paceMs: 0,
    polledT: t,
    results: 0,
    unheeded: 0,
    cancels: false,
    listens: false,
    refused: false,
    notices: { count: 0, polls: 0, awaited: false, over: false },
  };
}

/** @param t when the notification came, milliseconds since the trace began */
export function noteNotice(attention: TaskAttention, isOver: boolean, t: number, interval: number | undefined): void {
  const { notices } = attention;
  if (notices.over) return;
  if (!isOver) notices.count += 1;
  else if (notices.count > 0 && notices.polls <= pollsUnderWay) notices.awaited = turnedAway(attention, t, interval);
  notices.over = isOver;
}

export function noteAsked(attention: TaskAttention, { method, t }: RpcRecord): void {
  attention.waiting += 1;
  attention.lastT = t;
  if (method === 'tasks/cancel') attention.cancels = true;
  if (method === 'tasks/result') attention.results += 1;
  if (method !== 'tasks/get') return;
  attention.polls += 1;
  if (attention.notices.count > 0 && !attention.notices.over) attention.notices.polls += 1;
  attention.paceMs = Math.max(attention.paceMs, t - attention.polledT);
  attention.polledT = t;
}

export function noteReply(attention: TaskAttention, { method, outcome, reply, replyT, t }: RpcRecord): void {
  attention.waiting -= 1;
  attention.lastT = Math.max(attention.lastT, replyT ?? t);
  if (outcome !== 'result') attention.refused = true;
  const shown = method === 'tasks/get' ? asObject(asObject(reply)?.result)?.status : undefined;
  if (shown === 'input_required' && attention.results === 0) attention.unheeded += 1;
}

/** The tasks that a subscription of the stateless era names. */
export function listenedTasks(message: unknown): readonly unknown[] {
  const ids = asObject(paramsOf(message)?.notifications)?.taskIds;
  return Array.isArray(ids) ? (ids as unknown[]) : [];
}

/**
 * True if the requestor turned away from a task that was not over: for long it sent nothing about the task.
 *
 * @param lastT until when, milliseconds since the trace began: when it sent something else last, for example
 * @param interval the time between polls that the receiver wishes
 */
export function turnedAway(attention: TaskAttention, lastT: number, interval = 0): boolean {
  const { polls, waiting, paceMs, listens, refused } = attention;
  const due = Math.max(leastMs, pausesToWait * paceMs, intervalsToWait * interval);
  return polls >= fewestPolls && waiting === 0 && !listens && !refused && lastT - attention.lastT >= due;
}
