/**
 * The ids that servers give to their tasks, over all connections of a trace. On stdio every connection has its own
 * process, which may restart its counter; over HTTP only a restarted server may.
 */
import { BoundedSet } from '../../model/bounded.ts';
import { append } from '../../model/lists.ts';
import type { SessionState } from '../state/session-state.ts';
import { foreseeable } from './task-insights.ts';
import { keep, type TaskRecord } from './task-record.ts';
import { asText } from '../../model/json.ts';

const keptTasks = 2000;
const keptIds = 20_000;

export interface TaskIds {
  /** Adds the id of a new task of the server; true if another task had it before. */
  note(task: TaskRecord): boolean;
  /** True if the server gave the id to a task, on any connection. */
  knows(session: SessionState, id: unknown): boolean;
  /** A process was started. */
  restarted(): void;
  /** Facts for the `target` subject. */
  targetFacts(): { facts: Record<string, unknown>; events: readonly number[] };
}

export function createTaskIds(): TaskIds {
  /** By process on stdio, marked by a blank; else in all. */
  const given = new BoundedSet<string>(keptIds);
  const taskIds: string[] = [];
  const repeated: string[] = [];
  const seqs: number[] = [];

  function keyOf(session: SessionState, id: unknown): string {
    return session.transport === 'stdio' ? `stdio ${session.name} ${asText(id)}` : `all${asText(id)}`;
  }

  return {
    note({ session, id, request }) {
      const key = keyOf(session, id);
      const again = given.has(key);
      if (again) keep(repeated, id);
      given.add(key);
      if (taskIds.length < keptTasks) {
        taskIds.push(id);
        append(seqs, request.events);
      }
      return again;
    },
    knows: (session, id) => given.has(keyOf(session, id)),
    restarted() {
      for (const key of [...given]) if (key.startsWith('all')) given.delete(key);
    },
    targetFacts: () => ({
      facts: {
        taskIds,
        foreseeableTaskIds: foreseeable(taskIds),
        repeatedTaskIds: repeated,
      },
      events: seqs,
    }),
  };
}
