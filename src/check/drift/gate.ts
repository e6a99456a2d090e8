/** Compares a server with its lock. */
import { compareLocks, type ChangeClass } from '../../core/drift/compare-locks.ts';
import { lock, type LockFile, type ServerLock } from '../../core/drift/lock.ts';
import type { DriftReport } from '../../report/drift/drift-text.ts';
import { lockedServer, readLock } from '../../files/locks/lock-file.ts';
import { readOffer, type ReadOffer, type ReadOptions } from './read-offer.ts';

export interface GateOptions {
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

/** Compares with a live server. @throws McpcError usage for a lock that is not valid, before anything is started; target */
export async function compareWithLock(gate: GateOptions, reach: ReadOptions): Promise<Compared> {
  const file = readLock(gate.path);
  return compareOffer(file, gate, await readOffer(reach));
}

/** Compares what was read of a server. @throws McpcError usage where the lock holds no such server */
export function compareOffer(
  file: LockFile,
  { path, lockName, failsOn }: GateOptions,
  { offer, unsteady }: ReadOffer,
): Compared {
  const { name, server } = lockedServer(file, path, lockName ?? ownName(offer.serverInfo));
  const now = lock(offer);
  const report: DriftReport = {
    format: 'mcpc-drift-report',
    version: 1,
    server: name,
    lock: path,
    changes: compareLocks(server, now),
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
