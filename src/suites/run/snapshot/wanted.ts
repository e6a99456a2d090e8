/** Loads what is stored of answers where some case is judged by it, and nothing else otherwise. */
import { existsSync } from 'node:fs';
import type { SuiteCase } from '../../language/model.ts';
import { readsSnapshots } from '../../language/snapshot/entries.ts';
import type { SuiteSnapshots } from './stored.ts';

/**
 * @param chosen the cases to run
 * @param all those of their files
 * @param fixture the folder to copy for cases
 * @throws McpcError usage for an unreadable snapshot file
 */
export async function snapshotsFor(
  chosen: readonly SuiteCase[],
  all: readonly SuiteCase[],
  fixture: string | undefined,
): Promise<SuiteSnapshots | undefined> {
  return chosen.some(readsSnapshots) ? (await import('./stored.ts')).storedSnapshots(all, fixture) : undefined;
}

/** True if the case is judged by a snapshot, or its file has some. */
export function hasSnapshots(one: SuiteCase): boolean {
  return readsSnapshots(one) || existsSync(`${one.file}.snap`);
}
