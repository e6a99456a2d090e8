/** The main thread's side of every thread of mcpc: how one is started, and how its end is read. Loads almost nothing. */
import path from 'node:path';
import { SHARE_ENV, Worker } from 'node:worker_threads';
import { runMark } from '../../client/transport/process/run-mark.ts';
import { packageRoot } from '../../files/package/package-root.ts';

/** Heap of a thread, megabytes: more than it needs, since what a target sends is bounded. */
export const heapMb = 512;

/** Start data of a thread. */
export interface ThreadData<Options = unknown> {
  job: 'check' | 'intercept';
  /** Mark of the run. */
  mark: string;
  options: Options;
}

/** Starts a thread that shares the environment. @throws Error for a damaged installation */
export function startThread<Options>(job: ThreadData['job'], options: Options): Worker {
  const data: ThreadData<Options> = { job, mark: runMark(), options };
  return new Worker(path.join(packageRoot(), 'dist', 'thread.js'), {
    workerData: data,
    env: SHARE_ENV,
    resourceLimits: { maxOldGenerationSizeMb: heapMb },
  });
}

/** True if the thread ended because its heap was full. */
export function ranOutOfMemory(error: NodeJS.ErrnoException): boolean {
  return error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}
