/**
 * The run's end of the queue: it adds checks, collects their results into the run directory, and removes them only
 * after the journal has them. It runs no check itself.
 */
import type { Job } from 'bullmq';
import { McpcError } from '../../core/model/errors.ts';
import type { FleetRunHeader, FleetServer } from '../../core/model/reports/fleet.ts';
import type { CheckTask } from '../run/messages.ts';
import type { CheckExecutor } from '../run/pool.ts';
import { unsettled } from '../run/summary.ts';
import { fetchFile, keptSeconds, LostChunkError } from './queue-files.ts';
import { jobIdOf, openQueueLink, queueName, type QueuedCheck, type QueuedResult } from './queue-link.ts';

export interface QueueOptions {
  url: string;
  /** Of the run, with the digests that its entries have now. */
  header: FleetRunHeader;
  /** Ids of servers whose result is in the journal. */
  done: ReadonlySet<string>;
}

/** Tries on workers that cannot do the check: full disk, other rules. */
const attempts = 3;
/** Events can be missed; what is waited for is looked at this often. */
const lookMs = 5_000;
/** Looked at together. */
const batch = 50;

type Finished = { state: 'completed' } | { state: 'failed'; reason: string };

/** @throws McpcError usage when there is no such queue, or the packages for it are missing */
export async function openQueueExecutor({ url, header, done }: QueueOptions): Promise<CheckExecutor> {
  const link = await openQueueLink(url);
  const { Queue, QueueEvents } = link.bullmq;
  const queue = new Queue<QueuedCheck, QueuedResult>(queueName, { connection: link.redis });
  const events = new QueueEvents(queueName, { connection: link.redis.duplicate() });
  // A lost connection comes back by itself.
  queue.on('error', () => {});
  events.on('error', () => {});
  const waiting = new Map<string, (end: Finished) => void>();
  events.on('completed', ({ jobId }) => waiting.get(jobId)?.({ state: 'completed' }));
  events.on('failed', ({ jobId, failedReason }) => waiting.get(jobId)?.({ state: 'failed', reason: failedReason }));
  const looking = setInterval(() => void lookAgain().catch(() => {}), lookMs);
  const jobs = new Map<string, { job: Job<QueuedCheck, QueuedResult>; keys: string[] }>();

  async function lookAgain(): Promise<void> {
    const ids = [...waiting.keys()];
    for (let at = 0; at < ids.length; at += batch) await Promise.all(ids.slice(at, at + batch).map(look));
  }

  async function look(jobId: string): Promise<void> {
    const job = await queue.getJob(jobId);
    const state = await job?.getState();
    if (state === 'completed') waiting.get(jobId)?.({ state });
    else if (state === 'failed') waiting.get(jobId)?.({ state, reason: job!.failedReason });
    else if (job === undefined)
      waiting.get(jobId)?.({ state: 'failed', reason: 'the check was taken out of the queue' });
  }

  /** Puts the check in, unless it lies there from before this run was interrupted. */
  async function add(jobId: string, task: CheckTask): Promise<Job<QueuedCheck, QueuedResult>> {
    const { folder: _folder, toolVersion: _version, open, ...rest } = task;
    const data: QueuedCheck = {
      format: 1,
      run: header.id,
      ruleSet: header.ruleSet.digest,
      task: { ...rest, ...(open?.allowScripts === undefined ? {} : { open: { allowScripts: open.allowScripts } }) },
    };
    const old = await queue.getJob(jobId);
    if ((await old?.getState()) === 'failed') await old!.remove();
    return queue.add('check', data, {
      jobId,
      attempts,
      backoff: { type: 'fixed', delay: 1_000 },
      removeOnComplete: { age: keptSeconds },
      removeOnFail: { age: keptSeconds },
    });
  }

  function finished(jobId: string, signal: AbortSignal): Promise<Finished> {
    return new Promise<Finished>((resolve, reject) => {
      const over = (): void => {
        waiting.delete(jobId);
        signal.removeEventListener('abort', onAbort);
      };
      const onAbort = (): void => {
        over();
        reject(new McpcError('interrupted', 'The check was interrupted.'));
      };
      waiting.set(jobId, (end) => {
        over();
        resolve(end);
      });
      signal.addEventListener('abort', onAbort, { once: true });
      if (signal.aborted) onAbort();
      // It may have ended before anybody listened.
      else void look(jobId).catch(() => {});
    });
  }

  async function fetch(jobId: string, task: CheckTask): Promise<FleetServer> {
    const job = await queue.getJob(jobId);
    if (job === undefined) throw new LostChunkError('the result is gone from the queue');
    const { server, files } = job.returnvalue;
    for (const file of files) await fetchFile(link.redis, task.folder, file);
    jobs.set(task.entry.id, { job, keys: keysOf(job) });
    return server;
  }

  async function remove(job: Job<QueuedCheck, QueuedResult>, keys: readonly string[]): Promise<void> {
    if (keys.length > 0) await link.redis.del([...keys]);
    await job.remove().catch(() => {});
  }

  async function close(): Promise<void> {
    clearInterval(looking);
    await Promise.all([events.close(), queue.close()].map((one) => one.catch(() => {})));
    await link.close();
  }

  const digests = new Map(header.servers.map(({ id, digest }) => [id, digest]));
  try {
    await events.waitUntilReady();
    // Results that were collected when the run was killed, and never removed.
    for (const id of done) {
      const job = await queue.getJob(jobIdOf(header.id, id, digests.get(id)!));
      if (job !== undefined) await remove(job, keysOf(job));
    }
  } catch (error) {
    await close();
    throw error;
  }

  return {
    async run(task, { signal }) {
      const { entry } = task;
      const began = performance.now();
      const jobId = jobIdOf(header.id, entry.id, digests.get(entry.id)!);
      const without = (reason: string): FleetServer =>
        unsettled(entry, 'error', reason, { attempts: task.attempt, durationMs: performance.now() - began });
      for (let losses = 0; ; losses += 1) {
        const job = await add(jobId, task);
        let end: Finished;
        try {
          end = await finished(jobId, signal);
        } catch (error) {
          // No worker should start it now; a running check is collected when the run is resumed.
          await job.remove().catch(() => {});
          throw error;
        }
        if (end.state === 'failed') {
          jobs.set(entry.id, { job, keys: [] });
          return without(`no worker could do the check: ${end.reason}`);
        }
        try {
          return await fetch(jobId, task);
        } catch (error) {
          if (!(error instanceof LostChunkError)) throw error;
          if (losses > 0) {
            jobs.set(entry.id, { job, keys: keysOf((await queue.getJob(jobId)) ?? job) });
            return without(error.message);
          }
          await job.remove();
        }
      }
    },
    async forget(id) {
      const kept = jobs.get(id);
      jobs.delete(id);
      if (kept !== undefined) await remove(kept.job, kept.keys);
    },
    close,
  };
}

/** Lists with the files of a check; none for an unfinished one. */
function keysOf({ returnvalue }: Job<QueuedCheck, QueuedResult>): string[] {
  return (returnvalue as QueuedResult | null | undefined)?.files.map(({ key }) => key) ?? [];
}
