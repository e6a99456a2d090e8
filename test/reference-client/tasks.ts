/** Follows a task of the tasks extension (2026-07-28) as the reference client does: polls it, and answers its questions. */
import type { Json } from '../../src/core/faults/operators.ts';
import type { Answer } from './answers.ts';
import { pause } from './http.ts';
import type { Seams } from './seams.ts';

interface Following {
  seams: Seams;
  request(method: string, params: Json): Promise<Json>;
  answerTo(method: string, params: Json): Answer;
  /** The status of a task that a notification showed last. */
  notified(taskId: unknown): unknown;
}

const terminal = new Set(['completed', 'failed', 'cancelled']);
const mostPolls = 50;
/** Between the polls of one that leaves early, while the task is sure to be under way. */
const hastyMs = 30;

/**
 * Follows a task of 2025-11-25: polls it until it is over, or waits for input, which comes while its result is waited for.
 */
export async function awaitTask({ taskId, pollInterval }: Json, following: Following): Promise<void> {
  const { request, seams, notified } = following;
  for (let poll = 0; poll < mostPolls; poll += 1) {
    await pause(seams.keeps('poll-to-the-end') ? Number(pollInterval ?? 20) : hastyMs);
    if (poll > 1 && notified(taskId) === 'working' && !seams.keeps('poll-despite-notifications')) {
      for (let look = 0; look < 3 * mostPolls && notified(taskId) === 'working'; look += 1) await pause(hastyMs);
      break;
    }
    const { result } = await request('tasks/get', { taskId });
    const { status } = (result ?? {}) as Json;
    if (result === undefined) return;
    if (poll > 0 && !seams.keeps('poll-to-the-end')) return;
    if (status === 'input_required' && !seams.keeps('ask-for-results-early')) {
      if (poll > 6) return;
    } else if (status === 'input_required' || terminal.has(String(status))) break;
  }
  await request('tasks/result', { taskId });
}

/** True for the result of a call that goes on as a task. */
export function isTask({ resultType, taskId }: Json): boolean {
  return resultType === 'task' && typeof taskId === 'string';
}

/** Resolves when the task is over, or cannot be followed. */
export async function followTask({ taskId, pollIntervalMs }: Json, following: Following): Promise<void> {
  const { request, seams } = following;
  const answered = new Set<string>();
  for (let poll = 0; poll < mostPolls; poll += 1) {
    await pause(Number(pollIntervalMs ?? 20));
    const look = (): Promise<Json> => request('tasks/get', seams.keeps('read-task-ids') ? { taskId } : {});
    const [{ result }] = (await Promise.all(seams.keeps('heed-poll-intervals') ? [look()] : [look(), look()])) as [
      Json,
    ];
    const { status, inputRequests } = (result ?? {}) as Json;
    if (result === undefined || terminal.has(String(status))) return;
    // One that leaves early has looked often enough to have a pace.
    if (poll > 0 && !seams.keeps('poll-to-the-end')) return;
    if (poll === 0 && !seams.keeps('watch-after-answers')) continue;
    if (!seams.keeps('answer-task-questions')) {
      if (poll > 2 && inputRequests !== undefined) return;
      continue;
    }
    const open = Object.entries((inputRequests ?? {}) as Record<string, Json>).filter(([key]) => !answered.has(key));
    if (open.length === 0) continue;
    const inputResponses: Json = {};
    for (const [key, { method, params }] of open) {
      const answer = following.answerTo(String(method), (params ?? {}) as Json);
      if ('error' in answer) return;
      inputResponses[key] = answer.result;
      answered.add(key);
    }
    const strange = seams.keeps('answer-open-questions-alone') ? {} : { 'made-up': { action: 'decline' } };
    await request('tasks/update', { taskId, inputResponses: { ...inputResponses, ...strange } });
    if (!seams.keeps('watch-after-answers')) return;
    if (!seams.keeps('answer-questions-once')) await request('tasks/update', { taskId, inputResponses });
  }
}
