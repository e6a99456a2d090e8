/**
 * A lock between processes: a folder that only one of them can make. The owner refreshes the lock every few seconds;
 * stale locks are taken over. In rare moments (a process that was stopped for long) two may believe to hold it, so the
 * work must stay right when done twice.
 */
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { usageError } from '../../core/model/errors.ts';

const beatMs = 2_000;
const staleMs = 15_000;
const lookMs = 100;

interface Owner {
  pid: number;
  host: string;
}

export interface LockOptions {
  signal?: AbortSignal;
  /** Maximum wait for another owner, in milliseconds. */
  waitMs: number;
  /** Called once if another process holds the lock. */
  onWait?(): void;
}

/**
 * Runs the work while holding the lock.
 * @throws McpcError usage when the lock is not available in time; the error of the work; the signal's reason
 */
export async function withLock<T>(
  lock: string,
  { signal, waitMs, onWait }: LockOptions,
  work: () => Promise<T>,
): Promise<T> {
  const until = performance.now() + waitMs;
  let reported = false;
  while (!take(lock)) {
    signal?.throwIfAborted();
    if (isStale(lock)) {
      remove(lock);
      continue;
    }
    if (performance.now() > until)
      throw usageError(
        `Another process has held ${lock} for ${Math.round(waitMs / 1000)} seconds.`,
        'See whether it still works; if none does, remove that folder.',
      );
    if (!reported) onWait?.();
    reported = true;
    await wait(lookMs, undefined, signal === undefined ? {} : { signal });
  }
  const beat = setInterval(() => touch(lock), beatMs);
  beat.unref();
  try {
    return await work();
  } finally {
    clearInterval(beat);
    remove(lock);
  }
}

function take(lock: string): boolean {
  try {
    mkdirSync(lock);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
  const owner: Owner = { pid: process.pid, host: hostname() };
  writeFileSync(path.join(lock, 'owner.json'), JSON.stringify(owner));
  return true;
}

function isStale(lock: string): boolean {
  try {
    if (Date.now() - statSync(lock).mtimeMs > staleMs) return true;
    const { pid, host } = JSON.parse(readFileSync(path.join(lock, 'owner.json'), 'utf8')) as Owner;
    return host === hostname() && !isAlive(pid);
  } catch {
    // It is gone or new: the next look decides.
    return false;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function touch(lock: string): void {
  try {
    utimesSync(lock, new Date(), new Date());
  } catch {
    // Another process took it over and considered ours dead; the work is still right.
  }
}

/** Renamed first, so that of several who remove it only one does. */
function remove(lock: string): void {
  const skipped = `${lock}.${randomBytes(6).toString('hex')}`;
  try {
    renameSync(lock, skipped);
    rmSync(skipped, { recursive: true, force: true });
  } catch {
    // Another process was first.
  }
}
