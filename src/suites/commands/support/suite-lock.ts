/** Writes the lock of a new suite, for `mcpc ci` to compare with. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { WireChoice } from '../../../check/capture/open-capture.ts';
import type { ReadOffer, ReadOptions } from '../../../check/drift/read-offer.ts';
import { lock as lockOf } from '../../../core/drift/lock.ts';
import { readLock, usualLock, writeLock } from '../../../files/locks/lock-file.ts';
import { visible } from '../../../report/text.ts';

export interface SuiteLockPlace {
  /** Folder of the suite. */
  folder: string;
  /** Replace what the lock holds of the server. */
  overwrite: boolean;
  talk(line: string): void;
}

/** Before anything is started: a lock that is there has to be valid. @throws McpcError usage */
export function checkSuiteLock(folder: string): void {
  const path = join(folder, usualLock);
  if (existsSync(path)) readLock(path);
}

/** Locks the server of a new suite. A server that cannot be locked is no error; the reason is printed. */
export async function lockSuiteServer(place: SuiteLockPlace, reach: ReadOptions): Promise<void> {
  const { readOffer } = await import('../../../check/drift/read-offer.ts');
  await writeSuiteLock(place, () => readOffer(reach));
}

/** The same from the recording that a suite was written from. */
export async function lockRecordedServer(place: SuiteLockPlace, file: string, choice: WireChoice): Promise<void> {
  const { readRecordedOffer } = await import('../../../check/drift/read-recording.ts');
  await writeSuiteLock(place, () => readRecordedOffer(file, choice));
}

async function writeSuiteLock(
  { folder, overwrite, talk }: SuiteLockPlace,
  read: () => Promise<ReadOffer>,
): Promise<void> {
  const path = join(folder, usualLock);
  const { ownName } = await import('../../../check/drift/gate.ts');
  try {
    const { offer, unsteady } = await read();
    if (unsteady.length > 0) {
      talk(visible(`No lock was written, since no lock can hold what changes within one run: ${unsteady.join('; ')}.`));
      return;
    }
    const name = ownName(offer.serverInfo);
    const now = lockOf(offer);
    const known = existsSync(path) ? readLock(path).servers : {};
    if (!overwrite && Object.hasOwn(known, name) && known[name]!.hash !== now.hash) {
      talk(
        visible(`${path} was kept; it holds ${name} as it was. "mcpc drift check --lock ${path}" says what changed.`),
      );
      return;
    }
    writeLock(path, name, now);
    talk(visible(`${path}: what ${name} offers; "mcpc ci ${folder}" fails where that changes`));
  } catch (error) {
    talk(visible(`No lock was written: ${(error as Error).message}`));
  }
}
