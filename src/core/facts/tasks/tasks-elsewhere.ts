/** Tasks that a server which several clients may share made on other connections: what a list of one client shows of them. */
import { asObject } from '../../model/json.ts';
import { append } from '../../model/lists.ts';
import type { Facts } from '../core/plugin.ts';
import type { RpcRecord } from '../requests/rpc-record.ts';
import { isExpired, type TaskRecord } from './task-record.ts';

const keptTasks = 2000;

export interface TasksElsewhere {
  /** A task that the server made; each process on stdio serves one client alone. */
  note(task: TaskRecord): void;
  /**
   * Of the tasks that the server made on other connections: how many there are, and how many an answered tasks/list shows.
   * The requests that made these are evidence then.
   *
   * @param isOwn whether the client of the list has a task of that id itself
   */
  besides(record: RpcRecord, isOwn: (id: unknown) => boolean): Facts;
}

export function createTasksElsewhere(): TasksElsewhere {
  const made: TaskRecord[] = [];
  return {
    note(task) {
      if (task.request.from === 'client' && task.session.transport !== 'stdio' && made.length < keptTasks)
        made.push(task);
    },
    besides(record, isOwn) {
      const t = record.replyT ?? record.t;
      const alive = made.filter((task) => task.session !== record.session && !task.gone && !isExpired(task, t));
      const shown = asObject(asObject(record.reply)?.result)?.tasks;
      const shownIds = new Set(Array.isArray(shown) ? (shown as unknown[]).map((one) => asObject(one)?.taskId) : []);
      const foreign = alive.filter(({ id }) => shownIds.has(id) && !isOwn(id));
      if (foreign.length > 0) {
        const cited = new Set(record.events);
        for (const { request } of foreign)
          append(
            record.events,
            request.events.filter((seq) => !cited.has(seq) && cited.add(seq)),
          );
      }
      return { elsewhere: { made: alive.length, shown: foreign.length } };
    },
  };
}
