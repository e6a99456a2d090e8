/** Follows a client's walk through the pages of tasks/list, to find shown and missing tasks. */
import { BoundedSet } from '../../model/bounded.ts';
import { asObject } from '../../model/json.ts';
import type { RpcRecord } from '../requests/rpc-record.ts';
import { paramsOf } from '../values/rpc.ts';
import { citeTask, type TaskRecord } from './task-record.ts';

/** A walk that is under way. */
export interface TaskWalk {
  askedSeq: number;
  names: Set<unknown>;
  next: unknown;
}

const keptNames = 20_000;
const keptWalks = 10;

/** Takes in a page; walks may go on side by side. At the end of the list every older task learns whether it was there. */
export function stepWalk(
  walks: TaskWalk[],
  record: RpcRecord,
  shown: readonly Record<string, unknown>[],
  tasks: Iterable<TaskRecord>,
): void {
  const cursor = paramsOf(record.message)?.cursor;
  if (cursor === undefined) {
    walks.push({ askedSeq: record.seq, names: new BoundedSet(keptNames), next: undefined });
    if (walks.length > keptWalks) walks.shift();
  }
  const walk = cursor === undefined ? walks.at(-1) : walks.find((one) => one.next === cursor);
  if (!walk) return;
  for (const one of shown) walk.names.add(one.taskId);
  walk.next = asObject(asObject(record.reply)?.result)?.nextCursor;
  if (typeof walk.next === 'string') return;
  walks.splice(walks.indexOf(walk), 1);
  for (const task of tasks) {
    if (task.request.from !== 'client' || task.createdSeq > walk.askedSeq) continue;
    citeTask(task, record.events);
    if (walk.names.has(task.id)) task.walks.showing += 1;
    else task.missedSeq ??= record.replySeq ?? record.seq;
  }
}
