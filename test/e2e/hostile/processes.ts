/** Finds processes that a check has left behind, by what they inherited from it (Linux: /proc). */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

export interface FoundProcess {
  readonly pid: number;
  readonly command: string;
}

/** Processes other than this one whose environment or arguments hold the mark, or whose working directory is the folder. */
export function processesWith(mark: string, folder: string): FoundProcess[] {
  const pids = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
  return pids
    .filter((pid) => pid !== process.pid)
    .flatMap((pid) => {
      try {
        const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
        // A process that has ended and waits for its parent has no command line.
        if (command === '') return [];
        const belongs =
          command.includes(mark) ||
          readlinkSync(`/proc/${pid}/cwd`).startsWith(folder) ||
          readFileSync(`/proc/${pid}/environ`, 'utf8').includes(mark);
        return belongs ? [{ pid, command }] : [];
      } catch {
        // It ended while it was looked at, or belongs to another user.
        return [];
      }
    });
}

/** What is still there when the time is over; empty as soon as nothing is. */
export async function waitUntilGone<T>(find: () => T[], withinMs: number): Promise<T[]> {
  const until = performance.now() + withinMs;
  for (;;) {
    const found = find();
    if (found.length === 0 || performance.now() > until) return found;
    await sleep(50);
  }
}
