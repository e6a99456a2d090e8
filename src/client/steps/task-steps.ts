/**
 * What a client does with tasks: asks how one stands, no more often than the server wishes, until it is over or
 * the patience is. A request that the server sends for a task is answered only after such a question, so that
 * the trace shows how the task stood while the server was waiting. Judges nothing.
 */
import { within } from '../transport/within.ts';
import type { Answer, Peer } from '../peer/peer.ts';
import { partOf, type Json, type ObjectStep, type StepWork } from './step-kind.ts';
import { asText } from '../../core/model/json.ts';
import { terminalStatuses } from '../../core/model/tasks.ts';

export const taskSteps: readonly ObjectStep[] = [
  {
    name: 'pollTask',
    says: "tasks/get for the task that a request became, in the server's pollInterval, until it is over or the answer deadline has passed; asks for its result when the server waits for input. Left out when the request became no task.",
    schema: {
      pollTask: partOf('name'),
      times: { description: 'So many times, whatever is seen.', type: 'integer', minimum: 1, maximum: 20 },
    },
    traits: { waitsForTask: true },
    run: pollTask,
  },
];

/** Between two questions, where the server gives no pollInterval; milliseconds. */
const usualPause = 250;
/** Longest that an answer to the server is held back for such a question; milliseconds. */
const mostHeld = 1500;
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

/** Milliseconds until the task may be asked about. */
function dueIn(peer: Peer, taskId: string): number {
  return Math.max(0, (nextPoll(peer).get(taskId) ?? 0) - performance.now());
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

/** One tasks/get, when it is due; the task as it stands, or undefined when the answer does not show it. */
async function ask(peer: Peer, taskId: string): Promise<Json | undefined> {
  await pause(dueIn(peer, taskId));
  if (!peer.alive) return undefined;
  // Until the answer is here nobody else asks.
  noteTask(peer, taskId, {});
  const answer = await peer.request('tasks/get', { taskId }).answer;
  const result = answer.kind === 'response' ? (answer.message.result as Json | undefined) : undefined;
  if (typeof result !== 'object' || result === null) return undefined;
  noteTask(peer, taskId, result);
  return result;
}

function createdTask(answer: Answer | undefined): { taskId: string; task: Json } | undefined {
  if (answer?.kind !== 'response') return undefined;
  const task = (answer.message.result as Json | undefined)?.task as Json | undefined;
  return typeof task === 'object' && task !== null && typeof task.taskId === 'string'
    ? { taskId: task.taskId, task }
    : undefined;
}

/**
 * tasks/get until the task is over; with `times` so many times, whatever it shows. When the
 * server says that it waits for the client, the client asks for the result, on which the server's requests come.
 */
async function pollTask(step: Json, { scope, context: { timing } }: StepWork): Promise<void> {
  const { peer } = scope;
  const made = createdTask(await scope.pending.get(asText(step.pollTask))?.answer);
  if (!made) return;
  const { taskId } = made;
  if (!nextPoll(peer).has(taskId)) noteTask(peer, taskId, made.task);
  const until = performance.now() + timing.answerMs;
  const times = Number(step.times ?? mostPolls);
  let result: Promise<Answer> | undefined;
  for (let polls = 0; polls < times; polls += 1) {
    if (performance.now() + dueIn(peer, taskId) > until) break;
    const task = await ask(peer, taskId);
    if (!task || (step.times === undefined && terminalStatuses.has(task.status))) break;
    if (task.status !== 'input_required' || result) continue;
    const answered = peer.waiter.wait(
      (event) => event.kind === 'message' && event.from === 'client' && isAnswer(event.message),
      mostHeld * 2,
    );
    result = peer.request('tasks/result', { taskId }).answer;
    await Promise.race([result, answered]);
  }
  await result;
}

function isAnswer(message: unknown): boolean {
  return typeof message === 'object' && message !== null && !('method' in message);
}

/** Asks how the task stands for which the server sent a request, if it did; for a moment at most. */
export async function lookAtTaskOf(params: unknown, peer: Peer): Promise<void> {
  const meta = (params as { _meta?: Json } | undefined)?._meta;
  const taskId = (meta?.[relatedKey] as Json | undefined)?.taskId;
  if (typeof taskId !== 'string' || peer.serverCapabilities?.tasks === undefined || dueIn(peer, taskId) > mostHeld)
    return;
  await within(ask(peer, taskId), mostHeld);
}
