/**
 * State of one task: its creation, its observed states in order, and its result. Takes in observations one by one;
 * which message belongs to which task is the tracker's work. Only an observation that was asked for after another one
 * had been received counts as later than it.
 */
import { BoundedSet } from '../../model/bounded.ts';
import { terminalStatuses } from '../../model/tasks.ts';
import { asObject, asText, isObject, type JsonObject } from '../../model/json.ts';
import type { RpcRecord } from '../requests/rpc-record.ts';
import type { SessionState } from '../state/session-state.ts';
import { createAttention, type TaskAttention } from './task-attention.ts';
import { createTaskUpdates, noteSight, type TaskUpdates } from './task-updates.ts';

/** One sight of a task. */
export interface TaskSeen {
  /** create, a method whose result showed it, or notifications/tasks/status. */
  via: string;
  task: JsonObject;
  /** Seq from which on the state may have been read: that of the request that asked for it. */
  askedSeq: number;
  seq: number;
  /** Milliseconds since the trace began. */
  t: number;
  /** It may be older than the one before. */
  late?: true;
}

/** A request of the receiver that names the task as its reason. */
export interface TaskInput {
  method: unknown;
  seq: number;
  answered: boolean;
}

export interface TaskRecord {
  session: SessionState;
  id: string;
  /** The request that became the task. */
  request: RpcRecord;
  created: JsonObject;
  createdSeq: number;
  createdT: number;
  progress: { beforeCreated: number; afterTerminal: number };
  taskSupport?: string;
  /** Another task has the same id. */
  idRepeated: boolean;
  seen: TaskSeen[];
  lastSeq: number;
  last?: unknown;
  /** `late` when its ttl was over by then. */
  terminal?: { status: unknown; seq: number; late: boolean };
  /** A request that was sent after the terminal status was seen has been answered. */
  longOver: boolean;
  /** The receiver said that it knows no such task any more. */
  gone: boolean;
  /** That was so while its ttl was not over. */
  goneInTime: boolean;
  afterTerminal: unknown[];
  brokenTransitions: string[];
  /** Time of the last poll, unless a notification arrived since; milliseconds since the trace began. */
  polledT?: number;
  polledId?: unknown;
  polling: { count: number; early: number };
  /** Requests that named it. */
  named: number;
  results: TaskResultSeen[];
  inputs: TaskInput[];
  /** Surroundings of the task in tasks/get. */
  input: { statuses: unknown[]; polls: number; left: boolean };
  /** Seq of the last answer to an input request. */
  inputAnsweredSeq?: number;
  /** Its input requests in the tasks extension of 2026-07-28, and the effect of the answers. */
  updates: TaskUpdates;
  attention: TaskAttention;
  /** Its requestor turned away from it while it was under way. */
  left: boolean;
  walks: { showing: number; lacking: number };
  missedSeq?: number;
  events: Set<number>;
}

/** A tasks/result request: the last status seen before it, its answer, and what was seen afterwards. */
export interface TaskResultSeen {
  asked: string;
  outcome: unknown;
  reply?: JsonObject;
  answeredSeq: number;
  expired: boolean;
  /** Asked before the end was seen: held until then, premature (the task was seen unfinished later), or open. */
  early?: 'held' | 'premature' | 'open';
}

const keptSeen = 200;
const keptEvents = 400;
const keptValues = 50;

export function createTaskRecord(request: RpcRecord, id: string, created: JsonObject): TaskRecord {
  return {
    session: request.session,
    id,
    request,
    created,
    createdSeq: request.events.at(-1)!,
    createdT: request.replyT ?? request.t,
    progress: { beforeCreated: cameInOrder(request) ? request.progress.length : 0, afterTerminal: 0 },
    idRepeated: false,
    seen: [],
    lastSeq: 0,
    longOver: false,
    gone: false,
    goneInTime: false,
    afterTerminal: [],
    brokenTransitions: [],
    polling: { count: 0, early: 0 },
    named: 0,
    results: [],
    inputs: [],
    input: { statuses: [], polls: 0, left: false },
    updates: createTaskUpdates(),
    attention: createAttention(request.replyT ?? request.t),
    left: false,
    walks: { showing: 0, lacking: 0 },
    events: new BoundedSet(keptEvents, request.events),
  };
}

/** Over HTTP what comes on one stream may overtake what was sent before on another. */
function cameInOrder({ session, progressMixed, progressHttp, replyHttp }: RpcRecord): boolean {
  return session.transport !== 'http' || (progressMixed !== true && progressHttp === replyHttp);
}

export function citeTask(task: TaskRecord, seqs: Iterable<number>): void {
  for (const seq of seqs) task.events.add(seq);
}

export function keep(list: unknown[], value: unknown): void {
  if (list.length < keptValues) list.push(value);
}

/** The time to live that was seen last; the extension of 2026-07-28 calls it ttlMs. */
function ttlOf({ seen, created }: TaskRecord): unknown {
  const last = seen.at(-1)?.task;
  return last?.ttlMs ?? last?.ttl ?? created.ttlMs ?? created.ttl;
}

/** The receiver did not know it any more. @param t when it said so */
export function noteGone(task: TaskRecord, t: number): void {
  task.gone = true;
  if (!isExpired(task, t)) task.goneInTime = true;
}

/**
 * True when the promised retention time of the task may have been over at that moment: its creation is some time
 * between the request and the answer.
 */
export function isExpired(task: TaskRecord, t: number): boolean {
  const ttl = ttlOf(task);
  return typeof ttl === 'number' && t - task.request.t >= ttl;
}

/**
 * Milliseconds by which the task exceeded its ttl at a moment, counted from its creation, or from its observed end,
 * since some restart the count then. Negative before that, undefined for a task without a ttl.
 */
export function overdueMs(task: TaskRecord, t: number): number | undefined {
  const ttl = ttlOf(task);
  if (typeof ttl !== 'number') return undefined;
  const over = task.seen.find((one) => terminalStatuses.has(one.task.status));
  return t - Math.max(task.createdT, over?.t ?? 0) - ttl;
}

/** Adds an observation of the task; a possibly outdated one changes nothing. */
export function noteSeen(task: TaskRecord, sight: TaskSeen): void {
  const { status } = sight.task;
  const late = sight.askedSeq < task.lastSeq;
  if (task.seen.length < keptSeen) task.seen.push(late ? { ...sight, late } : sight);
  if (sight.via.startsWith('notifications/')) delete task.polledT;
  if (task.missedSeq !== undefined && sight.via === 'tasks/get' && sight.askedSeq > task.missedSeq) {
    task.walks.lacking += 1;
    delete task.missedSeq;
  }
  judgeEarlyResults(task, sight);
  if (late) return;
  noteSight(task.updates, sight);
  if (task.terminal) {
    // The extension lets a server mark as failed whatever has outlived its time.
    if ('ttlMs' in task.created && isExpired(task, sight.t)) return;
    if (task.afterTerminal.length < keptSeen) task.afterTerminal.push(status);
    if (status !== task.terminal.status)
      keep(task.brokenTransitions, `${asText(task.terminal.status)} -> ${asText(status)}`);
  } else if (terminalStatuses.has(status)) task.terminal = { status, seq: sight.seq, late: isExpired(task, sight.t) };
  task.last = status;
  task.lastSeq = sight.seq;
  noteInputStatus(task, sight);
}

/** The extension of 2026-07-28 calls it pollIntervalMs. */
function intervalOf({ task: { pollInterval, pollIntervalMs = pollInterval } }: TaskSeen): unknown {
  return pollIntervalMs;
}

/** The time between polls that was wished for last. */
export function wishedInterval({ seen }: TaskRecord): number | undefined {
  const last = seen.findLast((one) => typeof intervalOf(one) === 'number');
  return last && (intervalOf(last) as number);
}

/**
 * Adds a poll of the requestor. The same request on a second stream is a copy, and not another request.
 * @returns true if the interval since the last poll was not over; undefined when none is known
 */
export function notePoll(task: TaskRecord, { id, t }: RpcRecord): boolean | undefined {
  if (task.polledT !== undefined && task.polledId === id) return undefined;
  const interval = wishedInterval(task);
  const early = interval !== undefined && task.polledT !== undefined ? t - task.polledT < interval : undefined;
  if (interval !== undefined && task.polledT !== undefined) {
    task.polling.count += 1;
    if (t - task.polledT < interval / 2) task.polling.early += 1;
  }
  task.polledT = t;
  task.polledId = id;
  return early;
}

function judgeEarlyResults(task: TaskRecord, sight: TaskSeen): void {
  const over = terminalStatuses.has(sight.task.status);
  for (const result of task.results) {
    if (result.early !== 'open' || sight.askedSeq < result.answeredSeq) continue;
    result.early = over ? 'held' : 'premature';
  }
}

/** Results of polling while the receiver waits for an answer of the requestor, and after it has all. */
function noteInputStatus(task: TaskRecord, { via, task: { status }, askedSeq }: TaskSeen): void {
  if (via !== 'tasks/get') return;
  const waiting = task.inputs.some((input) => !input.answered && input.seq < askedSeq);
  if (waiting) keep(task.input.statuses, status);
  if (task.inputAnsweredSeq === undefined || askedSeq < task.inputAnsweredSeq) return;
  if (task.inputs.some((input) => !input.answered)) return;
  if (status === 'input_required') task.input.polls += 1;
  else task.input.left = true;
}

/**
 * The task object of a CreateTaskResult, with its id; undefined for every other result. That of the extension of
 * 2026-07-28 is the result itself, and says so.
 */
export function createdTaskOf(record: RpcRecord): { id: string; created: JsonObject } | undefined {
  if (asText(record.method).startsWith('tasks/')) return undefined;
  const result = asObject(asObject(record.reply)?.result);
  const created = result?.resultType === 'task' ? result : asObject(result?.task);
  return isObject(created) && typeof created.taskId === 'string' ? { id: created.taskId, created } : undefined;
}

/** The result of the request that it runs: that of tasks/result, or what a completed task of the extension shows. */
export function finalResultOf({ results, seen }: TaskRecord): unknown {
  const fetched = results.find((one) => one.outcome === 'result');
  return fetched
    ? fetched.reply?.result
    : seen.find(({ via, task }) => via !== 'create' && task.status === 'completed' && 'result' in task)?.task.result;
}
