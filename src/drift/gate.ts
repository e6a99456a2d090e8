/** Compares a live server with its lock. */
import { compareLocks, type ChangeClass } from '../core/drift/compare-locks.ts';
import { lock, type ServerLock } from '../core/drift/lock.ts';
import type { DriftReport } from './drift-text.ts';
import { lockedServer, readLock } from './lock-file.ts';
import { readOffer, type ReadOptions } from './read-offer.ts';

export interface GateOptions extends ReadOptions {
  /** The lock file. */
  path: string;
  /** Name in the lock; what the server calls itself when absent. */
  lockName?: string | undefined;
  failsOn: readonly ChangeClass[];
}

export interface Compared {
  report: DriftReport;
  name: string;
  before: ServerLock;
  now: ServerLock;
}

/** @throws McpcError usage for a lock that is not valid, before anything is started; target */
export async function compareWithLock({ path, lockName, failsOn, ...reach }: GateOptions): Promise<Compared> {
  const file = readLock(path);
  const { offer, unsteady } = await readOffer(reach);
  const { name, server } = lockedServer(file, path, lockName ?? ownName(offer.serverInfo));
  const now = lock(offer);
  const changes = compareLocks(server, now);
  const report: DriftReport = {
    format: 'mcpc-drift-report',
    version: 1,
    server: name,
    lock: path,
    changes,
    unsteady,
    failsOn,
  };
  return { report, name, before: server, now };
}

/** What the server calls itself: the same over every transport. */
export function ownName(serverInfo: Record<string, unknown> | undefined): string {
  const said = serverInfo?.['name'];
  return typeof said === 'string' && said !== '' ? said : 'server';
}
