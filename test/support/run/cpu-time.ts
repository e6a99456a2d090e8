/**
 * Notes the CPU time that each test file takes, its processes included, in the metadata of the file; a setup file of
 * vitest, so that it runs for each. The reporter beside it prints the sums.
 */
import { readFileSync } from 'node:fs';
import { afterAll } from 'vitest';
import { lastingProcesses } from './lasting-processes.ts';
import { ofWorker } from './of-worker.ts';

declare module '@vitest/runner' {
  interface TaskMeta {
    /** CPU seconds of a test file: of its worker, and of the processes that it started and saw end. */
    cpuSeconds?: number;
  }
}

/** Linux counts in hundredths of a second, whatever the machine. */
const ticksPerSecond = 100;

/** CPU seconds that a process and its ended children took so far. @throws where the system does not tell, and when it is gone */
function secondsOf(id: number | 'self'): number {
  const stat = readFileSync(`/proc/${id}/stat`, 'latin1');
  // The name in parentheses may hold blanks; utime, stime, cutime and cstime are the fields 14 to 17.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / ticksPerSecond;
}

/** The same of one that serves many files: one that is gone is among the ended children. */
function secondsOfLasting(id: number): number {
  try {
    return secondsOf(id);
  } catch {
    lastingProcesses.delete(id);
    return 0;
  }
}

/** CPU seconds that this process, its ended children and those that last took so far; of itself alone where the system does not tell. */
function cpuSeconds(): number {
  try {
    return [...lastingProcesses].reduce((sum, id) => sum + secondsOfLasting(id), secondsOf('self'));
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  }
}

/** CPU seconds that the files before this one took in the same worker. */
const before = ofWorker('cpuSeconds', () => ({ seconds: 0 }));

// oxlint-disable-next-line no-empty-pattern -- vitest wants the form of a destructured argument ahead of the suite
afterAll(({}, suite) => {
  const until = cpuSeconds();
  suite.meta.cpuSeconds = until - before.seconds;
  before.seconds = until;
});
