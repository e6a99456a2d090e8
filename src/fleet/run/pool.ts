/**
 * Worker processes of a fleet run: assigns checks, replaces workers that died, hang or have grown, and ends the servers
 * of a lost worker. It decides no order and keeps no result.
 */
import { McpcError } from '../../core/model/errors.ts';
import { largest, smallest } from '../../core/model/lists.ts';
import type { FleetServer } from '../../core/model/reports/fleet.ts';
import type { WorkerStrain } from '../jobs/job-limit.ts';
import type { CheckTask, FromWorker } from './messages.ts';
import { startWorker, type PoolWorker } from './pool-worker.ts';

/** A worker process ended in the middle of a check. */
export class WorkerLostError extends Error {
  override name = 'WorkerLostError';
  /** It was this check that cost the worker: the worker did nothing else. */
  readonly certain: boolean;

  constructor(why: string, certain = false) {
    super(why);
    this.certain = certain;
  }
}

export interface PoolOptions {
  /** Most checks at a time, over all workers. */
  jobs: number;
  /** Most worker processes. */
  workers: number;
  /** A worker that holds more megabytes gets no further check, and is replaced. */
  recycleMb?: number;
}

/** Executor of the checks: the processes of this run, or workers on a queue. */
export interface CheckExecutor {
  /**
   * Has a check done. Report and trace are in the task's folder when it resolves.
   * @param how `alone`: while no other check runs, with the memory of all workers
   * @throws WorkerLostError when the worker died, McpcError interrupted when the signal is aborted, and the worker's
   * error when the result could not be kept
   */
  run(task: CheckTask, how: { alone?: boolean; signal: AbortSignal }): Promise<FleetServer>;
  /** The result of a server is in the journal: what else was kept of it can go. */
  forget?(id: string): Promise<void>;
  /**
   * Measurements of the processes that run the checks: the delay of the least delayed, the fill level of the fullest.
   */
  strain?(): WorkerStrain;
  /** Ends what was begun. */
  close(): Promise<void>;
}

interface Waiting {
  task: CheckTask;
  alone: boolean;
  /** How to end it early: remove it from the queue, or notify the worker. */
  end(): void;
  resolve(server: FleetServer): void;
  reject(error: unknown): void;
  /** Its time is over, and a while more. */
  overdue?: NodeJS.Timeout;
}

interface Slot {
  worker: PoolWorker;
  jobs: Map<number, Waiting>;
  /** Runs one check while no other runs. */
  alone: boolean;
  /** Gets no further check. */
  drained: boolean;
}

/** Above what four checks of servers with much to check leave behind (170 MB): to be above it is a sign that something grows. */
const usualRecycleMb = 190;
/** Heap of a worker that is alone. */
const aloneHeapMb = 240;
/** Time for an interrupted check to close its connections. */
const abortMs = 1_200;
/**
 * Time after its deadline in which a check must return a result; a worker that keeps to itself has one much earlier.
 */
const overdueMs = 8_000;

export function openPool(options: PoolOptions): CheckExecutor {
  const { recycleMb = usualRecycleMb } = options;
  const workers = Math.max(1, Math.min(options.workers, options.jobs));
  const perWorker = Math.ceil(options.jobs / workers);
  const slots = new Set<Slot>();
  const waiting: Waiting[] = [];
  let numbered = 0;
  let closed = false;

  function open(alone: boolean): Slot {
    const worker = startWorker(
      { onMessage: (message) => heard(slot, message), onLost: (why) => lost(slot, why) },
      alone ? aloneHeapMb : undefined,
    );
    const slot: Slot = { worker, jobs: new Map(), alone, drained: alone };
    slots.add(slot);
    return slot;
  }

  /** The worker with the least to do; a new one while there are fewer than there may be. */
  function slotFor(alone: boolean): Slot | undefined {
    // It has the memory of all.
    if ([...slots].some((slot) => slot.alone)) return undefined;
    if (alone) {
      for (const slot of slots) {
        slot.drained = true;
        endIfDone(slot);
      }
      return slots.size === 0 ? open(true) : undefined;
    }
    const [best] = [...slots]
      .filter((slot) => !slot.drained && slot.jobs.size < perWorker)
      .sort((one, other) => one.jobs.size - other.jobs.size);
    return best?.jobs.size === 0 || slots.size === workers ? best : open(false);
  }

  function endIfDone(slot: Slot): void {
    if (!slot.drained || slot.jobs.size > 0) return;
    slots.delete(slot);
    void slot.worker.stop();
  }

  function begin(): void {
    for (;;) {
      // A check that must run alone is not overtaken forever.
      const one = waiting[0];
      if (one === undefined || closed) return;
      const slot = slotFor(one.alone);
      if (slot === undefined) return;
      waiting.shift();
      numbered += 1;
      const job = numbered;
      slot.jobs.set(job, one);
      one.end = () => {
        slot.worker.send({ say: 'abort', job });
        // Servers are closed in order; remaining ones are ended with the workers.
        setTimeout(() => slot.jobs.delete(job) && one.reject(interrupted()), abortMs).unref();
      };
      slot.worker.send({ say: 'check', job, task: one.task });
    }
  }

  function heard(slot: Slot, message: FromWorker & { job: number }): void {
    const one = slot.jobs.get(message.job);
    if (one === undefined) return;
    if (message.say === 'begun') {
      one.overdue = setTimeout(
        () => overdue(slot, message.job, message.checkMs),
        Math.min(message.checkMs + overdueMs, 2 ** 31 - 1),
      );
      one.overdue.unref();
      return;
    }
    slot.jobs.delete(message.job);
    if (message.say === 'settled') {
      if (message.rssMb > recycleMb) slot.drained = true;
      one.resolve(message.server);
    } else if (message.say === 'interrupted') one.reject(interrupted());
    else if (message.say === 'failed') one.reject(errorOf(message.error));
    endIfDone(slot);
    begin();
  }

  /** The worker is busy with this check or a parallel one: if that is unclear, each is tried again alone. */
  function overdue(slot: Slot, job: number, checkMs: number): void {
    const one = slot.jobs.get(job);
    if (one === undefined) return;
    const why = `the check did not end within ${overdueMs / 1000} s after its deadline of ${checkMs} ms: what the server sent keeps mcpc busy`;
    if (slot.jobs.size === 1) {
      slot.jobs.delete(job);
      one.reject(new WorkerLostError(why, true));
    }
    slot.worker.kill(why);
  }

  function lost(slot: Slot, why: string): void {
    slots.delete(slot);
    for (const one of slot.jobs.values()) one.reject(new WorkerLostError(why));
    slot.jobs.clear();
    begin();
  }

  return {
    run(task, { alone = false, signal }) {
      return new Promise<FleetServer>((resolve, reject) => {
        if (closed || signal.aborted) return reject(interrupted());
        const onAbort = (): void => one.end();
        const over = (): void => {
          signal.removeEventListener('abort', onAbort);
          clearTimeout(one.overdue);
        };
        const one: Waiting = {
          task,
          alone,
          end() {
            waiting.splice(waiting.indexOf(one), 1);
            one.reject(interrupted());
          },
          resolve(server) {
            over();
            resolve(server);
          },
          reject(error) {
            over();
            reject(signal.aborted ? interrupted() : error);
          },
        };
        signal.addEventListener('abort', onAbort, { once: true });
        waiting.push(one);
        begin();
      });
    },
    strain() {
      const all = [...slots].map(({ worker }) => worker.strain);
      return {
        lateMs: all.length === 0 ? 0 : smallest(all.map(({ lateMs }) => lateMs)),
        heap: all.length === 0 ? 0 : largest(all.map(({ heap }) => heap)),
      };
    },
    async close() {
      closed = true;
      await Promise.all([...slots].map(({ worker }) => worker.stop()));
    },
  };
}

function interrupted(): McpcError {
  return new McpcError('interrupted', 'The check was interrupted.');
}

function errorOf({ message, code, stage, remedy }: (FromWorker & { say: 'failed' })['error']): Error {
  if (stage === 'usage') return new McpcError(stage, message, remedy === undefined ? {} : { remedy });
  return Object.assign(new Error(message), code === undefined ? {} : { code });
}
