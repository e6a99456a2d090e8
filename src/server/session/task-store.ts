/**
 * The tasks of one session, the only identity of a client here: no client sees the tasks of others. Deletes each task
 * when its time is over. It is independent of the work.
 */
import { randomUUID } from 'node:crypto';
import { errorCode, idKey, RpcError } from '../protocol/json-rpc.ts';
import type { Page } from '../protocol/pagination.ts';
import { makeCursor, readCursor } from '../protocol/pagination.ts';
import type { ReplySink } from '../protocol/reply-sink.ts';
import type { Session } from './session.ts';
import { Task } from './task.ts';
import { TaskOutbox } from './task-outbox.ts';

/** Tasks of one client that may be unfinished at a time. */
const mostUnfinished = 100;
const pageSize = 4;
/** Timers take no more milliseconds; the longest time granted is far below. */
const longestTimer = 2 ** 31 - 1;
const listName = 'tasks';

export class TaskStore {
  private readonly session: Session;
  private readonly tasks = new Map<string, Task>();
  private readonly timers = new Map<Task, NodeJS.Timeout>();
  private created = 0;

  constructor(session: Session) {
    this.session = session;
  }

  /**
   * A new task, which lives from now on.
   * @param requested the `task` parameter of the request
   * @throws RpcError -32603 when too many tasks are unfinished
   */
  create(requested: { ttl?: number; taskId?: unknown }): Task {
    const { host } = this.session;
    const unfinished = [...this.tasks.values()].filter((task) => !task.terminal).length;
    if (unfinished >= mostUnfinished)
      throw new RpcError(errorCode.internal, `At most ${mostUnfinished} tasks may run at a time`, {
        reason: 'too-many-tasks',
      });
    const { behaviour } = host;
    this.created += 1;
    const task = new Task(host, {
      id: behaviour.tasks.id(randomUUID(), this.created, requested.taskId),
      number: this.created,
      ttl: behaviour.tasks.ttl(requested.ttl),
      outbox: new TaskOutbox(this.session),
      onChange: (changed) => this.announce(changed),
    });
    this.tasks.set(idKey(task.id), task);
    if (task.ttl !== null && host.keeps('forget-expired-tasks'))
      this.timers.set(task, setTimeout(() => this.forget(task), Math.min(task.ttl, longestTimer)).unref());
    return task;
  }

  /** @throws RpcError -32602 for an id that leads nowhere, of whatever type */
  find(taskId: unknown): Task {
    const task = this.tasks.get(idKey(taskId));
    if (task === undefined)
      throw new RpcError(errorCode.invalidParams, 'There is no such task; it may have expired', {
        reason: 'unknown-task',
      });
    return task;
  }

  /**
   * One page of the tasks, oldest first. A cursor names the last task of the previous page, so deleted tasks shift
   * nothing.
   * @throws RpcError -32602 for a cursor that this server never issued for this list
   */
  page(cursor: unknown): Page<Task> {
    const all = [...this.tasks.values()];
    if (!this.session.host.keeps('paginate')) return { items: all };
    const after = cursor === undefined ? 0 : readCursor(cursor, listName, this.created + 1);
    if (after === undefined) throw new RpcError(errorCode.invalidParams, 'Invalid cursor', { reason: 'cursor' });
    const rest = all.filter((task) => task.number > after);
    const items = rest.slice(0, pageSize);
    const last = items.at(-1);
    return {
      items,
      ...(last !== undefined && rest.length > pageSize ? { nextCursor: makeCursor(listName, last.number) } : {}),
    };
  }

  forget(task: Task): void {
    clearTimeout(this.timers.get(task));
    this.timers.delete(task);
    this.tasks.delete(idKey(task.id));
    task.discard();
  }

  /** Ends all tasks; the session is over. */
  close(): void {
    for (const task of this.tasks.values()) this.forget(task);
  }

  /** Notifies the client of a new status, on the reply to a waiting request if there is one. */
  private announce(task: Task): void {
    const notice = { jsonrpc: '2.0', method: 'notifications/tasks/status', params: task.snapshot() };
    const outbox: ReplySink = task.outbox;
    this.session.relate(notice, outbox);
  }
}
