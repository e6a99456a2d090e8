/** State of the tasks of one connection. A store; what follows from it is the task tracker's work. */
import type { RpcRecord } from '../requests/rpc-record.ts';
import type { IdKey } from '../values/rpc.ts';
import type { TaskRecord } from './task-record.ts';
import type { InputKeys } from './task-updates.ts';
import type { TaskWalk } from './task-walk.ts';

export interface SessionTasks {
  /** By requestor and id. */
  byId: Map<string, TaskRecord>;
  byRequest: Map<RpcRecord, TaskRecord>;
  /** Tasks without an observed end. */
  unfinished: Set<TaskRecord>;
  /** Tasks whose end was seen, and no answer to a later request yet. */
  justOver: Set<TaskRecord>;
  /** Client requests in flight that are not about tasks. */
  others: Set<RpcRecord>;
  /** Client requests in flight that name a task, and how many later requests were answered meanwhile. */
  laterRequestsAnsweredFirst: Map<RpcRecord, number>;
  /** Ids that the server named before the answer that made the task was there, if it ever came. */
  mentioned: Set<unknown>;
  /** Requests of the receiver that name a task, by typed id. */
  inputs: Map<IdKey, TaskRecord>;
  /** Walks through tasks/list that are under way. */
  walks: TaskWalk[];
  /** When each side sent its newest message. */
  lastT: { client: number; server: number };
}

/** State of the named task when the request was sent. */
export interface Asked {
  task: TaskRecord | undefined;
  state: string;
  /** Requests that had named the task before. */
  looks: number;
  /** A tasks/get that came sooner than the interval between polls demands. */
  early?: boolean | undefined;
  /** The keys of a tasks/update of a task that is known. */
  inputKeys?: InputKeys | undefined;
}

export function createSessionTasks(): SessionTasks {
  return {
    byId: new Map(),
    byRequest: new Map(),
    unfinished: new Set(),
    justOver: new Set(),
    others: new Set(),
    laterRequestsAnsweredFirst: new Map(),
    mentioned: new Set(),
    inputs: new Map(),
    walks: [],
    lastT: { client: 0, server: 0 },
  };
}
