/**
 * tasks/get within the server's pollInterval. A request that the server sends for a task is answered only after one, so
 * that the trace shows the status of the task while the server was waiting.
 */
import { within } from '../transport/within.ts';
import type { Answer, Peer } from './peer.ts';

type Json = Record<string, unknown>;

/** Between two questions, where the server gives no pollInterval; milliseconds. */
const usualPause = 250;
/** Longest that an answer to the server is held back for such a question; milliseconds. */
export const mostHeldMs = 1500;
export const mostPolls = 60;
const relatedKey = 'io.modelcontextprotocol/related-task';

/** By connection and task: from when on it may be asked about again (performance.now). */
const nextPolls = new WeakMap<Peer, Map<string, number>>();

function nextPoll(peer: Peer): Map<string, number> {
  let times = nextPolls.get(peer);
  if (!times) nextPolls.set(peer, (times = new Map<string, number>()));
  return times;
}

/** Milliseconds between two questions, by what the server wishes. */
export function pauseAfter(interval: unknown): number {
  return typeof interval === 'number' && interval >= 0 ? interval : usualPause;
}

function noteTask(peer: Peer, taskId: string, task: Json): void {
  nextPoll(peer).set(taskId, performance.now() + pauseAfter(task.pollInterval));
}

/** Notes when a task was made that a request became, from which moment on the server wishes to be left alone for a while. */
export function noteCreatedTask(peer: Peer, answer: Answer | undefined): void {
  const made = createdTask(answer);
  if (made && !nextPoll(peer).has(made.taskId)) noteTask(peer, made.taskId, made.task);
}

/** Milliseconds until the next tasks/get may be sent. */
export function untilNextPoll(peer: Peer, taskId: string): number {
  return Math.max(0, (nextPoll(peer).get(taskId) ?? 0) - performance.now());
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

/** One tasks/get at its time; the current task, or undefined when the answer does not show it. */
export async function pollTask(peer: Peer, taskId: string): Promise<Json | undefined> {
  await pause(untilNextPoll(peer, taskId));
  if (!peer.alive) return undefined;
  // Others wait until the answer is here.
  noteTask(peer, taskId, {});
  const answer = await peer.request('tasks/get', { taskId }).answer;
  const result = answer.kind === 'response' ? (answer.message.result as Json | undefined) : undefined;
  if (typeof result !== 'object' || result === null) return undefined;
  noteTask(peer, taskId, result);
  return result;
}

export function createdTask(answer: Answer | undefined): { taskId: string; task: Json } | undefined {
  if (answer?.kind !== 'response') return undefined;
  const task = (answer.message.result as Json | undefined)?.task as Json | undefined;
  return typeof task === 'object' && task !== null && typeof task.taskId === 'string'
    ? { taskId: task.taskId, task }
    : undefined;
}

/** Asks how the task stands for which the server sent a request, if it did; for a moment at most. */
export async function lookAtTaskOf(params: unknown, peer: Peer): Promise<void> {
  const meta = (params as { _meta?: Json } | undefined)?._meta;
  const taskId = (meta?.[relatedKey] as Json | undefined)?.taskId;
  if (
    typeof taskId !== 'string' ||
    peer.serverCapabilities?.tasks === undefined ||
    untilNextPoll(peer, taskId) > mostHeldMs
  )
    return;
  await within(pollTask(peer, taskId), mostHeldMs);
}
