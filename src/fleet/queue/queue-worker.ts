/**
 * The use case `fleet worker`: takes checks out of a queue, runs them in worker processes of its own, and sends
 * back report and trace. A check whose worker is gone is given to another one by the queue.
 */
import { randomUUID } from 'node:crypto';
import type { Job } from 'bullmq';
import type { RuleSelection } from '../../check/check-options.ts';
import { loadPlan } from '../../check/plan.ts';
import type { FleetServer } from '../../core/model/reports/fleet.ts';
import { makeRunFolder, removeFolder } from '../../client/transport/process/run-folders.ts';
import { digestFor } from '../../check/reporting/profile-digest.ts';
import { openPool, WorkerLostError, type CheckExecutor } from '../run/pool.ts';
import { unsettled } from '../run/summary.ts';
import { sendFile } from './queue-files.ts';
import { openQueueLink, queueName, type QueuedCheck, type QueuedResult, type SentFile } from './queue-link.ts';

export interface QueueWorkerOptions {
  url: string;
  jobs: number;
  /** Most worker processes. */
  workers: number;
  /** Ends when the queue is empty and nothing runs anywhere. */
  drain: boolean;
  /** Milliseconds without a sign of life after which a check is given to another worker. */
  takeoverMs: number;
  toolVersion: string;
  /** Folder of installed packages; the user's cache folder when absent. */
  cacheDir?: string;
  signal: AbortSignal;
  watch: { ready(): void; begun(name: string): void; done(server: FleetServer): void; note(line: string): void };
}

/** A check may outlive so many workers; after that it is thought to be what kills them. */
const mostTakeovers = 2;
const emptyMs = 500;

/**
 * Resolves when the signal is aborted or, with `drain`, when the queue is empty.
 * @throws McpcError usage when there is no such queue, or its packages are missing
 */
export async function runQueueWorker(options: QueueWorkerOptions): Promise<void> {
  const { signal, watch } = options;
  const link = await openQueueLink(options.url);
  const { Worker, Queue } = link.bullmq;
  const pool = openPool({ jobs: options.jobs, workers: options.workers });
  const queue = new Queue<QueuedCheck, QueuedResult>(queueName, { connection: link.redis });
  queue.on('error', () => {});

  async function check(job: Job<QueuedCheck, QueuedResult>, token: string | undefined): Promise<QueuedResult> {
    const { run, task, ruleSet } = job.data;
    if (job.data.format !== 1) throw new Error('the check was put into the queue by another version of mcpc');
    const own = digestFor(await digestOf(task.selection), task.profile);
    if (own !== ruleSet) throw new Error(`the worker judges by the rule set ${own}, the run by ${ruleSet}`);
    const folder = makeRunFolder();
    watch.begun(task.entry.name);
    try {
      const server = await checkIn(folder, pool, job, options);
      // Of its own, so that two workers that both think they have the check cannot mix their files.
      const key = `${queueName}:${run}:${task.entry.id}:${randomUUID()}`;
      const files: SentFile[] = [];
      if (server.report !== null) files.push(await sendFile(link.redis, folder, 'report.json', `${key}:report`));
      if (server.trace !== null) files.push(await sendFile(link.redis, folder, 'trace.jsonl', `${key}:trace`));
      if (server.suite) files.push(await sendFile(link.redis, folder, 'suite.json', `${key}:suite`));
      watch.done(server);
      return { server, files };
    } catch (error) {
      if (!signal.aborted) throw error;
      // Another worker starts it again.
      await job.moveToWait(token);
      throw new link.bullmq.WaitingError();
    } finally {
      removeFolder(folder);
    }
  }

  const worker = new Worker<QueuedCheck, QueuedResult>(queueName, check, {
    connection: link.redis,
    concurrency: options.jobs,
    lockDuration: options.takeoverMs,
    stalledInterval: Math.max(500, Math.round(options.takeoverMs / 2)),
    maxStalledCount: mostTakeovers,
    drainDelay: 1,
  });
  worker.on('error', (error) => watch.note(`queue: ${error.message}`));
  worker.on('failed', (job, error) => watch.note(`${job?.data.task.entry.name ?? 'a check'}: ${error.message}`));
  worker.on('stalled', (id) => watch.note(`${id}: taken over from a worker that is gone`));
  try {
    await worker.waitUntilReady();
    watch.ready();
    await ended(options, queue);
  } finally {
    // Waits for what runs; an aborted signal has ended that.
    await worker.close();
    await pool.close();
    await queue.close();
    await link.close();
  }
}

async function checkIn(
  folder: string,
  pool: CheckExecutor,
  job: Job<QueuedCheck, QueuedResult>,
  { toolVersion, cacheDir, signal }: QueueWorkerOptions,
): Promise<FleetServer> {
  const { task } = job.data;
  const began = performance.now();
  const attempt = task.attempt + Math.max(0, job.attemptsStarted - 1);
  const whole = {
    ...task,
    attempt,
    folder,
    toolVersion,
    open: { ...task.open, ...(cacheDir === undefined ? {} : { cacheDir }) },
  };
  const without = (error: WorkerLostError, attempts: number): FleetServer =>
    unsettled(task.entry, 'error', error.message, { attempts, durationMs: performance.now() - began });
  try {
    return await pool.run(whole, { signal });
  } catch (error) {
    if (!(error instanceof WorkerLostError)) throw error;
    if (error.certain) return without(error, attempt);
  }
  try {
    return await pool.run({ ...whole, attempt: attempt + 1 }, { alone: true, signal });
  } catch (error) {
    if (!(error instanceof WorkerLostError)) throw error;
    return without(error, attempt + 1);
  }
}

const digests = new Map<string, string>();

async function digestOf(selection: RuleSelection): Promise<string> {
  const key = JSON.stringify(selection);
  const digest = digests.get(key) ?? (await loadPlan(selection)).digest;
  digests.set(key, digest);
  return digest;
}

async function ended(
  { signal, drain }: QueueWorkerOptions,
  queue: { getJobCounts(...types: ('waiting' | 'active' | 'delayed')[]): Promise<Record<string, number>> },
): Promise<void> {
  const aborted = new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
  if (!drain) return aborted;
  while (!signal.aborted) {
    const counts = await queue.getJobCounts('waiting', 'active', 'delayed');
    if (Object.values(counts).every((count) => count === 0)) return;
    await Promise.race([aborted, new Promise((resolve) => setTimeout(resolve, emptyMs))]);
  }
}
