/**
 * A disk with little room, and commands that meet it: a file system of its own where the tests may mount one, else a
 * limit on the size of files, which the system enforces with the same short writes.
 */
import { spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface SmallDisk {
  readonly folder: string;
  /** What the system says when the room is used up. */
  readonly says: 'ENOSPC' | 'EFBIG';
  run(command: readonly string[], cwd?: string): SpawnSyncReturns<string>;
  remove(): void;
}

/** @param kilobytes room for one file */
export function smallDisk(kilobytes: number): SmallDisk {
  const parent = mkdtempSync(join(tmpdir(), 'mcpc-disk-'));
  const folder = join(parent, 'disk');
  mkdirSync(folder);
  const mounted =
    process.getuid?.() === 0 &&
    spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${kilobytes}k`, 'tmpfs', folder]).status === 0;
  const { FORCE_COLOR: _force, ...env } = process.env;
  const how = { encoding: 'utf8', env: { ...env, NO_COLOR: '1' }, timeout: 60_000 } as const;
  return {
    folder,
    says: mounted ? 'ENOSPC' : 'EFBIG',
    run(command, cwd = parent) {
      if (mounted) return spawnSync(command[0]!, command.slice(1), { ...how, cwd });
      // In units of 512 bytes.
      return spawnSync('sh', ['-c', `ulimit -f ${kilobytes * 2} && exec "$@"`, 'sh', ...command], { ...how, cwd });
    },
    remove() {
      // Lazily: another process of the machine that looks into it for a moment (an indexer, a listing of files) keeps it
      // busy, and must not fail a test.
      if (mounted) {
        const { status, stderr } = spawnSync('umount', ['--lazy', folder], { encoding: 'utf8' });
        if (status !== 0) throw new Error(`The disk ${folder} is still mounted: ${stderr.trim()}`);
      }
      rmSync(parent, { recursive: true, force: true });
    },
  };
}
