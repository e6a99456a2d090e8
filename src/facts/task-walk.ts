/** Follows a walk of the client through the pages of tasks/list, to tell which tasks it shows and which it lacks. */
import { asObject, paramsOf } from './rpc.ts';
import type { RpcRecord } from './rpc-record.ts';
import { citeTask, type TaskRecord } from './task-record.ts';

/** A walk that is under way. */
export interface TaskWalk {
  askedSeq: number;
  names: Set<unknown>;
  next: unknown;
}

const keptNames = 20_000;

/**
 * Takes in a page. At the end of the list every task that is older than the walk learns whether it was there.
 * @returns the walk, if it goes on
 */
export function stepWalk(walk: TaskWalk | undefined, record: RpcRecord, shown: readonly Record<string, unknown>[], tasks: Iterable<TaskRecord>): TaskWalk | undefined {
  const cursor = paramsOf(record.message)?.cursor;
  const current = cursor === undefined ? { askedSeq: record.seq, names: new Set(), next: undefined } : walk;
  if (!current || (cursor !== undefined && cursor !== current.next)) return walk;
  for (const one of shown) if (current.names.size < keptNames) current.names.add(one.taskId);
  current.next = asObject(asObject(record.reply)?.result)?.nextCursor;
  if (typeof current.next === 'string') return current;
  for (const task of tasks) {
    if (task.request.from !== 'client' || task.createdSeq > current.askedSeq) continue;
    citeTask(task, record.events);
    if (current.names.has(task.id)) task.inWalks += 1;
    else task.missedSeq ??= record.replySeq ?? record.seq;
  }
  return undefined;
}
