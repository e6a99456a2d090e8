/**
 * Follows the input requests of a running task of the tasks extension of 2026-07-28, the effect of the answers, and its
 * states after a cancellation. It makes no judgement.
 */
import { BoundedMap } from '../../model/bounded.ts';
import { asObject, canonical, withTexts, type JsonObject } from '../../model/json.ts';
import { terminalStatuses } from '../../model/tasks.ts';
import type { RpcRecord } from '../requests/rpc-record.ts';
import { paramsOf } from '../values/rpc.ts';

/** The keys of a tasks/update, by what was known of them when it was sent. */
export interface InputKeys {
  open: string[];
  answered: string[];
  /** Those of the answered ones whose answer was acknowledged, and that no later sight showed again. */
  acknowledged: string[];
  unknown: string[];
}

export interface TaskUpdates {
  /** The questions as they were first shown, by key. */
  shown: Map<string, string>;
  /** Keys that the client sent an answer for. */
  sent: Set<string>;
  /** By key: seq of the result of the tasks/update that delivered the answer. */
  delivered: Map<string, number>;
  /** Keys that were delivered, and that a later sight no longer showed. */
  settled: Set<string>;
  /** For a tasks/update that answers only some of the open questions: the remaining ones. */
  left: Map<InputKeys, string[]>;
  /** The last acknowledged one: seq of its result, and those questions. */
  part?: { seq: number; left: readonly string[] };
  /** Seq of the result of the first tasks/cancel that was sent while the task was not known to be over. */
  cancelSeq?: number;
  told: { again: string[]; reused: string[]; changed: string[]; empty: number; partial: number };
  afterCancel: unknown[];
}

const keptKeys = 500;

export function createTaskUpdates(): TaskUpdates {
  return {
    shown: new BoundedMap(keptKeys),
    sent: new Set(),
    delivered: new Map(),
    settled: new Set(),
    left: new Map(),
    told: { again: [], reused: [], changed: [], empty: 0, partial: 0 },
    afterCancel: [],
  };
}

/** Takes in that a tasks/update is sent. @returns undefined for one without an object of answers */
export function noteAnswers(
  { shown, sent, delivered, told, left }: TaskUpdates,
  message: unknown,
): InputKeys | undefined {
  const responses = asObject(paramsOf(message)?.inputResponses);
  if (!responses) return undefined;
  const keys: InputKeys = { open: [], answered: [], acknowledged: [], unknown: [] };
  for (const key of Object.keys(responses).slice(0, keptKeys)) {
    keys[!shown.has(key) ? 'unknown' : sent.has(key) ? 'answered' : 'open'].push(key);
  }
  const shownAgain = [...told.again, ...told.reused, ...told.changed];
  keys.acknowledged = keys.answered.filter((key) => delivered.has(key) && !shownAgain.includes(key));
  for (const key of keys.open) sent.add(key);
  // A question that is shown later belongs to what comes next.
  const open = [...shown.keys()].filter((key) => !sent.has(key));
  if (keys.open.length > 0 && open.length > 0) left.set(keys, open);
  return keys;
}

/**
 * Adds the result of a tasks/update or tasks/cancel.
 * @param was last observed status of the task when the request was sent
 * @param keys those of the tasks/update at that time
 */
export function noteAcknowledged(
  updates: TaskUpdates,
  { method, outcome, replySeq }: RpcRecord,
  was: string,
  keys: InputKeys | undefined,
): void {
  if (outcome !== 'result' || replySeq === undefined) return;
  // A task that had ended before is no evidence about the cancellation.
  if (method === 'tasks/cancel' && !terminalStatuses.has(was)) updates.cancelSeq ??= replySeq;
  if (!keys) return;
  for (const key of keys.open) updates.delivered.set(key, replySeq);
  const left = updates.left.get(keys);
  if (left) updates.part = { seq: replySeq, left };
}

/** Takes in a sight of the task that is no older than those before. */
export function noteSight(
  updates: TaskUpdates,
  { via, task, askedSeq }: { via: string; task: JsonObject; askedSeq: number },
): void {
  if (via !== 'tasks/get' && via !== 'notifications/tasks') return;
  const waits = task.status === 'input_required';
  const questions = waits ? asObject(task.inputRequests) : {};
  // A separate stream may deliver a notification late: it is only evidence of the questions.
  if (via === 'tasks/get') judgeSight(updates, task, questions, askedSeq);
  for (const [key, question] of Object.entries(questions ?? {}))
    if (!updates.shown.has(key)) updates.shown.set(key, kernelOf(question));
}

function judgeSight(
  { shown, sent, delivered, settled, told: reported, part, cancelSeq, afterCancel }: TaskUpdates,
  { status }: JsonObject,
  questions: JsonObject | undefined,
  askedSeq: number,
): void {
  if (cancelSeq !== undefined && askedSeq > cancelSeq && afterCancel.length < keptKeys) afterCancel.push(status);
  if (!questions) return;
  const keys = Object.keys(questions).slice(0, keptKeys);
  if (status === 'input_required') {
    // Answered questions may disappear before the work continues.
    if (keys.length === 0 && [...sent].every((key) => settled.has(key))) reported.empty += 1;
    if (part && askedSeq > part.seq && keys.some((key) => part.left.includes(key) && !sent.has(key)))
      reported.partial += 1;
  }
  for (const [key, seq] of delivered) if (askedSeq > seq && !Object.hasOwn(questions, key)) settled.add(key);
  for (const key of keys) {
    const isDelivered = askedSeq > (delivered.get(key) ?? Infinity);
    const question = kernelOf(questions[key]);
    const isOther = (shown.get(key) ?? question) !== question;
    if (settled.has(key) || (isDelivered && isOther)) add(reported.reused, key);
    else if (isDelivered) add(reported.again, key);
    else if (isOther) add(reported.changed, key);
  }
}

function add(list: string[], key: string): void {
  if (!list.includes(key) && list.length < keptKeys) list.push(key);
}

/**
 * Identifies a question: without the numbers in its texts, which may count down, and without addresses that change each
 * time.
 */
function kernelOf(question: unknown): string {
  const { method, params } = asObject(question) ?? {};
  const { _meta, url: _url, elicitationId: _id, ...asked } = asObject(params) ?? {};
  return canonical(withTexts([method, asked], (text) => text.replace(/\d+/g, '0')));
}
