/**
 * A lock between processes: a folder that only one of them can make. Whoever holds it shows every few seconds that
 * he lives; a lock that nobody keeps up is taken over. In rare moments (a process that was stopped for long) two may
 * believe to hold it, so the work must stay right when done twice.
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
  /** How long to wait for another holder, milliseconds. */
  waitMs: number;
  /** Called once when somebody else holds the lock. */
  onWait?(): void;
}

/**
 * Runs the work while the lock is held.
 * @throws McpcError usage when the lock is not to be had in time; what the work throws; the signal's reason
 */
export async function withLock<T>(
  lock: string,
  { signal, waitMs, onWait }: LockOptions,
  work: () => Promise<T>,
): Promise<T> {
  const until = performance.now() + waitMs;
  let told = false;
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
    if (!told) onWait?.();
    told = true;
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
    // Gone meanwhile, or made a moment ago: the next look tells.
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
    // Taken over by somebody who believed us gone; the work is right all the same.
  }
}

/** Renamed first, so that of several who remove it only one does. */
function remove(lock: string): void {
  const aside = `${lock}.${randomBytes(6).toString('hex')}`;
  try {
    renameSync(lock, aside);
    rmSync(aside, { recursive: true, force: true });
  } catch {
    // Somebody else was first.
  }
}
