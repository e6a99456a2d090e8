/**
 * The mark that everything carries which a run of mcpc starts: a random text in the environment, inherited by whatever
 * those processes start themselves. By it a process is found again that has left its process group. Linux only, where
 * /proc shows the environment that a process was started with.
 */
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';

/** Variable that holds the mark; the marks of an mcpc within an mcpc stand one after the other. */
const markName = 'MCPC_RUN';

let run: string | undefined;

/** The mark of this run, the same for all its processes and threads. */
export function runMark(): string {
  return (run ??= randomBytes(8).toString('hex'));
}

/** Makes this process or thread a part of the run that started it. */
export function joinRun(mark: string): void {
  run = mark;
}

/**
 * A mark for a part of the run, which distinguishes its processes from those of another part: a check, a worker
 * process.
 */
export function partMark(): string {
  return `${runMark()}.${randomBytes(6).toString('hex')}`;
}

/** The environment with the mark added, unless it carries it already. */
export function markedEnv(env: NodeJS.ProcessEnv, mark = runMark()): Record<string, string> {
  const plain = Object.fromEntries(
    Object.entries(env).filter((pair): pair is [string, string] => pair[1] !== undefined),
  );
  const outer = plain[markName];
  return outer?.includes(mark) === true
    ? plain
    : { ...plain, [markName]: outer === undefined ? mark : `${outer}:${mark}` };
}

/** Command and environment with the mark; that of this process if it has none. */
export function marked<T extends { env?: Record<string, string> | undefined }>(
  start: T,
  mark: string,
): T & { env: Record<string, string> } {
  return { ...start, env: markedEnv(start.env ?? process.env, mark) };
}

export interface MarkedProcess {
  pid: number;
  /** Its command line, words separated by blanks. */
  command: string;
}

/** The running processes with the mark, except this one; none if the system does not report them. */
export function markedProcesses(mark: string): MarkedProcess[] {
  if (process.platform !== 'linux') return [];
  const found: MarkedProcess[] = [];
  for (const name of pidsOf('/proc')) {
    try {
      // It is empty for an ended process that was not waited for.
      if (Number(name) === process.pid || !readFileSync(`/proc/${name}/environ`, 'latin1').includes(mark)) continue;
      const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0').join(' ').trim();
      found.push({ pid: Number(name), command: command === '' ? `process ${name}` : command });
    } catch {
      // It ended meanwhile, or belongs to another user.
    }
  }
  return found;
}

function pidsOf(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}
