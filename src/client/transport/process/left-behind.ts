/** Ends processes that stayed when everything they were started for was over, found by the mark of their environment. */
import { markedProcesses, type MarkedProcess } from './run-mark.ts';

/** Time to end by themselves after SIGTERM. */
const graceMs = 500;
const pollMs = 20;
/** Maximum number reported; a program that forks endlessly leaves more. */
const maxReported = 20;
/** Rounds of SIGKILL against processes that start others while they are being ended. */
const rounds = 5;

/**
 * Sends SIGTERM to all processes with the mark, then SIGKILL.
 * @returns those that existed, at most twenty; none if the system does not report them (anything but Linux)
 */
export async function endLeftBehind(mark: string): Promise<MarkedProcess[]> {
  const found = markedProcesses(mark);
  let left = found;
  for (const { pid } of left) signal(pid, 'SIGTERM');
  const until = performance.now() + graceMs;
  while (left.length > 0 && performance.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, pollMs));
    left = markedProcesses(mark);
  }
  for (let round = 0; round < rounds && left.length > 0; round += 1) {
    for (const { pid } of left) signal(pid, 'SIGKILL');
    await new Promise((resolve) => setTimeout(resolve, pollMs));
    left = markedProcesses(mark);
  }
  return found.slice(0, maxReported);
}

/** The same at once and without a word, for a process that is about to leave. */
export function killMarked(mark: string): void {
  for (const { pid } of markedProcesses(mark)) signal(pid, 'SIGKILL');
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It ended meanwhile, or changed its user.
  }
}
